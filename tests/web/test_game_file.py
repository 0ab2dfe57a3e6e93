"""The file of one game: everything inside, nothing from outside, and nothing of a stranger's text can break out."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape

import pytest

from tablecoin.journal.record import read_record
from tablecoin.replay.report import read_report
from tablecoin.replay.steps import replay_of
from tablecoin.rules import NAMES
from tests.replay.games import made_up_analysis, random_record
from web import game_file as module
from web.game_file import MOST_BYTES, TooLong, bundle, game_file

EVIL = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> & \u2028 ]]>"
TOP = re.compile(r"^(?:async )?(?:const|let|class|function)\*? (\{[^}]*\}|\w+)", re.MULTILINE)


def policy_of(page: str) -> dict[str, str]:
    """Directive -> its sources."""
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert found
    return dict(part.strip().split(" ", 1) for part in unescape(found[1]).split(";") if " " in part.strip())


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_is_one_small_file_that_loads_nothing(name: str) -> None:
    page = game_file(replay_of(random_record(name)), None).decode()
    assert len(page) < MOST_BYTES / 4
    assert re.findall(r"<(?:link|img|iframe|script[^>]*src)", page) == []
    assert policy_of(page)["default-src"] == "'none'"


def test_only_its_own_script_and_style_may_work() -> None:
    page = game_file(replay_of(random_record("steal")), None).decode()
    for directive, tag in (("script-src", '<script type="module">'), ("style-src", "<style>")):
        inner = page.split(tag)[1].split("</")[0]
        assert policy_of(page)[directive] == f"'sha256-{b64encode(sha256(inner.encode()).digest()).decode()}'"


def test_text_of_strangers_stays_text() -> None:
    header = json.dumps({"game": "steal", "seats": {EVIL: EVIL}, "names": {"heads": EVIL}, "t": EVIL})
    note = json.dumps({"event": "note", "why": EVIL, "seat": EVIL, "by": EVIL})
    page = game_file(replay_of(read_record([header, note])), None).decode()
    assert page.count("<script") == page.count("</script>") == 2
    assert "alert(1)</" not in page
    assert "<!--" not in page
    facts = page.split('<script id="facts" type="application/json">')[1].split("</script>")[0]
    assert json.loads(facts)["game"]["names"]["heads"] == EVIL


def test_the_analysis_goes_with_it() -> None:
    record = random_record("steal")
    report = read_report(json.dumps(made_up_analysis(record)).encode(), record)
    facts = game_file(replay_of(record), report).decode().split('type="application/json">')[1].split("</script>")[0]
    assert json.loads(facts)["report"]["turning_point"] == 5
    assert set(json.loads(facts)["catalogues"]) == {"en", "zh"}


def test_a_game_too_long_for_a_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 100_000)
    with pytest.raises(TooLong, match="so its file would be larger than"):
        game_file(replay_of(random_record("steal")), None)


def test_the_scripts_share_one_scope_without_a_name_twice() -> None:
    script = bundle("offline.js")
    assert re.findall(r"^(?:import|export)\b.*", script, re.MULTILINE) == []
    names = [name for found in TOP.findall(script) for name in re.findall(r"\w+", found)]
    assert len(names) > 50
    assert sorted(name for name in set(names) if names.count(name) > 1) == []
    assert script.index("const SVG =") < script.index("class Replay")  # what is used stands before what uses it


def test_no_module_of_the_file_asks_for_the_network() -> None:
    """The catalogue of a language is the one thing that a page fetches, and the file brings it along."""
    assert re.findall(r"\b(?:XMLHttpRequest|EventSource|sendBeacon|WebSocket)\b", bundle("offline.js")) == []
    assert bundle("offline.js").count("fetch(") == 1
