"""Sentences read like sentences whatever is put into them: lists, names in s, names from right to left."""

from __future__ import annotations

import pytest

from tablecoin.coins import EMPTY, Heap
from tablecoin.referee.belief import Difference
from tablecoin.referee.voice import seat_name, steps, zone_name
from tablecoin.rules.coin_wars.words import option_words
from tablecoin.rules.rulebook import Message, sentence


@pytest.mark.parametrize(
    ("zone", "english", "chinese"),
    [
        ("row.heads", "Heads' row", "正面方的一排"),
        ("bank.tails", "Tails' bank", "反面方的银行"),
        ("bank.1", "Seat 1's bank", "1号的银行"),
        ("bank", "The bank", "银行"),
        ("space.M1", "Space M1", "格M1"),
    ],
)
def test_zones(zone: str, english: str, chinese: str) -> None:
    assert sentence(zone_name(zone)) == english
    assert sentence(zone_name(zone), "zh") == chinese


def test_choices_are_told_apart() -> None:
    facts = {"name": "Ann", "trait": "wits", "options": option_words(["burn", "coolness", "sit-out"])}
    message = Message("coin-wars.prompt.choice", facts)
    assert sentence(message).endswith("Choose: burn a coin, Coolness, sit out.")
    assert sentence(message, "zh").count("、") == 2


def test_a_name_from_right_to_left_leaves_the_numbers_in_order() -> None:
    message = Message("coin-wars.did.flip", {"name": "مريم", "component": "x", "own": 2, "scene": 3})
    assert sentence(message) == "\u2068مريم\u2069, x: 2 against 3."


def test_turns_name_seats() -> None:
    numbered = {"due": seat_name("1"), "seat": seat_name("2")}
    assert sentence(Message("turn", numbered)) == "It is Seat 1's turn, not Seat 2's."
    assert sentence(Message("turn", {"due": "heads", "seat": "tails"})) == "It is Heads' turn, not Tails'."


def test_under_the_wrong_top_of_a_stack_the_right_coin_may_lie_already() -> None:
    (step,) = steps([Difference("space.M1", missing=Heap(nickel=1), extra=Heap(dime=1), turned=EMPTY)])
    assert sentence(step) == "Space M1: take away 1 dime; 1 nickel must be on top."


@pytest.mark.parametrize(
    ("fact", "english", "chinese"),
    [
        (Heap(), "nothing", "无"),
        (Heap(penny=1, dime=2), "2 dimes, 1 penny", "2枚一角、1枚一分"),
        ("heads", "Heads", "正面方"),
        ("dime", "dime", "一角"),
        (["a", "b"], "a, b", "a、b"),
        (["One.", "Two."], "One. Two.", "One.Two."),
    ],
)
def test_facts_are_said_in_the_language_of_the_sentence(fact: object, english: str, chinese: str) -> None:
    message = Message("input", {"problem": fact})
    assert (sentence(message), sentence(message, "zh")) == (english, chinese)
