"""What the wizard says, in English and Chinese: what it found, and what to do about it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

Said = Mapping[str, str]  # language -> one or two sentences

NOTHING: Said = {"en": "", "zh": ""}

COINS_ZH = {"penny": "一分", "nickel": "五分", "dime": "一角", "quarter": "二角五分", "heads": "正面", "tails": "反面"}


def say(key: str, **facts: object) -> Said:
    """The sentences of `key` in every language. A fact that is itself Said is put in in that language."""
    told = {}
    for language, words in _catalogue()[key].items():
        here = {name: fact[language] if isinstance(fact, Mapping) else fact for name, fact in facts.items()}
        told[language] = words.format(**here)
    return told


def keys() -> frozenset[str]:
    """Every sentence there is."""
    return frozenset(_catalogue())


def coins(names: Mapping[str, int]) -> Said:
    """Coins with their counts, e.g. {"penny:heads": 2}, told in every language."""
    if not names:
        return {"en": "nothing", "zh": "什么都没有"}
    english = ", ".join(f"{count} × {name.replace(':', ' ')}" for name, count in names.items())
    chinese = "、".join(
        f"{count} 枚{''.join(COINS_ZH[word] for word in name.split(':'))}" for name, count in names.items()
    )
    return {"en": english, "zh": chinese}


@cache
def _catalogue() -> Mapping[str, Said]:
    return tomllib.loads((files(__package__) / "words.toml").read_text("utf-8"))
