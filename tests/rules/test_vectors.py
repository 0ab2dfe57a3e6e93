"""The worked examples of the rules, through the command: a state from a file, actions in, the state that must come out.

One table a game. test_vectors_from_start.py reaches the same examples by whole play. Coin Wars, whose examples need
whole characters, has its own in tests/rules/coin_wars/test_vectors.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tablecoin.cli import main

Json = dict[str, Any]
KINDS = {"P": "penny", "N": "nickel", "D": "dime", "Q": "quarter"}


def heap(text: str) -> dict[str, int]:
    """`"N 3Q"` is a nickel and three quarters."""
    return {KINDS[word[-1]]: int(word[:-1] or 1) for word in text.split()}


def judged(folder: Path, game: str, state: Json | None, actions: list[Json]) -> list[Json]:
    """What `tablecoin judge` prints, every action accepted."""
    arguments = ["judge", game]
    if state is not None:
        (folder / "state.json").write_text(json.dumps(state))
        arguments += ["--from", str(folder / "state.json")]
    result = CliRunner().invoke(main, arguments, input="\n".join(map(json.dumps, actions)))
    assert result.exit_code == 0, result.stderr
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["why"] for line in told if not line["ok"]] == []
    return told


def rows(heads: str, tails: str) -> Json:
    """Both have played: Tails, the second, is about to be done."""
    begun = {"rows": {"heads": heap(heads), "tails": heap(tails)}, "first": "heads", "phase": "turn"}
    return begun | {"to_act": ["tails"], "turn": {"placed": True, "converted": False}}


@pytest.mark.parametrize(
    ("heads", "tails", "toss", "totals", "winners"),
    [
        ("4Q", "N 3Q", "QH DT NT PT", (75, 105), ["tails"]),
        ("4Q", "10D", "QT DH NT PT", (110, 90), ["heads"]),
        ("4Q", "2N 9D", "QH DT NT PT", (75, 125), ["tails"]),
        ("4Q", "2N 9D", "QT DT NT PT", (100, 100), None),  # equal: an extra steal is due
    ],
)
def test_steal(
    tmp_path: Path, heads: str, tails: str, toss: str, totals: tuple[int, int], winners: list[str] | None
) -> None:
    coins = [f"{KINDS[word[0]]}:{'heads' if word[1] == 'H' else 'tails'}" for word in toss.split()]
    actions: list[Json] = [{"do": "done"}, {"do": "flip", "coins": coins}]
    if winners:
        actions.append({"do": "keep"})
    last = judged(tmp_path, "steal", rows(heads, tails), actions)[-1]["state"]
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
def test_exact(tmp_path: Path, heads: str, tails: str, seat: str, give: str, take: str, after: tuple[str, str]) -> None:
    state = rows(heads, tails) | {"phase": "swap", "to_act": [seat], "turn": {}}
    last = judged(tmp_path, "exact", state, [{"do": "swap", "give": give, "take": take}])[-1]["state"]
    assert last["rows"] == {"heads": heap(after[0]), "tails": heap(after[1])}
    assert last["outcome"] is None


def test_exact_no_swap_may_take_a_row_above_the_goal(tmp_path: Path) -> None:
    """Two quarters for two pennies would gain Tails 48 cents: 130."""
    path = tmp_path / "state.json"
    path.write_text(json.dumps(rows("2Q 2N", "2P 8D") | {"phase": "swap", "to_act": ["tails"], "turn": {}}))
    swap = '{"do": "swap", "give": "penny", "take": "quarter"}'
    told = CliRunner().invoke(main, ["judge", "exact", "--from", str(path)], input=swap).stdout.splitlines()
    assert json.loads(told[1])["clause"] == "exact.swap.cap"


def choice(text: str) -> Json:
    """`X` passes, `P` protects, `B4` steals 4 from B."""
    if text in "XP":
        return {"action": "pass" if text == "X" else "protect"}
    return {"action": "steal", "target": str("ABCD".index(text[0]) + 1), "amount": int(text[1:])}


@pytest.mark.parametrize(
    ("banks", "choices", "after", "out", "left"),
    [
        ("10 10", "B4 X", "14 6", "", 0),
        ("10 10", "B4 P", "6 10", "", 4),
        ("10 10 10", "B4 X B6", "14 0 16", "2", 0),
        ("10 10 10", "B6 X B6", "4 10 4", "", 12),
        ("10 10 10", "B4 P A7", "0 10 17", "1", 3),
        ("10 10 10", "B3 P A7", "0 10 17", "", 3),
        ("10 10 10", "B10 C10 A10", "10 10 10", "", 0),
        ("10 10", "B10 P", "0 10", "", 10),
        ("3 10", "B8 P", "0 10", "1", 3),
        ("10 10 10 10", "B5 X A6 A6", "15 5 4 4", "", 12),
        ("10 10 10 10", "B6 C5 P B4", "16 0 10 14", "2", 0),
        ("10 10 10 10", "B6 A7 A4 X", "16 0 6 10", "2", 8),
    ],
)
def test_goes_around(tmp_path: Path, banks: str, choices: str, after: str, out: str, left: int) -> None:
    seats = [str(k) for k in range(1, len(banks.split()) + 1)]
    state = {"options": {"players": len(seats)}, "banks": dict(zip(seats, map(int, banks.split()), strict=True))}
    commits = [{"do": "commit", "seat": s, **choice(c)} for s, c in zip(seats, choices.split(), strict=True)]
    told = judged(tmp_path, "goes-around", state, [*commits, {"do": "reveal"}])
    assert all(" ".join(map(str, line["state"]["banks"].values())) == banks for line in told[:-1]), "nothing leaks"
    last = told[-1]["state"]
    assert " ".join(map(str, last["banks"].values())) == after
    assert [seat for seat in seats if seat not in last["alive"]] == list(out)
    assert last["left_game"] == left


@pytest.mark.parametrize(
    ("spaces", "heads", "tails", "score"),
    [
        (
            "M1 PH, M2 QT NH DT, M3 NT, M4 DH, F1 NH PT, F2 DT, F3 PH, L1 DH, L2 PT DH, C1 QH",
            "D P",
            "2D P N",
            (19, 14),
        ),
        ("M1 PH, M2 PT, C1 QH, F1 NT, F2 DH, L2 DT", "3D 2P 2N", "3D 2P N Q", (18, 14)),
    ],
)
def test_coin_age(tmp_path: Path, spaces: str, heads: str, tails: str, score: tuple[int, int]) -> None:
    stacks = {
        words[0]: [f"{KINDS[c[0]]}:{'heads' if c[1] == 'H' else 'tails'}" for c in words[1:]]
        for words in map(str.split, spaces.split(", "))
    }
    state = {"spaces": stacks, "banks": {"heads": heap(heads), "tails": heap(tails)}}
    begun = judged(tmp_path, "coin-age", None, [])[0]["state"]
    shown = judged(tmp_path, "coin-age", begun | state, [])[0]["state"]
    assert shown["score"] == {"heads": score[0], "tails": score[1]}
