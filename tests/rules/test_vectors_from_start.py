"""The worked examples of the rules once more, each reached by whole play from the first toss, through the command.

The play that leads to an example is found or written here; only `tablecoin judge` says what comes of it.
test_vectors.py has the same examples from states in files, tests/rules/coin_wars/test_vectors.py those of Coin Wars.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner

from tablecoin.cli import main
from tablecoin.coins import BY_VALUE, Coin, Denomination, Face, Heap
from tablecoin.rules import load
from tablecoin.rules.change import RECIPES

Json = dict[str, Any]
KINDS = dict(zip("PNDQ", BY_VALUE, strict=True))


def heap(text: str) -> Heap:
    """`"N 3Q"` is a nickel and three quarters."""
    return Heap.of(KINDS[word[-1]] for word in text.split() for _ in range(int(word[:-1] or 1)))


def counts(text: str) -> dict[str, int]:
    """As JSON has it."""
    row = heap(text)
    return {kind.value: row[kind] for kind in BY_VALUE if row[kind]}


def toss(text: str) -> Json:
    """`"QT DH"` is a toss that shows a quarter's tails and a dime's heads."""
    faces = {"H": Face.HEADS, "T": Face.TAILS}
    return {"do": "flip", "coins": [Coin.of(KINDS[word[0]], faces[word[1]]).value for word in text.split()]}


def rulings(game: str, options: Json, actions: list[Json]) -> list[Json]:
    """What `tablecoin judge` prints for a game from its start: one line for that, one for each action."""
    arguments = ["judge", game, "--options", json.dumps(options)]
    result = CliRunner().invoke(main, arguments, input="\n".join(map(json.dumps, actions)))
    assert result.exit_code == 0, result.stderr
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(told) == 1 + len(actions)
    return told


def judged(game: str, options: Json, actions: list[Json]) -> Json:
    """The last state, every action accepted."""
    told = rulings(game, options, actions)
    assert [line["why"] for line in told if not line["ok"]] == []
    last: Json = told[-1]["state"]
    return last


# -- Dollar Prize -----------------------------------------------------------------------------------------------------
# While steals toss all tails and nobody swaps, neither row depends on the other: each is led to its coins alone.

Turn = tuple[Json, ...]


def places(row: Heap) -> Iterator[tuple[Json, Heap]]:
    highest = row.highest or Denomination.PENNY
    for coin in BY_VALUE[: BY_VALUE.index(highest) + 1]:
        yield {"do": "place", "coin": coin.value}, row + Heap.of([coin])


def converts(row: Heap) -> Iterator[tuple[Json, Heap]]:
    for give, take in RECIPES:
        if give in row:
            counts = {kind.value: give[kind] for kind in BY_VALUE if give[kind]}
            yield {"do": "convert", "give": counts, "take": take.value}, row - give + Heap.of([take])


def turns(row: Heap) -> Iterator[tuple[Turn, Heap]]:
    """Every turn from `row`, with the row it leaves: a placing, alone or with a conversion on either side of it."""
    for first, between in places(row):
        yield (first,), between
        yield from (((first, then), after) for then, after in converts(between))
    for first, between in converts(row):
        yield from (((first, then), after) for then, after in places(between))


def ways(pennies: int, goal: Heap) -> Iterator[tuple[Turn, ...] | None]:
    """For 0, 1, 2... turns: a way from the setup pennies to exactly `goal` in so many, or None."""
    layer: dict[Heap, tuple[Turn, ...]] = {Heap(penny=pennies): ()}
    while layer:  # every turn adds a cent at least, so this ends
        yield layer.get(goal)
        wider: dict[Heap, tuple[Turn, ...]] = {}
        for row, past in layer.items():
            for turn, after in turns(row):
                # A row never loses value, nor a quarter: what has too much of either leads nowhere.
                if after.cents <= goal.cents and after.quarter <= goal.quarter:
                    wider.setdefault(after, (*past, turn))
        layer = wider


@cache
def played(game: str, heads: str, tails: str) -> tuple[Json, ...]:
    """Actions from the setup toss to the last `done` of the round after which the rows are these; Heads begins."""
    for pennies in range(6):
        both = zip(ways(pennies, heap(heads)), ways(5 - pennies, heap(tails)), strict=False)
        if rounds := next(((mine, theirs) for mine, theirs in both if mine and theirs), None):
            return script(game, pennies, zip(*rounds, strict=True))
    raise AssertionError(f"no play leads to {heads} and {tails}")


def script(game: str, pennies: int, rounds: Iterable[tuple[Turn, Turn]]) -> tuple[Json, ...]:
    """These turns written out: all tails in each steal, every swap skipped, but nothing after the last turn."""
    rules = load(game)
    state = rules.start(rules.read_options({"starter": "heads"}))
    actions: list[Json] = []

    def act(action: Json) -> None:
        nonlocal state
        state = rules.apply(state, rules.read_action(action))
        actions.append(action)

    act(toss("PH " * pennies + "PT " * (5 - pennies)))
    for k, turn in enumerate(turn for both in rounds for turn in both):
        while rules.phase(state) in ("steal", "swap"):
            due = [kind for flips in rules.tosses_due(state).values() for kind in BY_VALUE if kind in flips]
            act(toss(" ".join(f"{kind.name[0]}T" for kind in due)) if due else {"do": "skip"})
        assert rules.to_act(state) == (("heads", "tails")[k % 2],)
        for action in (*turn, {"do": "done"}):
            act(action)
    return tuple(actions)


TAILS = "QT DT NT PT"


@pytest.mark.parametrize(
    ("heads", "tails", "tosses", "totals", "winners"),
    [
        ("4Q", "N 3Q", ["QH DT NT PT"], (75, 105), ["tails"]),
        ("4Q", "10D", ["QT DH NT PT"], (110, 90), ["heads"]),
        ("4Q", "2N 9D", ["QH DT NT PT"], (75, 125), ["tails"]),
        ("4Q", "2N 9D", [TAILS], (100, 100), None),  # equal: an extra steal is due
        ("4Q", "2N 9D", [TAILS, "QH DT NT PT"], (75, 125), ["tails"]),
        ("4Q", "2N 9D", [TAILS, "QT DH NT PT"], (110, 90), ["heads"]),
        ("4Q", "2N 9D", [TAILS, TAILS], (100, 100), ["heads", "tails"]),  # one extra steal only: the prize is shared
    ],
)
def test_steal(heads: str, tails: str, tosses: list[str], totals: tuple[int, int], winners: list[str] | None) -> None:
    actions = [*played("steal", heads, tails)]
    before = judged("steal", {"starter": "heads"}, actions)
    assert before["rows"] == {"heads": counts(heads), "tails": counts(tails)}
    actions += map(toss, tosses)
    if "H" in tosses[-1]:
        actions.append({"do": "keep"})
    last = judged("steal", {"starter": "heads"}, actions)
    assert last["totals"] == dict(zip(("heads", "tails"), totals, strict=True))
    assert (last["outcome"] and last["outcome"]["winners"]) == winners
    assert (last["flip_due"] is not None) is (winners is None)


@pytest.mark.parametrize(
    ("heads", "tails", "seat", "give", "take", "after"),
    [
        ("3P 2N", "P 2D", "heads", "nickel", "dime", ("3P 2D", "P 2N")),
        ("2Q 5D", "2N 3D", "tails", "nickel", "quarter", ("2N 5D", "2Q 3D")),
    ],
)
def test_exact(heads: str, tails: str, seat: str, give: str, take: str, after: tuple[str, str]) -> None:
    actions = [*played("exact", heads, tails)]
    begun = judged("exact", {"starter": "heads"}, actions)
    assert begun["rows"] == {"heads": counts(heads), "tails": counts(tails)}
    assert begun["to_act"] == [seat]
    last = judged("exact", {"starter": "heads"}, [*actions, {"do": "swap", "give": give, "take": take}])
    assert last["rows"] == {"heads": counts(after[0]), "tails": counts(after[1])}
    assert last["outcome"] is None


def test_exact_no_swap_may_take_a_row_above_the_goal() -> None:
    """Two quarters for two pennies would make Tails 130; two nickels for them would do."""
    actions = [*played("exact", "2Q 2N", "2P 8D"), {"do": "swap", "give": "penny", "take": "quarter"}]
    *accepted, refused = rulings("exact", {"starter": "heads"}, actions)
    assert all(line["ok"] for line in accepted)
    assert accepted[-1]["state"]["swaps"] == [{"give": "penny", "take": "nickel", "count": 2}]
    assert refused["clause"] == "exact.swap.cap"


def test_exact_a_swap_above_the_goal_is_not_even_offered() -> None:
    last = judged("exact", {"starter": "heads"}, [*played("exact", "2Q 4N", "2P 8D")])
    assert last["rows"] == {"heads": counts("2Q 4N"), "tails": counts("2P 8D")}
    assert (last["phase"], last["to_act"]) == ("turn", ["heads"])


# -- What Goes Around -------------------------------------------------------------------------------------------------


def settled(choices: str) -> list[Json]:
    """A round: seat by seat `X` passes, `P` protects, `B4` steals 4 from B."""
    round_: list[Json] = []
    for k, text in enumerate(choices.split(), 1):
        steal = {"action": "steal", "target": str("ABCD".find(text[0]) + 1), "amount": int(text[1:] or 0)}
        choice = {"X": {"action": "pass"}, "P": {"action": "protect"}}.get(text, steal)
        round_.append({"do": "commit", "seat": str(k), **choice})
    return [*round_, {"do": "reveal"}]


@pytest.mark.parametrize(
    ("rounds", "after", "out", "left"),
    [
        (["B4 X"], "14 6", "", 0),
        (["B4 P"], "6 10", "", 4),
        (["B4 X B6"], "14 0 16", "2", 0),
        (["B6 X B6"], "4 10 4", "", 12),
        (["B4 P A7"], "0 10 17", "1", 3),
        (["B3 P A7"], "0 10 17", "", 3),
        (["B10 C10 A10"], "10 10 10", "", 0),
        (["B10 P"], "0 10", "", 10),
        (["B7 P", "B8 P"], "0 10", "1", 7 + 3),  # the first round leaves A with 3
        (["B5 X A6 A6"], "15 5 4 4", "", 12),
        (["B6 C5 P B4"], "16 0 10 14", "2", 0),
        (["B6 A7 A4 X"], "16 0 6 10", "2", 8),
    ],
)
def test_goes_around(rounds: list[str], after: str, out: str, left: int) -> None:
    seats = [str(k) for k in range(1, len(after.split()) + 1)]
    actions = [action for choices in rounds for action in settled(choices)]
    last = judged("goes-around", {"players": len(seats), "start": 10}, actions)
    assert " ".join(map(str, last["banks"].values())) == after
    assert [seat for seat in seats if seat not in last["alive"]] == list(out)
    assert last["left_game"] == left


# -- Coin Age ---------------------------------------------------------------------------------------------------------


def placings(text: str) -> list[Json]:
    """A game of placing alone: `"C1 Q + F1 N / M2 Q"`, Heads and Tails in turn; what is placed falls on one's side."""
    banks = {Face.HEADS: heap("4D 3P 2N Q"), Face.TAILS: heap("4D 3P 2N Q")}
    actions: list[Json] = []
    for k, turn in enumerate(text.split(" / ")):
        side = (Face.HEADS, Face.TAILS)[k % 2]
        wanted = [(space, KINDS[kind]) for space, kind in map(str.split, turn.split(" + "))]
        used = [kind for _, kind in wanted]
        shown = [Coin.of(kind, side if kind in used else side.other) for kind in BY_VALUE if kind in banks[side]]
        actions.append({"do": "flip", "coins": [coin.value for coin in shown]})
        actions += [{"do": "place", "coin": kind.value, "space": space} for space, kind in wanted]
        actions.append({"do": "done"})
        banks[side] -= Heap.of(used)
    return actions


def test_coin_age_a_full_board() -> None:
    """Seven turns of two placings; the fourteenth coin covers the tenth space and ends the game before `done`."""
    play = placings("C1 Q + F1 N / M2 Q + F1 P / M2 N + M4 D / M2 D + L2 P / L2 D + F3 P / M3 N + F2 D / M1 P + L1 D")
    assert play.pop() == {"do": "done"}
    last = judged("coin-age", {}, play)
    assert last["spaces"]["M2"] == ["quarter:tails", "nickel:heads", "dime:tails"]
    assert last["spaces"]["F1"] == ["nickel:heads", "penny:tails"]
    assert last["spaces"]["L2"] == ["penny:tails", "dime:heads"]
    assert last["score"] == {"heads": 19, "tails": 14}
    assert last["outcome"]["winners"] == ["heads"]


def test_coin_age_a_game_under_way() -> None:
    last = judged("coin-age", {}, placings("C1 Q + M1 P / M2 P + F1 N / F2 D / L2 D"))
    assert [last["regions"][name]["bonus"] for name in "MFLC"] == [None, None, "tails", "heads"]
    assert last["score"] == {"heads": 18, "tails": 14}
    assert last["outcome"] is None
