"""What a person may be called, and how a typed name is kept."""

from __future__ import annotations

import pytest

from tablecoin.rules import load
from tablecoin.rules.names import name_fault, plain_name

TYPED = {
    "Ann": "Ann",
    " A  B ": "A  B",
    "A\u00a0B": "A B",
    "王\u3000伟": "王 伟",
    "مريم\u200f": "مريم",
    "Ann\u200b\u200e": "Ann",
    "An\u200dn\u200c": "Ann",  # else somebody else could look like her
    "👨\u200d👩\u200d👧": "👨\u200d👩\u200d👧",
    "👩\u200d🚀 Eva": "👩\u200d🚀 Eva",
    "क्\u200dष": "क्\u200dष",
    "می\u200cخواهم": "می\u200cخواهم",
}


@pytest.mark.parametrize(("typed", "kept"), TYPED.items(), ids=ascii)
def test_a_typed_name_is_kept_without_what_nobody_sees(typed: str, kept: str) -> None:
    assert plain_name(typed) == plain_name(kept) == kept
    assert name_fault(kept) is None


@pytest.mark.parametrize(
    "typed", ["", "\u200b", "\u200d", "Ann\nBob", "Ann\u2028Bob", "Ann\u202ebob", "\ue000"], ids=ascii
)
def test_what_cannot_be_a_name(typed: str) -> None:
    assert name_fault(plain_name(typed)) == "options.name.line"


def test_coin_wars_keeps_its_names_the_same_way() -> None:
    game = load("coin-wars")
    state = game.start(game.read_options({"players": ["A\u00a0B"]}))
    assert game.apply(
        state,
        game.read_action(
            {
                "do": "create",
                "name": "A B\u200e",
                "strong": "bodiness",
                "ratings": {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2},
            }
        ),
    ).character("A B")
