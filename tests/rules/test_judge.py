"""Refereeing from text: what a shell user, a script or an attacker meets at `tablecoin judge`, `games` and `replay`."""

from __future__ import annotations

import io
import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from tablecoin.cli import main
from tablecoin.rules import NAMES, load
from tablecoin.rules.judge import LONGEST_LINE, judge, lines
from tablecoin.rules.random_play import random_game

SETUP = '{"do": "flip", "coins": ["penny:heads", "penny:heads", "penny:heads", "penny:tails", "penny:tails"]}'
PLACE = '{"do": "place", "coin": "penny"}'
DONE = '{"do": "done"}'


def run(*arguments: str, text: str | bytes = "") -> Result:
    return CliRunner().invoke(main, arguments, input=text)


def rulings(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_one_line_for_the_start_and_one_for_each_action() -> None:
    told = rulings(run("judge", "steal", text="\n".join([SETUP, PLACE, '{"do": "place", "coin": "dime"}', DONE])))
    assert [line["ok"] for line in told] == [True, True, True, False, True]
    assert told[0]["state"]["to_act"] == ["table"]
    assert told[0]["state"]["flip_due"] == {"penny": 5}
    assert told[3]["clause"] == "steal.place.twice"
    assert told[3]["state"] == told[2]["state"]
    assert told[4]["state"]["totals"] == {"heads": 3, "tails": 3}


# -- garbage ----------------------------------------------------------------------------------------------------------

GARBAGE = [
    b"",
    b"   ",
    b"place a penny",
    b"{",
    b"[" * 100_000,
    b'{"do":' * 50_000,
    b"null",
    b"NaN",
    b'{"do": "place", "coin": NaN}',
    b'{"do": "place", "coin": "euro"}',
    b'{"do": "place", "coin": 5}',
    b'{"do": "place"}',
    b'{"do": "place", "coin": "penny", "twice": true}',
    b'{"do": "fly"}',
    b'{"do": null}',
    b'{"coin": "penny"}',
    b'["place", "penny"]',
    b'{"do": "convert", "give": {"penny": 1e400}, "take": "nickel"}',
    b'{"do": "convert", "give": {"penny": 99999999999999999999999999}, "take": "nickel"}',
    b'{"do": "convert", "give": {"penny": -5}, "take": "nickel"}',
    b'{"do": "convert", "give": {"penny": 2.5}, "take": "nickel"}',
    b'{"do": "flip", "coins": ["penny"]}',
    b'{"do": "flip", "coins": {}}',
    b"\xff\xfe\x00",
    b'{"do": "\xed\xa0\x80"}',
    b'{"do": "\\ud800"}',
    b'{"do": "place", "coin": "penny"} {"do": "done"}',
    b'{"do": "place", "coin": "' + b"x" * 100_000 + b'"}',
    b'{"do": "place", "coin": "penny", "' + b"x" * 10_000_000 + b'": 1}',
]


@pytest.mark.parametrize("name", NAMES)
def test_garbage_is_refused_line_by_line_and_changes_nothing(name: str) -> None:
    text = b"\n".join(GARBAGE) + b"\n"
    game = load(name)
    told = list(judge(game, game.start(game.read_options({})), io.BytesIO(text)))
    assert len(told) == len(GARBAGE) + 1
    for line, ruling in zip(GARBAGE, told[1:], strict=True):
        assert ruling["ok"] is False, line[:80]
        assert ruling["clause"] == "input", line[:80]
        assert 10 < len(ruling["why"]) < 1000
        json.dumps(ruling).encode()
        assert ruling["state"] == told[0]["state"]


OUT_OF_TURN = {
    "steal": {"do": "keep"},
    "exact": {"do": "swap", "give": "nickel", "take": "dime"},
    "goes-around": {"do": "reveal"},
    "coin-wars": {"do": "accept", "name": "Ann"},
    "coin-age": {"do": "place", "coin": "dime", "space": "M1"},
}


@pytest.mark.parametrize("name", NAMES)
def test_the_command_takes_garbage_and_acts_out_of_turn_in_its_stride(name: str) -> None:
    """Each refused in a line of its own, the state as it was; then the game goes on."""
    game = load(name)
    right = game.write_action(next(game.legal_actions(game.start(game.read_options({})))))
    early = json.dumps(OUT_OF_TURN[name]).encode()
    told = rulings(run("judge", name, text=b"\n".join([*GARBAGE, early, json.dumps(right).encode()])))
    assert [line["ok"] for line in told] == [True, *[False] * (len(GARBAGE) + 1), True]
    assert {line["clause"] for line in told[1 : 1 + len(GARBAGE)]} == {"input"}
    assert told[-2]["clause"] != "input"
    assert all(line["state"] == told[0]["state"] for line in told[:-1])


def test_judging_goes_on_after_garbage() -> None:
    text = SETUP.encode() + b"\n" + b"\n".join(GARBAGE) + b"\n" + PLACE.encode()
    told = rulings(run("judge", "steal", text=text))
    assert told[-1]["ok"] is True
    assert told[-1]["state"]["rows"]["tails"] == {"penny": 3}


@given(st.binary(max_size=200))
def test_no_bytes_make_it_stumble(line: bytes) -> None:
    game = load("steal")
    for ruling in judge(game, game.start(game.read_options({})), io.BytesIO(line)):
        json.dumps(ruling)


def json_values() -> st.SearchStrategy[Any]:
    words = st.sampled_from(
        [
            "do",
            "coin",
            "give",
            "take",
            "coins",
            "into",
            "place",
            "convert",
            "flip",
            "penny",
            "dime:heads",
            "",
            "\U0001f4b0",
        ]
    )
    plain = st.none() | st.booleans() | st.integers() | st.floats() | words
    return st.recursive(plain, lambda v: st.lists(v, max_size=4) | st.dictionaries(words, v, max_size=4), max_leaves=8)


@given(st.lists(json_values(), max_size=5))
def test_no_json_makes_it_stumble(values: list[Any]) -> None:
    game = load("exact")
    text = "\n".join(json.dumps(value) for value in values).encode()
    for ruling in judge(game, game.start(game.read_options({})), io.BytesIO(text)):
        json.dumps(ruling)


def test_long_lines_are_never_held_whole() -> None:
    class Endless(io.RawIOBase):
        """A line of 64 MiB that hands out no more than it is asked for."""

        left = 64 << 20
        asked = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 < size <= LONGEST_LINE + 1
            size, self.left = min(size, self.left), max(0, self.left - size)
            return b"x" * size

    assert list(lines(Endless())) == [None]  # type: ignore[arg-type]


@pytest.mark.parametrize("length", [LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, LONGEST_LINE + 2])
def test_the_longest_line(length: int) -> None:
    text = io.BytesIO(b"x" * length + b"\nnext\n")
    first, second = lines(text)
    assert (first is not None) is (length <= LONGEST_LINE)
    assert second == b"next"


# -- beginnings -------------------------------------------------------------------------------------------------------


@pytest.fixture
def printed(tmp_path: Path) -> Path:
    """A file holding a state as `judge` printed it, Heads to play."""
    told = rulings(run("judge", "steal", "--options", '{"starter": "heads"}', text=SETUP))
    path = tmp_path / "state.json"
    path.write_text(json.dumps(told[-1]["state"]))
    return path


def test_from_a_printed_state_play_goes_on(printed: Path) -> None:
    told = rulings(run("judge", "steal", "--from", str(printed), text=PLACE))
    assert told[0]["state"] == json.loads(printed.read_text())
    assert told[1]["state"]["totals"] == {"heads": 4, "tails": 2}


def test_from_takes_a_whole_printed_line_too(printed: Path) -> None:
    state = json.loads(printed.read_text())
    printed.write_text(json.dumps({"ok": True, "state": state}))
    assert rulings(run("judge", "steal", "--from", str(printed)))[0]["state"] == state


def test_the_rows_of_a_printed_state_can_be_changed_by_hand(printed: Path) -> None:
    """The vector of the rules: 4 quarters against 3 and a nickel; the quarter decides, and the follower wins."""
    state = json.loads(printed.read_text())
    state["rows"] = {"heads": {"quarter": 4}, "tails": {"nickel": 1, "quarter": 3}}
    state["to_act"], state["turn"] = ["tails"], {"placed": True, "converted": False}
    printed.write_text(json.dumps(state))
    flip = '{"do": "flip", "coins": ["quarter:heads", "dime:tails", "nickel:tails", "penny:tails"]}'
    told = rulings(run("judge", "steal", "--from", str(printed), text="\n".join([DONE, flip, '{"do": "keep"}', DONE])))
    assert told[1]["state"]["flip_due"] == {"penny": 1, "nickel": 1, "dime": 1, "quarter": 1}
    assert told[2]["state"]["steal"] == {"coin": "quarter", "from": "heads", "to": "tails"}
    assert told[2]["state"]["totals"] == {"heads": 75, "tails": 105}
    assert told[3]["state"]["outcome"]["winners"] == ["tails"]
    assert told[4]["clause"] == "over"


def test_options_laid_over_a_state(printed: Path) -> None:
    told = rulings(run("judge", "steal", "--from", str(printed), "--options", '{"goal": 50}'))
    assert told[0]["state"]["options"]["goal"] == 50
    assert told[0]["state"]["options"]["starter"] == "heads"


@pytest.mark.parametrize(
    "arguments",
    [
        ["judge", "chess"],
        ["judge", "steal", "--options", "{"],
        ["judge", "steal", "--options", "[]"],
        ["judge", "steal", "--options", "null and void"],
        ["judge", "steal", "--options", '{"goal": 1e999}'],
        ["judge", "steal", "--options", '{"goal": "much"}'],
        ["judge", "steal", "--options", '{"colour": "red"}'],
        ["judge", "steal", "--options", "[" * 100_000],
        ["judge", "steal", "--options", '{"bank": "counted", "bank_coins": {"penny": 2}}'],
        ["judge", "steal", "--from", "no such file.json"],
        ["judge", "steal", "--from", "."],
        ["judge", "steal", "--from", "/dev/zero"],
        ["judge", "steal", "--colour", "red"],
        ["judge"],
        ["replay", "no such record.jsonl"],
        ["replay", "."],
        ["replay", "/dev/zero"],
    ],
)
def test_bad_usage_is_one_sentence_and_status_2(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert len(result.stderr) < 1000


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[1]",
        b'{"game": "exact"}',
        b'{"rows": 7}',
        b'{"hello": 1}',
        b'{"coins": [], "total_cents": 0}',
        b'{"state": {"game": "steal"}}',
    ],
)
def test_a_bad_state_file_is_one_sentence_and_status_2(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(content)
    result = run("judge", "steal", "--from", str(path))
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("content", [b"{}", b'{"ok": true, "state": {}}'])
def test_an_empty_state_is_a_game_that_begins(tmp_path: Path, content: bytes) -> None:
    """Every key has a default."""
    path = tmp_path / "state.json"
    path.write_bytes(content)
    assert rulings(run("judge", "steal", "--from", str(path)))[0]["state"]["phase"] == "setup"


@pytest.mark.parametrize("name", NAMES)
def test_a_state_with_any_key_spoilt_starts_or_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    game, path = load(name), tmp_path / "state.json"
    spoilt: tuple[object, ...] = (None, "x", [], {"x": 1}, -1, 10**30)
    _, state = list(random_game(game, 3))[7]
    written = game.write_state(state)
    for key, wrong in product(written, spoilt):
        path.write_text(json.dumps({**written, key: wrong}))
        result = run("judge", name, "--from", str(path))
        assert result.exit_code in (0, 2), f"{key} = {wrong}: {result.exception!r}"
        assert result.exit_code == 0 or 20 < len(result.stderr) < 600
        assert len(result.stderr.splitlines()) <= 1


# -- games ------------------------------------------------------------------------------------------------------------


def test_games_lists_every_house_rule_with_its_default_and_a_sentence() -> None:
    told = rulings(run("games", "--json"))
    assert [game["game"] for game in told] == list(NAMES)
    for game in told:
        for option in game["options"].values():
            assert "default" in option
            assert option["description"].endswith(".")
    steal = told[0]["options"]
    assert steal["starter"]["choices"] == ["fewer", "heads", "tails"]
    assert (steal["goal"]["default"], steal["goal"]["minimum"]) == (100, 10)


def test_games_for_people() -> None:
    result = run("games")
    assert result.exit_code == 0
    assert "tie_flips = 1" in result.stdout


def test_games_prints_a_rulebook() -> None:
    told = run("games", "steal").stdout.splitlines()
    assert told[0].strip().startswith("1.1 ")
    assert "硬币" in run("games", "steal", "--lang", "zh").stdout
    assert run("games", "chess").exit_code == 2
