"""Who may do what, in a real browser: opening with a PIN, joining by code and button, a lost seat, trusted people.

Two pages stand at the table's own machine (127.0.0.1); the phones come from the network: here from another address of
this machine, which counts as a stranger's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.journeys.network import Network
from tests.journeys.running import Running

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

    from tests.journeys.browsers import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

PIN = "rosebud 1941"
PHONE: ViewportSize = {"width": 390, "height": 844}
SCREEN: ViewportSize = {"width": 1280, "height": 800}
AWAY = "127.0.0.2"  # where the phones' connections come from


class House:
    """The table with its kiosk, and phones that come and go."""

    def __init__(self, served: Running, browsers: Browsers, at: int) -> None:
        self.served, self._browsers = served, browsers
        self.network = Network(served.port, AWAY, at)
        self._phones = iter(("ann", "bob"))
        self.owner, self.kiosk = browsers.page("table", SCREEN), browsers.page("table", SCREEN)
        self.kiosk.goto(served.url + "kiosk")

    def close(self) -> None:
        self.network.close()

    def phone(self) -> Page:
        """A phone that opened the address of the table."""
        page = self._browsers.page(next(self._phones), PHONE)
        page.goto(self.network.url)
        return page

    def scans(self, page: Page) -> None:
        """The phone scans the code that the screen at the table shows now."""
        page.goto(f"{self.network.url}join#{self.code()}")
        page.locator("body[data-page]").wait_for()

    def code(self) -> str:
        """What the drawn code says: the screen at the table is asked for it as it asks itself."""
        import cv2
        import numpy as np
        from playwright.sync_api import Error

        def read() -> str:
            try:
                shot = self.kiosk.locator("svg.qr").screenshot()
            except Error:  # it was drawn anew meanwhile
                return ""
            image = cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR)
            assert image is not None
            image = cv2.resize(image, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
            said, _, _ = cv2.QRCodeDetector().detectAndDecode(image)
            return said.partition("/join#")[2]

        self.kiosk.reload()
        return self.served.until(read, lambda: "a code on the screen")

    def opened(self, *, trusted: bool = False) -> None:
        """The owner opens the table with a PIN."""
        self.owner.goto(self.served.url + "access")
        self.owner.get_by_test_id("trusted").set_checked(trusted)
        self.owner.get_by_test_id("pin").fill(PIN)
        self.owner.get_by_test_id("pin-again").fill(PIN)
        self.owner.get_by_test_id("open-table").click()
        self.owner.get_by_test_id("close-table").wait_for()
        self.owner.locator("svg.qr").wait_for()  # the listener was bound anew, and the page found it again


@pytest.fixture
def house(serve: Callable[..., Running], browsers: Browsers, ports: tuple[int, int]) -> Iterator[House]:
    made = House(serve(), browsers, ports[1])
    yield made
    made.close()


@pytest.mark.long
def test_the_owner_opens_the_table_with_a_pin(house: House) -> None:
    house.owner.goto(house.served.url + "access")
    house.owner.get_by_test_id("open-table").wait_for()
    house.owner.get_by_test_id("pin").fill("123456")
    house.owner.get_by_test_id("pin-again").fill("123456")
    house.owner.get_by_test_id("open-table").click()
    house.owner.get_by_text("That PIN is too easy").wait_for()
    house.opened()
    stranger = house.phone()
    stranger.goto(house.network.url + "calibrate")
    stranger.get_by_test_id("pin").fill("guess me")
    stranger.get_by_test_id("sign-in").click()
    stranger.get_by_text("That is not the PIN").wait_for()
    stranger.get_by_test_id("pin").fill(PIN)
    stranger.get_by_test_id("sign-in").click()
    stranger.get_by_text("Set up the table").first.wait_for()  # the page that was asked for
    house.owner.get_by_test_id("close-table").click()
    house.owner.get_by_test_id("open-table").wait_for()


@pytest.mark.heavy  # a journey
def test_two_phones_join_by_code_and_button(house: House) -> None:
    house.opened()
    ann, bob = house.phone(), house.phone()
    ann.get_by_test_id("home").wait_for()
    assert ann.get_by_test_id("road-start").count() == 0  # it may only watch
    house.scans(ann)
    ann.get_by_test_id("road-start").click()
    ann.get_by_test_id("game-steal").click()
    ann.locator('label:has([name="seat.tails"][value="person"])').click()
    ann.get_by_test_id("start").click()
    ann.get_by_test_id("sit-heads").click()
    ann.get_by_test_id("seat-asked").get_by_text("Press DONE of Heads at the table").wait_for()
    house.kiosk.get_by_test_id("sits-heads").get_by_text("a phone asks").wait_for()
    house.kiosk.get_by_test_id("press-heads.done").click()
    ann.get_by_test_id("seat-heads").get_by_text("you", exact=True).wait_for()
    house.scans(bob)
    bob.get_by_test_id("sit-tails").click()
    bob.get_by_test_id("seat-asked").wait_for()
    house.kiosk.get_by_test_id("sits-tails").get_by_text("a phone asks").wait_for()
    house.kiosk.get_by_test_id("press-tails.done").click()
    bob.get_by_test_id("seat-tails").get_by_text("you", exact=True).wait_for()
    for page, seat in ((ann, "heads"), (bob, "tails")):
        page.reload()  # the seat survives
        page.get_by_test_id(f"seat-{seat}").get_by_text("you", exact=True).wait_for()


@pytest.mark.long
def test_a_third_phone_tries_anothers_seat_and_a_lost_seat_is_given_again(house: House) -> None:
    house.opened()
    house.served.send("POST", "api/games", {"game": "goes-around", "options": {"players": 3}, "seats": {}})
    ann, carl = house.phone(), house.phone()
    house.scans(ann)
    ann.get_by_test_id("sit-1").click()
    ann.get_by_test_id("pick-steal").click()
    ann.get_by_test_id("target-2").click()
    for _ in range(3):
        ann.get_by_test_id("amount-more").click()
    ann.get_by_test_id("seal").click()
    ann.get_by_test_id("peek").click()
    ann.get_by_test_id("yours").get_by_text("You steal 4 from seat 2.").wait_for()

    house.scans(carl)
    carl.get_by_test_id("sit-1").click()
    carl.get_by_text("Somebody else sits at 1").wait_for()
    carl.goto(house.network.url + "?seat=1")
    carl.get_by_test_id("who-are-you").wait_for()
    assert carl.get_by_test_id("yours").count() == 0
    for path in ("api/state?seat=1", "api/stream?seat=1", "api/acts?seat=1"):
        assert carl.request.get(house.network.url + path).status == 403
    for path in ("api/state", "api/record", "api/acts"):
        told = carl.request.get(house.network.url + path).text().replace(" ", "")
        assert '"amount":4' not in told
    assert json.loads(carl.request.get(house.network.url + "api/state").text())["game"]["committed"] == ["1"]

    house.kiosk.get_by_test_id("free-1").click()  # Ann's phone is lost
    house.kiosk.get_by_test_id("free-1").wait_for(state="detached")
    carl.get_by_test_id("sit-1").click()  # and Carl's is the one she takes
    carl.get_by_test_id("peek").click()
    carl.get_by_test_id("yours").get_by_text("You steal 4 from seat 2.").wait_for()
    ann.get_by_test_id("peek").wait_for(state="detached")
    house.scans(ann)
    ann.get_by_test_id("sit-2").click()
    ann.get_by_test_id("pick-pass").wait_for()


@pytest.mark.long
def test_everybody_here_is_trusted(house: House) -> None:
    house.opened(trusted=True)
    house.owner.get_by_test_id("trust-means").get_by_text("any seat, see its secret choices").wait_for()
    phone = house.phone()
    phone.get_by_test_id("road-start").click()
    phone.get_by_test_id("game-goes-around").click()
    for seat in "23456789":
        phone.locator(f'label:has([name="seat.{seat}"][value="person"])').click()
    phone.get_by_test_id("start").click()
    phone.locator('body[data-page="table"]').wait_for()
    for seat in ("1", "2"):  # two friends, one phone
        phone.get_by_test_id("menu").click()
        phone.get_by_test_id("my-seat").select_option(value=seat)
        phone.get_by_test_id("menu").click()
        phone.get_by_test_id("pick-pass").click()
        phone.get_by_test_id("seal").click()
        phone.get_by_test_id("peek").wait_for()
    assert phone.request.post(house.network.url + "api/access/close", data={}).status == 403
    house.owner.get_by_test_id("trusted").uncheck()
    house.owner.get_by_text("each acts for its own seat").wait_for()
    assert phone.request.get(house.network.url + "api/state?seat=1").status == 403


@pytest.mark.long
def test_at_an_open_table_characters_are_made_on_the_page_at_the_table(house: House) -> None:
    """It speaks for everybody: it needs no seat by a player's name, and is not asked for one."""
    house.opened()
    page = house.owner
    page.goto(house.served.url + "#start")
    page.get_by_test_id("game-coin-wars").click()
    page.get_by_test_id("add-companion").click()
    page.get_by_test_id("start").click()
    page.get_by_test_id("wars-create").click()
    house.served.until(
        lambda: "Player" in page.request.get(house.served.url + "api/state").json()["game"]["characters"],
        lambda: "a character made at the table",
    )
