"""A game of history: found in the list, scrubbed to the turning point, a toss seen again; its file needs no network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tablecoin.journal.clip import clip_of
from tablecoin.journal.evidence import Evidence, Readings
from tablecoin.journal.journal import Journal
from tablecoin.live.service import JOURNAL
from tablecoin.referee.events import Acted, Corrected, Rejected, Started, TakenBack
from tablecoin.rules import load
from tablecoin.rules.random_play import random_game
from tablecoin.vision.shown.film import Still
from tests.journeys.running import PATIENCE_S, Running

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

NAMES = {"heads": "安娜", "tails": "</script><script>document.title = 'broken out'</script>"}
SEEN = """row => { const list = row.closest(".rulings").getBoundingClientRect(), own = row.getBoundingClientRect();
  return own.bottom > list.top && own.top < list.bottom; }"""
PATIENCE_MS = 1000 * PATIENCE_S
expect.set_options(timeout=PATIENCE_MS)
RULED_S = 12.0  # when the picture of the toss was taken
GREY = "canvas => canvas.getContext('2d').getImageData(9, 9, 1, 1).data[0]"


@pytest.fixture
def served(serve: Callable[..., Running], tmp_path: Path) -> Running:
    """A table whose first game is over: played at random, with a refusal, a correction and an act taken back."""
    game = load("steal")
    _, *played = random_game(game, 3)
    acts = [Acted(k, game.write_action(act), "heads", "camera") for k, (act, _) in enumerate(played, 2) if act]
    seats = {"heads": "person", "tails": "computer"}
    journal = Journal(tmp_path / "data" / JOURNAL)
    journal.append([Started(1, "steal", {}, msgspec.convert(seats, dict), names=NAMES)])
    tossed = _evidence()
    journal.append([acts[0]], tossed)
    journal.keep_clip(tossed.digest, clip_of([Still(RULED_S - k / 4, _jpeg(60 * k)) for k in (3, 2, 1, 0)], RULED_S))
    journal.append(
        [Rejected(2, "steal.place.limit", "A quarter is too high.", "camera"), acts[1], TakenBack(3, "phone")]
    )
    journal.append([Corrected(3, (60.0, 50.0), None, None), *acts[1:]])
    journal.close()
    return serve()


def _jpeg(grey: int) -> bytes:
    return cv2.imencode(".jpg", np.full((60, 90, 3), grey, np.uint8))[1].tobytes()


def _evidence() -> Evidence:
    picture = _jpeg(90)
    said = {"en": "The pennies fell.", "zh": "一分硬币已掷出。"}
    return Evidence(msgspec.json.encode(Readings(said, "two-row", (), ())), picture, picture)


def watched(browser: Browser, **context: object) -> tuple[Page, list[str]]:
    """A page, and the errors that it meets."""
    page = browser.new_context(**context).new_page()  # type: ignore[arg-type]
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.on("dialog", lambda dialog: problems.append(dialog.message))
    page.set_default_timeout(PATIENCE_MS)
    return page, problems


def scrub_to_the_turning_point(page: Page) -> None:
    """By its button; then by keys, the slider and a play, which all lead where they should."""
    page.get_by_test_id("turning").click()
    page.get_by_test_id("turning-mark").wait_for()
    turned = int(page.locator("body").get_attribute("data-step") or -1)
    assert turned > 0
    expect(page.get_by_test_id(f"ruled-{turned}")).to_have_attribute("aria-current", "")
    assert page.get_by_test_id(f"ruled-{turned}").evaluate(SEEN), "its list was not scrolled to it"
    page.locator("body").press("ArrowRight")
    expect(page.locator("body")).to_have_attribute("data-step", str(turned + 1))
    page.locator("body").press("Home")
    expect(page.locator(".coin")).to_have_count(0)
    page.get_by_test_id("scrub").fill("1")
    expect(page.locator(".coin")).to_have_count(5)
    page.get_by_test_id("speed").select_option("4")
    page.get_by_test_id("play").click()
    expect(page.locator("body")).not_to_have_attribute("data-step", "1")  # it plays
    page.get_by_test_id("play").click()


def toss_again(page: Page) -> None:
    """The clip of the toss, still by still, then in slow motion."""
    scrubber, picture = page.get_by_test_id("clip-scrubber"), page.get_by_test_id("clip-picture")
    expect(scrubber).to_have_attribute("max", "3")
    scrubber.press("Home")
    greys = [picture.evaluate(GREY)]
    for _ in range(3):
        scrubber.press("ArrowRight")
        greys.append(picture.evaluate(GREY))
    assert greys == pytest.approx([180, 120, 60, 0], abs=8)
    page.get_by_test_id("clip-speed-0.25").click()
    scrubber.press("Home")
    page.get_by_test_id("clip-play").click()
    expect(scrubber).to_have_value("3")


@pytest.mark.long
def test_a_game_of_history_is_scrubbed_and_sent_to_a_friend(served: Running, browser: Browser, tmp_path: Path) -> None:
    page, problems = watched(browser, viewport={"width": 390, "height": 844}, locale="en-US")
    page.goto(f"{served.url}history")
    page.get_by_test_id("open-1").click()
    expect(page.get_by_test_id("game-begun")).to_contain_text("安娜")
    scrub_to_the_turning_point(page)
    expect(page.get_by_test_id("counts")).to_contain_text("refused 1 · corrected 1 · taken back 1")
    page.get_by_test_id("ruled-1").click()
    page.get_by_test_id("step-pictures").click()
    page.get_by_test_id("evidence-after").evaluate("image => image.decode()")
    toss_again(page)
    page.screenshot(path=served.data / "replay-evidence.png")
    page.locator("#evidence-close").click()
    with page.expect_download() as loading:
        page.get_by_test_id("download-file").click()
    loading.value.save_as(tmp_path / "game.html")
    with page.expect_download() as loading:
        page.get_by_test_id("download-picture").click()
    loading.value.save_as(served.data / "picture.png")
    page.get_by_test_id("language").click()
    expect(page.get_by_test_id("counts")).to_contain_text("驳回 1")
    page.screenshot(path=served.data / "replay-phone.png", full_page=True)
    assert problems == []

    friend, wrong = watched(browser, viewport={"width": 1920, "height": 1080}, locale="en-US", offline=True)
    friend.goto((tmp_path / "game.html").as_uri())
    scrub_to_the_turning_point(friend)
    friend.screenshot(path=served.data / "replay-file.png")
    friend.get_by_test_id("language").click()
    expect(friend.get_by_test_id("graph")).to_be_visible()
    assert friend.title().startswith("一元大奖")
    assert wrong == []

    page.goto(f"{served.url}history/2")
    expect(page.get_by_test_id("replay-said")).to_have_text("对局日志中没有第 2 局：请从列表中选择")
    expect(page.get_by_test_id("downloads")).to_be_hidden()
