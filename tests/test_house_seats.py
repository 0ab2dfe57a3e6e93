"""The running house and secrets: what a seat sees of a game is its own, in snapshots, rulings, offers and record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablecoin import mat
from tablecoin.house import House
from tablecoin.journal.journal import Journal
from tablecoin.referee.commands import CommandError
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.reader import Reader


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    table = VirtualTable(mat.load("ring"), seed=1)
    made = House(VirtualCamera(table), Reader("ring"), Journal(tmp_path / "j.sqlite"), virtual=table)
    made.start()
    yield made
    made.stop()


def begin(house: House, game: str, **options: object) -> None:
    assert house.command({"start": {"game": game, "options": options}}, None) == (True, None)


def commit(house: House, seat: str, **choice: object) -> tuple[bool, str | None]:
    return house.command({"act": {"do": "commit", "seat": seat, **choice}}, seat)


def everything_public(house: House) -> str:
    """All that anybody without a seat may see, as text."""
    return json.dumps([house.snapshot(), house.acts(None), house.record()], default=str)


def test_a_sealed_choice_is_in_nothing_public_until_the_reveal(house: House) -> None:
    begin(house, "goes-around", players=2, start=9999)
    assert commit(house, "1", action="steal", target="2", amount=8642)[0]
    assert house.snapshot("1")["game"]["yours"]["amount"] == 8642
    assert house.snapshot("2")["game"]["yours"] is None
    assert "8642" not in everything_public(house)
    assert house.snapshot()["ruling"]["action"] == {"do": "commit", "seat": "1"}

    assert commit(house, "2", action="protect")[0]
    assert [choice["text"] for choice in house.snapshot()["prompt"]["choices"]] == ["Reveal the choices"]
    assert "8642" not in everything_public(house)


def test_a_refused_secret_is_told_its_own_seat_alone(house: House) -> None:
    begin(house, "goes-around", players=2, start=10)
    accepted, why = commit(house, "1", action="steal", target="2", amount=8642)
    assert not accepted
    assert why
    assert "8642" in why
    assert "8642" not in json.dumps(house.snapshot()["ruling"])
    assert house.snapshot()["ruling"]["clause"] is None
    assert "8642" not in house.record()


def test_few_sealed_choices_are_not_offered_as_buttons(house: House) -> None:
    begin(house, "goes-around", players=2, start=1)
    assert house.snapshot()["prompt"]["choices"] == []
    assert house.acts("1") == []


def test_scene_cards_are_their_authors_until_the_draw(house: House) -> None:
    begin(house, "coin-wars", players=["Ann", "Bob"])
    ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}
    for name in ("Ann", "Bob"):
        made = {"do": "create", "name": name, "ratings": ratings, "strong": "bodiness"}
        assert house.command({"act": made}, name)[0]
    card = {"do": "scene", "name": "Ann", "title": "The locked gate", "components": {"bodiness": 3}}
    assert house.command({"act": card}, "Ann")[0]
    assert "locked gate" in json.dumps(house.snapshot("Ann"))
    assert "locked gate" not in everything_public(house) + json.dumps(house.snapshot("Bob"))
    assert house.command({"act": {"do": "draw", "order": [0]}}, None)[0]
    assert "locked gate" in everything_public(house)


def test_acts_are_those_of_the_seat_and_no_tosses(house: House) -> None:
    begin(house, "steal", starter="heads")
    assert house.acts(None) == []  # a toss is due, which is nobody's choice
    flip = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}
    assert house.command({"act": flip}, None)[0]
    acts = house.acts("heads")
    assert {"do": "place", "coin": "penny"} in [act["action"] for act in acts]
    assert all(act["seat"] == "heads" and act["texts"]["zh"] for act in acts)
    assert house.acts("tails") == []


def test_the_table_is_set_as_the_game_wants_it(house: House) -> None:
    with pytest.raises(CommandError, match="no game"):
        house.arrange()
    begin(house, "goes-around", players=2, start=3)
    house.arrange()
    assert house.virtual is not None
    mat_now = house.virtual.mat
    zones = [mat_now.zone_at(coin.x_mm, coin.y_mm) for coin in house.virtual.scene.coins]
    assert sorted(zones) == ["bank.1"] * 3 + ["bank.2"] * 3
    house.virtual = None
    with pytest.raises(CommandError, match="virtual table"):
        house.arrange()
