"""Statistics of each person: over games, whatever seat they had, and from the analyses that are stored."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tablecoin.coins import Coin
from tablecoin.journal.analyses import Analysis, Share, StoredAnalyses
from tablecoin.journal.fairness import Fairness
from tablecoin.journal.history import Games
from tablecoin.journal.played import Ending, PlayedGame
from tablecoin.journal.players import players
from tablecoin.referee.events import Player


def game(
    number: int, names: dict[str, str], *winners: str, seats: dict[str, Player] | None = None, over: bool = True
) -> PlayedGame:
    began = f"2026-01-0{number}"
    return PlayedGame(
        number=number,
        game="steal",
        options={},
        seats=seats or {"heads": "person", "tails": "person"},
        names=names,
        level="strong",
        best_of=1,
        bad_coin="alone",
        odds="after",
        hints="practice",
        undo="asked",
        clock=None,
        began=began,
        ended=began if over else None,
        outcome=Ending(winners, {}) if over else None,
        rulings=1,
        refusals=0,
        corrections=0,
        undone=0,
        whole=True,
    )


ANN_BOB, BOB_ANN = {"heads": "Ann", "tails": "Bob"}, {"heads": "Bob", "tails": "ann"}
FALLS = {("ann", Coin.DIME_HEADS): 3, ("ann", Coin.DIME_TAILS): 1, ("bob", Coin.PENNY_TAILS): 2}


def test_games_and_wins_follow_the_person_and_not_the_seat() -> None:
    played = (game(1, ANN_BOB, "heads"), game(2, BOB_ANN, "tails"), game(3, ANN_BOB, "heads", "tails"))
    ann, bob = sorted(players(Games(played, FALLS, 0), {}), key=lambda one: one.name.casefold())
    assert (ann.games, ann.wins) == (3, 3)
    assert (bob.games, bob.wins) == (3, 1)
    assert (ann.tossed, bob.tossed) == (Fairness(3, 4, 0.625), Fairness(0, 2, 0.5))
    assert (ann.coins, bob.coins) == ({"dime": Fairness(3, 4, 0.625)}, {"penny": Fairness(0, 2, 0.5)})


def test_a_name_is_shown_as_it_was_written_last() -> None:
    (first, _) = players(Games((game(1, ANN_BOB, "heads"), game(2, {"tails": "ANN"}, "heads")), {}, 0), {})
    assert (first.name, first.newest) == ("ANN", "2026-01-02")


def test_a_game_that_is_not_over_counts_for_nobody() -> None:
    told = players(Games((game(1, ANN_BOB, over=False),), {}, 0), {})
    assert [(one.games, one.wins) for one in told] == [(0, 0), (0, 0)]


def test_a_computer_is_no_person() -> None:
    seats: dict[str, Player] = {"heads": "person", "tails": "computer"}
    told = players(Games((game(1, ANN_BOB, "tails", seats=seats),), {}, 0), {})
    assert [(one.name, one.wins) for one in told] == [("Ann", 0)]


def test_luck_and_skill_come_from_the_games_that_have_an_analysis() -> None:
    played = (game(1, ANN_BOB, "heads"), game(2, BOB_ANN, "tails"), game(3, ANN_BOB, "heads"))
    analyses = {
        1: Analysis("steal", {"heads": Share(0.25, 0.1), "tails": Share(-0.25, 0.5)}),
        2: Analysis("steal", {"heads": Share(0.5, 0.0), "tails": Share(-0.5, 0.2)}),
        3: Analysis("exact", {"heads": Share(9.0, 9.0)}),  # of another journal's game 3
    }
    ann, bob = sorted(players(Games(played, {}, 0), analyses), key=lambda one: one.name.casefold())
    assert (ann.games, ann.analysed, ann.luck, ann.lost) == (3, 2, -0.25, 0.3)
    assert (bob.games, bob.analysed, bob.luck, bob.lost) == (3, 2, 0.25, 0.5)
    without = players(Games(played, {}, 0), {})
    assert [(one.analysed, one.luck, one.lost) for one in without] == [(0, None, None)] * 2


ANALYSIS = b'{"game": "steal", "exact": true, "players": {"heads": {"luck": 0.25, "lost": 0.1, "decisions": 3}}}'


def test_stored_analyses_are_read_once_and_again_when_they_change(tmp_path: Path) -> None:
    file = tmp_path / "7.json"
    file.write_bytes(ANALYSIS)
    stored = StoredAnalyses(tmp_path)
    assert stored.newest() == {7: Analysis("steal", {"heads": Share(0.25, 0.1)})}
    told = file.stat()
    file.write_bytes(b"damaged")
    os.utime(file, ns=(told.st_atime_ns, told.st_mtime_ns))
    assert stored.newest() == {7: Analysis("steal", {"heads": Share(0.25, 0.1)})}, "it was not read again"
    os.utime(file, ns=(told.st_atime_ns, told.st_mtime_ns + 10**9))
    assert stored.newest() == {7: Analysis()}
    file.unlink()
    assert stored.newest() == {}


@pytest.mark.parametrize("content", [b"", b"[]", b'{"players": []}', b"[" * 100_000, b"\xff"])
def test_an_analysis_that_cannot_be_read_counts_as_missing(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "7.json").write_bytes(content)
    (tmp_path / "notes.txt").write_bytes(b"not one")
    assert StoredAnalyses(tmp_path).newest() == {7: Analysis()}
    assert "7.json" in caplog.text


def test_without_the_folder_there_are_none(tmp_path: Path) -> None:
    assert StoredAnalyses(tmp_path / "none").newest() == {}
