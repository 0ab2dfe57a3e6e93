"""Every change of rights, as a table: what a browser may do before and after it, and whether it gets a new token."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from tests.web.test_access import PIN, Device, Table
from web.access import pin as pins
from web.access import sessions
from web.access.house import House
from web.access.sessions import Sessions

CHANGES = [
    # before                     the change          may before              may after               token
    ("",                         "sign_in",          "watch",                "owner",                "new"),
    ("scan",                     "sign_in",          "seat",                 "owner",                "new"),
    ("scan ask",                 "sign_in",          "seat, asks for heads", "owner, asks for heads", "new"),
    ("scan ask done",            "sign_in",          "seat, at heads",       "owner, at heads",      "new"),
    ("sign_in",                  "sign_in",          "owner",                "owner",                "new"),
    ("scan ask done",            "wrong_pin",        "seat, at heads",       "seat, at heads",       "kept"),
    ("scan ask done sign_in",    "change_pin",       "owner, at heads",      "owner, at heads",      "new"),
    ("scan ask done sign_in",    "other_pin",        "owner, at heads",      "seat, at heads",       "kept"),
    ("scan ask done sign_in",    "terminal_pin",     "owner, at heads",      "seat, at heads",       "kept"),
    ("closed here",              "open",             "owner",                "owner",                "new"),
    ("here ask closed",          "open",             "owner, at heads",      "owner, at heads",      "new"),
    ("",                         "scan",             "watch",                "seat",                 "new"),
    ("scan ask done",            "scan",             "seat, at heads",       "seat",                 "new"),
    ("sign_in",                  "scan",             "owner",                "seat",                 "new"),
    ("scan",                     "ask",              "seat",                 "seat, asks for heads", "new"),
    ("scan ask",                 "ask",              "seat, asks for heads", "seat, asks for heads", "new"),
    ("scan other_sits",          "ask",              "seat",                 "seat",                 "kept"),
    ("sign_in",                  "ask",              "owner",                "owner, at heads",      "new"),
    ("here",                     "ask",              "referee",              "referee, at heads",    "new"),
    ("scan ask",                 "done",             "seat, asks for heads", "seat, at heads",       "kept"),
    ("scan ask",                 "admit",            "seat, asks for heads", "seat, at heads",       "kept"),
    ("scan ask done",            "swap",             "seat, at heads",       "seat, at tails",       "kept"),
    ("scan ask done",            "leave",            "seat, at heads",       "seat",                 "kept"),
    ("scan ask done",            "free",             "seat, at heads",       "watch",                "kept"),
    ("scan ask done sign_in",    "sign_out",         "owner, at heads",      "seat, at heads",       "kept"),
    ("scan ask done",            "trust",            "seat, at heads",       "referee, at heads",    "kept"),
    ("sign_in trust",            "trust_no_more",    "owner",                "owner",                "kept"),
    ("sign_in",                  "close",            "owner",                "watch",                "kept"),
    ("sign_in",                  "close_and_undo",   "owner",                "watch",                "kept"),
    ("sign_in",                  "terminal_close_and_undo", "owner",         "watch",                "kept"),
    ("scan ask done",            "restart",          "seat, at heads",       "seat, at heads",       "kept"),
    ("sign_in ask",              "restart",          "owner, at heads",      "owner, at heads",      "kept"),
]  # fmt: skip


class Browser:
    """The browser whose rights change. Each method is a step; those that do not name another are its own."""

    def __init__(self, table: Table) -> None:
        self.table, self.device = table, table.device("192.168.1.7")
        self.opened = table.gate.house.now

    @property
    def token(self) -> str | None:
        cookie = self.device._client.get_cookie("tablecoin-80", "localhost")
        return cookie.value if cookie else None

    @property
    def may(self) -> str:
        told = self.device.standing()
        more = f", at {told['seat']}" if told["seat"] else f", asks for {told['asked']}" if told["asked"] else ""
        return f"{told['role']}{more}"

    def here(self) -> None:
        """It is a browser on the table's own machine."""
        self.device = self.table.device("127.0.0.1")

    def scan(self) -> None:
        self.device.post("/api/access/join", {"code": self.table.joining.code()})

    def sign_in(self) -> None:
        self.device.post("/api/access/sign-in", {"pin": PIN})

    def wrong_pin(self) -> None:
        self.device.post("/api/access/sign-in", {"pin": "guess"})

    def sign_out(self) -> None:
        self.device.post("/api/access/sign-out")

    def change_pin(self) -> None:
        self.device.post("/api/access/pin", {"pin": "another one"})

    def other_pin(self) -> None:
        """Another owner changes the PIN."""
        other = self.table.device("192.168.1.8")
        other.post("/api/access/sign-in", {"pin": PIN})
        other.post("/api/access/pin", {"pin": "another one"})

    def terminal_pin(self) -> None:
        """The owner changes the PIN at a terminal."""
        House(self.table.folder / "access.json").change_pin("another one")
        self.table.gate.house._look_at = 0.0

    def ask(self) -> None:
        self.device.post("/api/access/seat", {"seat": "heads"})

    def other_sits(self) -> None:
        name, _ = self.table.gate.sessions.come_in()
        self.table.gate.sessions.sit(name, "heads")

    def done(self) -> None:
        self.table.kiosk.post("/api/press", {"button": "heads.done"})

    def admit(self) -> None:
        self.table.kiosk.post("/api/access/admit", {"seat": "heads"})

    def free(self) -> None:
        self.table.kiosk.post("/api/access/free", {"seat": "heads"})

    def swap(self) -> None:
        self.table.live.shows(crossed=40)
        self.table.live.news()

    def leave(self) -> None:
        self.device.post("/api/access/leave")

    def trust(self) -> None:
        self.table.gate.house.trust(True)

    def trust_no_more(self) -> None:
        self.device.post("/api/access/trust", {"trusted": False})

    def open(self) -> None:
        self.device.post("/api/access/open", {"pin": PIN})

    def close(self) -> None:
        self.device.post("/api/access/close")

    def closed(self) -> None:
        self.table.gate.house.close()

    def close_and_undo(self) -> None:
        """Close the table, and put its file back as it was: the PIN is the same."""
        self.close()
        self.table.gate.house.set(self.opened)

    def terminal_close_and_undo(self) -> None:
        """The same at a terminal, while the table runs."""
        house = House(self.table.folder / "access.json")
        for change in (house.close, lambda: house.set(self.opened)):
            change()
            self.table.gate.house._look_at = 0.0
            self.device.standing()

    def restart(self) -> None:
        self.table.start()
        self.device = self.table.again(self.device)


@pytest.fixture
def browser(live: QuietTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Browser:
    monkeypatch.setattr(pins, "_COST", 2)  # hashing a PIN takes no time
    House(tmp_path / "access.json").open(PIN, trusted=False)
    table = Table(live, tmp_path, buttons=True)
    table.kiosk.post("/api/games", {"game": "steal"})
    return Browser(table)


@pytest.mark.parametrize(
    ("before", "change", "may_before", "may_after", "token"),
    CHANGES,
    ids=[f"{change} after {before or 'nothing'}" for before, change, *_ in CHANGES],
)
def test_each_change_of_rights(
    browser: Browser, before: str, change: str, may_before: str, may_after: str, token: str
) -> None:
    for step in before.split():
        getattr(browser, step)()
    old, may = browser.token, browser.may
    getattr(browser, change)()
    assert (may, browser.may) == (may_before, may_after)
    new, counts = browser.token, browser.table.gate.sessions.named
    assert ("kept" if new == old else "new") == token
    assert {each for each in (old, new) if each and counts(each)} == {new}, "where it is new the old one ended"


def test_a_token_that_somebody_planted_gets_no_right(browser: Browser) -> None:
    """Session fixation: the thief knows the token that the owner's browser sends with the PIN."""
    browser.scan()
    thief = browser.table.again(browser.device)
    for step in ("sign_in", "ask"):
        getattr(browser, step)()
        assert thief.standing() == thief.standing() | {"role": "watch", "seat": None, "asked": None}


def test_a_call_with_a_token_that_ended_may_be_repeated(browser: Browser) -> None:
    """Another tab of the browser sent it before it had the new token. Other refusals must not be repeated."""
    browser.scan()
    late = browser.table.again(browser.device)
    again = {"Retry-After": "0"}
    assert browser.device.post("/api/access/close").headers.get("Retry-After") is None, "its token counts"
    browser.sign_in()
    for answer in (late.post("/api/access/close"), late.get("/api/state", seat="heads")):
        assert (answer.status_code, again.items() <= dict(answer.headers).items()) == (403, True)
    stranger = browser.table.device("192.168.1.9")
    assert stranger.post("/api/access/close").headers.get("Retry-After") is None, "it has no token"
    assert browser.device.post("/api/access/sign-in", {"pin": "guess"}).headers.get("Retry-After") is None


def test_of_two_calls_with_one_token_the_second_is_refused(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both were let in before either got its new token: the second must not end the token of the first."""
    browser.scan()
    late, told = browser.table.again(browser.device), list[Device]()
    ask = browser.table.joining.ask

    def first(session: str, seat: str, at_table: bool) -> str:
        if not told:
            told.append(late)
            browser.ask()
        return ask(session, seat, at_table)

    monkeypatch.setattr(browser.table.joining, "ask", first)
    answer = late.post("/api/access/seat", {"seat": "heads"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (403, "0")
    assert browser.may == "seat, asks for heads"


def test_the_host_of_a_lobby_stays_its_host_with_a_new_token(browser: Browser) -> None:
    browser.scan()
    browser.table.kiosk.post("/api/resign", {"seat": "heads"})
    put = browser.device._client.put("/api/lobby", json={"game": "steal"}, environ_base={"REMOTE_ADDR": "192.168.1.7"})
    assert put.get_json()["host"] is True
    browser.ask()
    assert browser.device.get("/api/lobby").get_json()["host"] is True


def test_the_day_s_renewal_does_not_bring_an_ended_token_back(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that was let in with the old token is answered after the new one was given."""
    now = [1.7e9]
    browser.table.gate.sessions._now = lambda: now[0]
    browser.scan()
    late = browser.table.again(browser.device)
    now[0] += 2 * 86400
    asked_by = browser.table.joining.asked_by

    def slow(session: str | None) -> str | None:
        monkeypatch.undo()
        browser.ask()
        return asked_by(session)

    monkeypatch.setattr(browser.table.joining, "asked_by", slow)
    assert "Set-Cookie" not in late.get("/api/access").headers


@pytest.mark.browser
def test_another_tab_repeats_a_call_whose_token_ended_on_its_way(browser: Browser, stage: Stage) -> None:
    house = browser.table.gate.house
    stage.shows(browser.table.app, browser.table.live)
    tab = stage.open("/access")
    tab.get_by_test_id("pin").fill(PIN)
    tab.get_by_test_id("sign-in").click()
    tab.get_by_test_id("sign-out").wait_for()
    other = tab.context.new_page()
    other.goto(f"{stage.address}/access")
    held = stage.hold("/api/access/trust")
    other.get_by_test_id("trusted").click()
    assert held.came.wait(30), "with the token that both tabs have"
    for field in ("pin", "pin-again"):
        tab.get_by_test_id(field).fill("another one")
    with tab.expect_response("**/api/access/pin"):
        tab.get_by_test_id("change-pin").click()
    assert not house.now.trusted
    with other.expect_response(lambda answer: "trust" in answer.url and answer.ok):
        held.let_go()
    assert (house.now.trusted, len(held.bodies)) == (True, 2)
    assert other.get_by_test_id("notice").is_hidden()
    other.close()


def test_a_session_keeps_its_name_with_a_new_token_and_after_a_restart(tmp_path: Path) -> None:
    """A lobby's file names its host by it. An older version knows sessions by their tokens' digests alone."""
    known = Sessions(tmp_path / "sessions.json")
    name, old = known.come_in()
    token = known.new_token(old)
    assert token
    again = Sessions(tmp_path / "sessions.json")
    assert (again.named(token), again.named(old)) == (name, None)
    kept = json.loads((tmp_path / "sessions.json").read_text())
    digest = hashlib.sha256(token.rpartition(".")[0].encode()).hexdigest()
    assert list(kept["sessions"]) == [digest]


# -- who leaves where there are too many sessions ----------------------------------------------------------------------


def test_watchers_leave_first_and_owners_last() -> None:
    known = Sessions(now=lambda: 1.7e9, clock=iter(range(10**6)).__next__)
    kept = {}
    for right in ("owner", "signed out", "seat", "code"):
        name, kept[right] = known.come_in() if right == "code" else known.begin()
        if right in ("owner", "signed out"):
            known.make_owner(name, "mark")
        if right == "signed out":
            known.make_owner(name, "")
        if right == "seat":
            known.sit(name, "heads")
    for _ in range(300):
        known.renewed(known.begin()[0])
    assert all(known.named(token) for token in kept.values())
    known.end_owners("another mark", is_open=True)
    for _ in range(300):
        known.come_in()
    assert not any(known.named(kept[right]) for right in ("owner", "signed out")), "they know an older PIN"


@pytest.mark.parametrize("came_back", [True, False])
def test_a_program_that_signs_in_again_and_again_drops_its_own_sessions(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, came_back: bool
) -> None:
    """It keeps no token. The phones that called since stay, and so does an owner who did not."""
    monkeypatch.setattr(sessions, "MOST", 20)
    browser.sign_in()
    phones = [browser.table.phone() for _ in range(5 * came_back)]
    assert {phone.standing()["role"] for phone in [*phones, *[browser.device] * came_back]} <= {"owner", "seat"}
    for _ in range(25):
        browser.table.device("127.0.0.1").post("/api/access/sign-in", {"pin": PIN})
    assert browser.may == "owner"
    assert [phone.standing()["role"] for phone in phones] == ["seat"] * len(phones)


# -- who waits after wrong PINs ----------------------------------------------------------------------------------------


def guess(table: Table, addresses: int = 10, each: int = 3) -> None:
    """Wrong PINs from other addresses, so many that everybody else waits."""
    for k in range(addresses * each):
        table.device(f"10.0.0.{k % addresses}").post("/api/access/sign-in", {"pin": "guess"})


def tries(device: Device, pin: str = PIN) -> int:
    return device.post("/api/access/sign-in", {"pin": pin}).status_code


@pytest.mark.parametrize(
    ("before", "status"),
    [
        ("sign_in", 200),
        ("sign_in sign_out", 200),
        ("sign_in sign_out restart", 200),
        ("sign_in change_pin_back", 200),
        ("sign_in sign_out ask", 200),  # with a new token
        ("", 429),
        ("scan ask done", 429),
        ("sign_in sign_out other_pin other_pin_back", 429),  # it knew an older PIN, though it read the same
        ("sign_in scan", 429),  # another device, by its code
    ],
)
def test_guesses_from_ten_addresses_do_not_keep_out_who_knew_the_present_pin(
    browser: Browser, before: str, status: int
) -> None:
    for step in before.split():
        match step:
            case "change_pin_back":
                browser.change_pin()
                browser.device.post("/api/access/pin", {"pin": PIN})
            case "other_pin_back":
                browser.table.gate.house.change_pin(PIN)
            case _:
                getattr(browser, step)()
    guess(browser.table)
    assert tries(browser.table.device("192.168.1.50")) == 429
    assert tries(browser.device) == status


def test_who_knew_the_pin_has_a_wait_of_its_own_which_no_new_token_resets(browser: Browser) -> None:
    table = browser.table
    browser.scan()
    browser.sign_in()
    browser.sign_out()
    assert [tries(browser.device, "guess") for _ in range(4)] == [403, 403, 403, 429]
    token = browser.token
    browser.ask()
    assert browser.token != token
    away = table.again(browser.device)
    away._from["REMOTE_ADDR"] = "192.168.1.60"  # a stolen token, at another address
    assert tries(away) == 429
    assert tries(table.device("192.168.1.60")) == 200, "that address need not wait"
    table.now += 2
    assert tries(away) == 200
    guess(table)
    browser.device = away
    browser.sign_out()
    assert [tries(away, "guess") for _ in range(3)] == [403, 403, 403], "the right PIN started its count again"


def test_who_knew_the_pin_keeps_the_wait_of_its_address(browser: Browser) -> None:
    browser.sign_in()
    stranger = browser.table.device("192.168.1.7")
    assert [tries(stranger, "guess") for _ in range(4)] == [403, 403, 403, 429]
    assert tries(browser.device) == 429
