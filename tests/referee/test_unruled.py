"""Whenever a table at rest is not ruled on, the snapshot says why: over random histories of what a referee may meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablecoin.referee.commands import CommandError, Press, Start, Undo
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Sighting
from tablecoin.vision.rest.clearness import DARK
from tablecoin.vision.rest.settle import OBJECT_WARNING, Look
from tablecoin.vision.rest.unrest import FLICKERS
from tests.referee.table import NO_CAMERA, Table

TWO_S = 2.0  # within which the page says why

LooksLike = Callable[[Table], Look]
FINAL: dict[str, tuple[LooksLike, str | None]] = {  # a table at rest for two seconds, and the reason not to rule on it
    "a hand or a reflection over the mat": (
        lambda table: replace(table.hand(), moving=False, still_s=TWO_S),
        "referee.unruled.covered",
    ),
    "not read to the end": (
        lambda table: replace(table.look(), sighting=None, still_s=TWO_S),
        "referee.unruled.unread",
    ),
    "nothing read at all": (lambda table: Look(False, False, TWO_S, None, None), "referee.unruled.unread"),
    "a lamp that flickers": (
        lambda table: replace(table.look(), sighting=None, still_s=TWO_S, restless=FLICKERS),
        FLICKERS.key,
    ),
    "another game's mat": (lambda table: on("ring", table.look()), "referee.other_mat"),
    "the game's mat": (lambda table: on("two-row", table.look()), None),
    "a dark picture": (lambda table: unclear(table.look(), DARK), DARK.key),
    "read": (lambda table: replace(table.look(), still_s=TWO_S), None),
}


def unclear(look: Look, why: Message) -> Look:
    assert look.reading
    return replace(look, reading=replace(look.reading, unclear=why), sighting=None, still_s=TWO_S)


def on(mat: str, look: Look) -> Look:
    """The same look, at that mat."""
    assert look.sighting
    reading = replace(look.sighting.reading, mat=mat)
    return replace(look, reading=reading, sighting=replace(look.sighting, reading=reading), still_s=TWO_S)


def codes(shown: Snapshot) -> list[str]:
    return [said.code for said in shown.health.said]


EARLIER: list[Callable[[Referee, Table], object]] = [  # what may have happened before
    lambda referee, table: referee.see(table.look()),
    lambda referee, table: referee.see(table.hand()),
    lambda referee, table: referee.see(table.toss(*["penny:heads"] * 3, *["penny:tails"] * 2).look()),
    lambda referee, table: referee.see(table.toss("penny:heads", "dime:tails").look()),
    lambda referee, table: referee.see(table.clear("tray").put("row.heads", "penny").look()),
    lambda referee, table: referee.see(table.put("bank.heads", "quarter").look()),
    lambda referee, table: referee.lose_camera(NO_CAMERA),
    lambda referee, table: referee.command(Undo(), None),
    lambda referee, table: referee.command(Press("heads.done"), None),
    lambda referee, table: referee.see(unclear(table.look(), DARK)),
]


@pytest.mark.parametrize(("final", "reason"), FINAL.values(), ids=FINAL)
@given(steps=st.lists(st.sampled_from(EARLIER), max_size=6))
def test_a_table_at_rest_is_ruled_on_or_the_snapshot_says_why(
    final: LooksLike, reason: str | None, steps: list[Callable[[Referee, Table], object]]
) -> None:
    referee, table = Referee(lambda events: True), Table()
    referee.command(Start("steal", {"starter": "heads"}), None)
    for step in steps:
        try:
            step(referee, table)
        except CommandError:
            continue  # there was nothing to take back
    referee.see(replace(table.look(), moving=True, still_s=0.0, sighting=None))  # it comes to rest anew
    referee.see(final(table))
    shown = referee.snapshot()
    assert shown.table.settled is (reason is None)
    assert [code for code in codes(shown) if code == reason] == ([reason] if reason else [])
    assert shown.prompt.text


def test_while_things_move_and_before_a_game_nobody_is_told_so() -> None:
    referee, table = Referee(lambda events: True), Table()
    covered = replace(table.hand(), moving=False, still_s=TWO_S)
    referee.see(covered)
    assert codes(referee.snapshot()) == []
    referee.command(Start("steal", {"starter": "heads"}), None)
    assert codes(referee.snapshot()) == ["referee.unruled.covered"]
    referee.see(table.hand())
    assert codes(referee.snapshot()) == []
    referee.see(replace(covered, still_s=0.5))
    assert codes(referee.snapshot()) == []


def test_on_another_games_mat_nothing_is_ruled_until_the_right_one_lies_there() -> None:
    """Both mats have a tray, which lies elsewhere on each."""
    referee, table = Referee(lambda events: True), Table()
    referee.see(on("coin-age:classic", table.look()))
    referee.command(Start("steal", {"starter": "heads"}), None)
    assert codes(referee.snapshot()) == [], "its mat may be laid this moment"
    tossed = table.put("tray", *["penny:heads"] * 3, *["penny:tails"] * 2).look()
    for _ in range(2):
        referee.see(on("coin-age:classic", tossed))
        assert codes(referee.snapshot()) == ["referee.other_mat"]
        assert referee.snapshot().prompt.kind == "flip"
    referee.see(replace(on("coin-age:classic", tossed), sighting=None, still_s=0.0))
    assert codes(referee.snapshot()) == ["referee.other_mat"]
    referee.see(on("two-row", table.clear("tray").look()))
    referee.see(on("two-row", table.put("tray", *["penny:heads"] * 3, *["penny:tails"] * 2).look()))
    assert codes(referee.snapshot()) == []
    assert referee.snapshot().prompt.kind == "arrange"


def test_what_is_no_us_coin_is_named_where_it_lies() -> None:
    referee, table = Referee(lambda events: True), Table()
    referee.command(Start("steal", {"starter": "heads"}), None)
    referee.see(table.look())
    table.put("tray", *["penny:heads"] * 4, "token")
    referee.see(table.look())
    assert "referee.foreign" in codes(referee.snapshot())
    lying = table.look()
    assert lying.reading
    named = replace(lying, reading=replace(lying.reading, warnings=(OBJECT_WARNING,)))  # the settler took it for a hand
    referee.see(replace(named, sighting=Sighting(99, named.reading) if named.reading else None))
    shown = referee.snapshot()
    assert codes(shown) == ["referee.foreign"]
    assert shown.prompt.text.startswith("The tray: something there reads as no US coin.")
    assert [(mark.do, mark.denomination) for mark in shown.table.marks] == [("take", None)]
    table.toss(*["penny:heads"] * 5)
    referee.see(table.look())
    assert codes(referee.snapshot()) == []
