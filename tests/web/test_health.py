"""The health page: the checks' findings in both languages, what is wrong first, readable on a phone."""

from __future__ import annotations

import errno
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from tablecoin.checks.finding import Finding, found
from tablecoin.journal.unwritten import why_and_do
from tablecoin.rules.rulebook import Message
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app

REFUSED = why_and_do(OSError(errno.EACCES, "Permission denied"))


class Findings:
    """Checks that found a clock that is wrong, a shorted disk and a good scale."""

    def __init__(self) -> None:
        self.found: list[Finding] = [
            found("scale", "ok", "scale", mm="0.31"),
            found("clock", "warn", "clock.unset", "clock.unset.do"),
            found("disk", "fail", "disk.unwritable", "disk.unwritable.do", folder="tablecoin", **REFUSED),
            found("versions", "ok", "versions", tablecoin="0.1", python="3.11", machine="aarch64", packages="x " * 40),
        ]

    def findings(self) -> Sequence[Finding]:
        return self.found

    def acknowledge(self) -> None:
        self.found = [each for each in self.found if each.what != "journal"]


@pytest.fixture
def health() -> Findings:
    return Findings()


@pytest.fixture
def tab(live: QuietTable, health: Findings, stage: Stage) -> Page:
    stage.shows(create_app(live, health=health), live)
    return stage.open("/health")


def test_the_call_tells_every_finding_in_every_language(live: QuietTable, health: Findings) -> None:
    told = create_app(live, health=health).test_client().get("/api/health").json
    assert told is not None
    assert told["findings"][1] == {
        "what": "clock",
        "status": "warn",
        "title": {"en": "Clock", "zh": "时钟"},
        "said": {"en": "not set by the network", "zh": "未由网络校时"},
        "todo": {
            "en": "games go on; but dates in the journal may be wrong until there is a network.",
            "zh": "游戏照常进行；但在联网之前，日志里的日期可能不对。",
        },
    }
    assert told["findings"][0]["todo"] is None


def test_a_table_that_is_not_checked_has_no_such_page(live: QuietTable) -> None:
    assert create_app(live).test_client().get("/health").status_code == 404


LOST = Finding("journal", "warn", Message("journal.copy_gone", {"kept": 3}), Message("check.journal.lost.do"))


@pytest.mark.browser
def test_the_owner_acknowledges_what_the_journal_lost(tab: Page, health: Findings) -> None:
    health.found.append(LOST)
    tab.reload()
    expect(tab.get_by_test_id("check-journal")).to_contain_text("the newest events may be lost")
    tab.get_by_test_id("read").click()
    expect(tab.get_by_test_id("check-journal")).to_have_count(0)


@pytest.mark.browser
def test_what_is_wrong_comes_first_is_counted_and_fits_a_phone_in_both_languages(tab: Page) -> None:
    expect(tab.get_by_test_id("checks-verdict")).to_have_text("2 things should be corrected.")
    order = [item.get_attribute("data-status") for item in tab.locator("#checks li").all()]
    assert order == ["fail", "warn", "ok", "ok"]
    expect(tab.get_by_test_id("check-disk")).to_contain_text("tablecoin cannot be written (Permission denied)")
    expect(tab.get_by_test_id("check-disk")).to_contain_text("make the data folder and its files writable")
    expect(tab.get_by_test_id("check-versions")).to_be_visible()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    tab.get_by_test_id("language").click()
    expect(tab.get_by_test_id("checks-verdict")).to_have_text("有 2 处需要处理。")
    expect(tab.get_by_test_id("check-clock")).to_contain_text("未由网络校时")


@pytest.mark.browser
def test_where_all_is_well_it_says_so(tab: Page, health: Findings) -> None:
    health.found = [found("scale", "ok", "scale", mm="0.31")]
    tab.reload()
    expect(tab.get_by_test_id("checks-verdict")).to_have_text("Everything is in order.")
