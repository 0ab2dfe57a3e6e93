"""Traits, powers and choices as facts for sentences, said in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tablecoin.rules.coin_wars.traits import PowerName, TraitName
from tablecoin.rules.rulebook import Message

Word = Message | Mapping[str, str] | str  # a fact: a message, a name in every language, or a name people gave


def trait_word(trait: TraitName, own_name: Mapping[str, str] | str = "") -> Word:
    """A trait; Miscellaneous by the name its player or scene gave it, where there is one."""
    return own_name if trait is TraitName.MISC and own_name else Message(f"coin-wars.word.{trait}")


def power_word(power: PowerName) -> Message:
    return Message(f"coin-wars.word.{power}")


def option_words(options: Iterable[str]) -> tuple[Message, ...]:
    """Choices (`burn`, `coolness`, `sit-out`) or classes (`easy`…) in words."""
    return tuple(Message(f"coin-wars.word.{option}") for option in options)
