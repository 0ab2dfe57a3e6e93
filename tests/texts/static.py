"""The page's own files: they need nothing from elsewhere, ask for words that there are, and can be read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from tablecoin.rules.coin_wars.scene import CLASSES
from tablecoin.rules.coin_wars.traits import POWERS, TRAITS
from tablecoin.rules.rulebook import LANGUAGES, Message, sentence
from tests.texts.check import ROOT, Check, Checks, Problem, line_at, line_with, text_of
from web import games

STATIC = ROOT / "web" / "static"
CSS, ENGLISH = STATIC / "css" / "page.css", STATIC / "i18n" / "en.json"
LONGEST = 120
SVG = "http://www.w3.org/2000/svg"  # names a kind of file, and is not fetched


def sources() -> list[Path]:
    return sorted([*STATIC.rglob("*.js"), *STATIC.rglob("*.css"), *STATIC.parent.rglob("*.html")])


def long_lines(path: Path) -> Iterator[Problem]:
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if len(line) > LONGEST:
            yield Problem(path, number, f"the line has {len(line)} letters", f"break it at {LONGEST}")


def fetched(path: Path) -> Iterator[Problem]:
    text = text_of(path)
    for address in re.finditer(r"https?://[^\s\"')]+", text):
        if address[0] != SVG:
            wrong = f"{address[0]} is fetched from elsewhere"
            yield Problem(path, line_at(text, address.start()), wrong, "ship the file with the page")


def scripts() -> list[Path]:
    return sorted(STATIC.rglob("*.js"))


def missing_modules(path: Path) -> Iterator[Problem]:
    text = text_of(path)
    for name in re.finditer(r'from "\./([^"]+)"', text):
        if not (path.parent / name[1]).exists():
            yield Problem(path, line_at(text, name.start()), f"{name[1]} does not exist", "correct the import")


def missing_words(path: Path) -> Iterator[Problem]:
    text, words = text_of(path), json.loads(text_of(ENGLISH))
    for key in re.finditer(r'\bt\("([\w.]+)"|data-i18n(?:-label)?="([\w.]+)"', text):
        if (key[1] or key[2]) not in words:
            wrong = f"en.json has no {key[1] or key[2]}"
            yield Problem(path, line_at(text, key.start()), wrong, "write the word there")


def words_of_house_rules() -> Iterator[str]:
    """The keys of the words for each house rule and each choice of it."""
    elsewhere = ("players", "map")  # asked beside the seats
    for game in games.available():
        for rule in games.describe(game).options:
            if rule.name not in elsewhere:
                titled = rule.titles if isinstance(rule.titles, dict) else {}  # an adventure has its own title
                yield from (f"{kind}.{rule.name}" for kind in ("option", "how"))
                yield from (f"choice.{rule.name}.{each}" for each in rule.choices or () if each not in titled)


def missing_word(key: str) -> Iterator[Problem]:
    if key not in json.loads(text_of(ENGLISH)):
        yield Problem(ENGLISH, 1, f"the house rule's word {key} is missing", "write it")


class Contrast(NamedTuple):
    """A colour of words and one of a ground, by day or by night."""

    line: int
    what: str
    words: str
    ground: str


def contrasts() -> Iterator[Contrast]:
    text = text_of(CSS)
    roots = list(re.finditer(r":root \{(.*?)\}", text, re.DOTALL))
    day, night = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", root[1])) for root in roots)
    inks = ("ink", "soft", "copper", "brass", "heads", "tails", "good", "bad", "ask")
    for root, colours, ink, ground in (
        (root, colours, *pair)
        for root, colours in zip(roots, (day, day | night), strict=True)
        for pair in product(inks, ("paper", "card"))
    ):
        yield Contrast(line_at(text, root.start()), f"{ink} on {ground}", colours[ink], colours[ground])


def pale(thing: Contrast) -> Iterator[Problem]:
    if (ratio := contrast(thing.words, thing.ground)) < 4.5:
        yield Problem(CSS, thing.line, f"{thing.what} has a contrast of {ratio:.1f}", "make it 4.5 or more")


def contrast(one: str, other: str) -> float:
    """How far apart two colours are in lightness, as WCAG counts it: 1 to 21."""

    def lightness(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, bright = sorted((lightness(one), lightness(other)))
    return (bright + 0.05) / (dark + 0.05)


def words_of_coin_wars() -> Iterator[tuple[Path, str, str]]:
    """(catalogue, key, the rulebook's word). A word that differs between page and referee would confuse people."""
    for language, word in product(LANGUAGES, (*TRAITS, *POWERS, *CLASSES.values())):
        yield (
            STATIC / "i18n" / f"{language}.json",
            f"wars.{word}",
            sentence(Message(f"coin-wars.word.{word}"), language),
        )


def otherwise(thing: tuple[Path, str, str]) -> Iterator[Problem]:
    file, key, word = thing
    shown = json.loads(text_of(file)).get(key)
    if shown != word:
        line = line_with(text_of(file), f'"{key}"')
        yield Problem(file, line, f"{key} is {shown}, and {word} in the rulebook", "use one word")


CHECKS: Checks = (
    Check("lines of the page's files have at most 120 letters", sources, long_lines),
    Check("files of the page fetch nothing from elsewhere", sources, fetched),
    Check("modules that scripts import exist", scripts, missing_modules),
    Check("words that the page asks for exist", sources, missing_words),
    Check("house rules have words of their own", words_of_house_rules, missing_word),
    Check("colours of words can be read by day and by night", contrasts, pale),
    Check("page and rulebook of Coin Wars use the same words", words_of_coin_wars, otherwise),
)
