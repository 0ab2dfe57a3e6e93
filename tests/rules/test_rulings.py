"""docs/rulings.md names only house rules and clauses that the games have, and every house rule but a few."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablecoin.rules import load
from tablecoin.rules.rulebook import clauses

PAGE = Path(__file__).parents[2] / "docs" / "rulings.md"
TITLES = {
    "steal": "Dollar Prize: Steal",
    "exact": "Dollar Prize: Exact",
    "goes-around": "What Goes Around Comes Around",
    "coin-wars": "Coin Wars",
    "coin-age": "Coin Age",
}
# House rules that settle no doubt of a text.
ADDED = {"coin-age": {"map", "seed"}, "coin-wars": {"players", "all_out", "narration"}}


def rows(game: str) -> list[list[str]]:
    """[id, doubt, ruling, clause, house rule] of each ruling on the page."""
    section = PAGE.read_text("utf-8").split(f"\n## {TITLES[game]}\n")[1].split("\n## ")[0]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in re.findall(r"^\| [SEWRC]\d.*$", section, re.M)]


@pytest.mark.parametrize("game", TITLES)
def test_every_clause_and_house_rule_of_the_page_is_one(game: str) -> None:
    numbers = {clause.number for clause in clauses(game)}
    options = set(load(game).options_type.__struct_fields__)
    assert len(rows(game)) > 8
    for name, _, ruling, clause, rules in rows(game):
        assert ruling.endswith("."), name
        assert {clause} <= numbers | {""}, name
        assert set(re.findall(r"`(\w+)`", rules)) <= options, name


@pytest.mark.parametrize("game", TITLES)
def test_every_house_rule_is_on_the_page(game: str) -> None:
    shared = [] if game != "exact" else rows("steal")
    named = {rule for row in (*rows(game), *shared) for rule in re.findall(r"`(\w+)`", row[4])}
    assert named >= set(load(game).options_type.__struct_fields__) - ADDED.get(game, set())
