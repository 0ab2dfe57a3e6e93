"""Secrets at the live table: a sealed choice is shown to its own seat alone, in snapshot, ruling, offers and record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import encode

from tablecoin import mat
from tablecoin.journal.evidence import NoEvidence
from tablecoin.journal.journal import Journal
from tablecoin.live.table import LiveTable
from tablecoin.referee.commands import CommandError, NotYourSeat
from tablecoin.referee.snapshot import Ruling
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.coins.reader import Reader

pytestmark = pytest.mark.usefixtures("loaded")


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveTable]:
    table = VirtualTable(mat.load("ring"), seed=1)
    made = LiveTable(VirtualCamera(table), Reader("ring"), Journal(tmp_path / "j.sqlite"), virtual=table)
    made.restore()  # without threads: each command is ruled on at once
    yield made
    made.stop()


def begin(live: LiveTable, game: str, **options: object) -> None:
    assert live.command({"start": {"game": game, "options": options}}, None) == (True, None)


def commit(live: LiveTable, seat: str, **choice: object) -> tuple[bool, Message | None]:
    return live.command({"act": {"do": "commit", "seat": seat, **choice}}, seat)


def game_of(live: LiveTable, seat: str | None = None) -> Mapping[str, Any]:
    """The game as `seat` sees it."""
    game = live.snapshot(seat).game
    assert game is not None
    return game


def ruling_of(live: LiveTable) -> Ruling:
    """The last ruling."""
    ruling = live.snapshot().ruling
    assert ruling is not None
    return ruling


def everything_public(live: LiveTable) -> str:
    """All that somebody without a seat may see, as text."""
    return encode([live.snapshot(), live.acts(None), live.record(), *evidence_of(live)]).decode()


def evidence_of(live: LiveTable) -> Iterator[object]:
    """What was kept with every ruling so far."""
    for number in range(live.snapshot().seq + 2):
        with suppress(NoEvidence):
            yield live.evidence(number)


def test_a_sealed_choice_is_in_nothing_public_until_the_reveal(
    live: LiveTable, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    begin(live, "goes-around", players=2, start=9999)
    assert commit(live, "1", action="steal", target="2", amount=8642)[0]
    assert game_of(live, "1")["yours"]["amount"] == 8642
    assert game_of(live, "2")["yours"] is None
    assert "8642" not in everything_public(live)
    assert ruling_of(live).action == {"do": "commit", "seat": "1"}

    assert commit(live, "2", action="protect")[0]
    assert [choice.text for choice in live.snapshot().prompt.choices] == ["Reveal the choices"]
    assert "8642" not in everything_public(live)
    assert "8642" not in caplog.text


def test_why_a_sealed_choice_was_refused_is_told_to_its_seat_alone(live: LiveTable) -> None:
    begin(live, "goes-around", players=2, start=10)
    accepted, why = commit(live, "1", action="steal", target="2", amount=8642)
    assert not accepted
    assert why
    assert "8642" in sentence(why)
    assert "8642" not in encode(live.snapshot().ruling).decode()
    assert ruling_of(live).clause is None
    assert "8642" not in live.record()


def test_sealed_choices_are_never_offered_as_buttons(live: LiveTable) -> None:
    begin(live, "goes-around", players=2, start=1)
    assert live.snapshot().prompt.choices == ()
    assert live.acts("1") == []


def test_at_an_open_table_a_seat_makes_its_own_character_and_no_others(live: LiveTable) -> None:
    begin(live, "coin-wars")  # no names are expected: a seat's name comes before its character
    ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}
    made = {"do": "create", "ratings": ratings, "strong": "bodiness"}
    assert live.command({"act": made | {"name": "安"}}, "安") == (True, None)
    for other in ("Bob", "安"):
        with pytest.raises(NotYourSeat):
            live.command({"act": made | {"name": other}}, "Carl")
    assert list(game_of(live)["characters"]) == ["安"]


def test_scene_cards_are_shown_to_their_author_alone_until_the_draw(live: LiveTable) -> None:
    begin(live, "coin-wars", players=["Ann", "Bob"])
    ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}
    for name in ("Ann", "Bob"):
        made = {"do": "create", "name": name, "ratings": ratings, "strong": "bodiness"}
        assert live.command({"act": made}, name)[0]
    card = {"do": "scene", "name": "Ann", "title": "The locked gate", "components": {"bodiness": 3}}
    assert live.command({"act": card}, "Ann")[0]
    assert "locked gate" in encode(live.snapshot("Ann")).decode()
    assert "locked gate" not in everything_public(live) + encode(live.snapshot("Bob")).decode()
    assert live.command({"act": {"do": "draw", "order": [0]}}, None)[0]
    assert "locked gate" in everything_public(live)


def test_the_acts_offered_are_the_seats_own_and_never_tosses(live: LiveTable) -> None:
    begin(live, "steal", starter="heads")
    assert live.acts(None) == []  # a toss is due, and chance is nobody's choice
    flip = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}
    assert live.command({"act": flip}, None)[0]
    acts = live.acts("heads")
    assert {"do": "place", "coin": "penny"} in [act.action for act in acts]
    assert all(act.seat == "heads" and act.texts["zh"] for act in acts)
    assert live.acts("tails") == []


def test_the_virtual_table_is_set_as_the_game_wants_it(live: LiveTable) -> None:
    with pytest.raises(CommandError, match="No game"):
        live.arrange()
    begin(live, "goes-around", players=2, start=3)
    live.arrange()
    assert live.virtual is not None
    mat_now = live.virtual.mat
    zones = [mat_now.zone_at(coin.x_mm, coin.y_mm) for coin in live.virtual.scene.coins]
    assert sorted(str(zone) for zone in zones) == ["bank.1"] * 3 + ["bank.2"] * 3
    live.virtual = None
    with pytest.raises(CommandError, match="virtual table"):
        live.arrange()


def test_a_seat_takes_back_its_own_act_and_asks_for_a_toss(live: LiveTable) -> None:
    begin(live, "steal", starter="heads")
    flip = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}
    assert live.command({"act": flip}, None)[0]
    assert live.command({"act": {"do": "place", "coin": "penny"}}, "heads")[0]
    assert live.command({"undo": True}, "heads")[0]
    assert game_of(live)["turn"]["placed"] is False
    assert live.command({"undo": True}, "heads")[0]  # the toss
    assert live.snapshot().prompt.kind == "consent"
    assert game_of(live)["phase"] == "turn"
    assert live.command({"press": "tails.done"}, "tails")[0]
    assert game_of(live)["phase"] == "setup"
