"""New adventures of Coin Wars are as hard as they promise, and the same seed gives the same one."""

from __future__ import annotations

import pytest

from tablecoin.opponents.coin_wars import balance
from tablecoin.opponents.coin_wars.balance import balanced, chance
from tablecoin.rules.coin_wars import adventures
from tablecoin.rules.coin_wars.adventures import CHANCES, Difficulty


@pytest.mark.parametrize("difficulty", CHANCES)
@pytest.mark.parametrize("players", [1])
def test_a_new_adventure_keeps_its_promise(difficulty: Difficulty, players: int) -> None:
    name = balanced(difficulty, players, seed=6)
    least, most = CHANCES[difficulty]
    assert least <= chance(name, samples=500, seed=6) <= most
    assert adventures.load(name).players == players
    assert balanced(difficulty, players, seed=6) == name


@pytest.mark.parametrize("name", adventures.shipped())
def test_an_adventure_in_a_file_keeps_its_promise(name: str) -> None:
    least, most = CHANCES[adventures.load(name).difficulty]
    assert least <= chance(name, samples=500, seed=7) <= most


def test_it_is_made_for_as_many_as_there_are_heroes_for() -> None:
    with pytest.raises(ValueError, match="1 to 4"):
        balanced("fair", 5, seed=1)


def test_where_no_adventure_fits_the_nearest_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one seems to fit, but a closer look shows that it is easier than promised."""
    least, most = CHANCES["fair"]
    glances, made = iter((least - 0.3, (least + most) / 2, most + 0.2)), list[str]()

    def weigh(name: str, *, samples: int, seed: int) -> float:
        if samples == balance.STUDY:
            return most + 0.1
        made.append(name)
        return next(glances)

    monkeypatch.setattr(balance, "TRIES", 3)
    monkeypatch.setattr(balance, "chance", weigh)
    assert balanced("fair", 2, seed=1) == made[1]
    assert len(set(made)) == 3
