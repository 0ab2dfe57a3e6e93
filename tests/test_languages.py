"""Every language is whole: each catalogue has each sentence in each language, with the same blanks."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from tablecoin import rules
from tablecoin.coins import Heap
from tablecoin.rules.rulebook import LANGUAGES, Message, sentence

ROOT = Path(__file__).parents[1]
RULEBOOK = ROOT / "tablecoin" / "rules" / "rulebook"
PAGE = ROOT / "web" / "static" / "i18n"
BLANK = re.compile(r"\{(\w+)")


def catalogues() -> dict[str, Mapping[str, Mapping[str, str]]]:
    """File -> key -> language -> text."""
    found: dict[str, Mapping[str, Mapping[str, str]]] = {}
    for path in sorted(RULEBOOK.glob("*.toml")):
        book = tomllib.loads(path.read_text("utf-8"))
        texts = {f"{clause['id']}, the clause": clause for clause in book.get("clause", [])}
        whys = {clause["id"]: clause["why"] for clause in book.get("clause", []) if "why" in clause}
        found[path.name] = book.get("say", {}) | texts | whys
    for path in sorted(ROOT.glob("*/words.toml")):  # of the server, of set-up
        found[f"{path.parent.name}/words.toml"] = tomllib.loads(path.read_text("utf-8"))
    return found


@pytest.mark.parametrize(("file", "texts"), catalogues().items(), ids=list(catalogues()))
def test_each_sentence_is_there_in_each_language_with_the_same_blanks(
    file: str, texts: Mapping[str, Mapping[str, str]]
) -> None:
    for key, said in texts.items():
        assert [language for language in LANGUAGES if not isinstance(said.get(language), str)] == [], f"{file}: {key}"
        wanted = set(BLANK.findall(said["en"]))
        odd = [language for language in LANGUAGES if set(BLANK.findall(said[language])) != wanted]
        assert odd == [], f"{file}: {key} has other blanks than in English"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_each_word_in_each_language_with_the_same_blanks(language: str) -> None:
    english = json.loads((PAGE / "en.json").read_text("utf-8"))
    words = json.loads((PAGE / f"{language}.json").read_text("utf-8"))
    assert words.keys() == english.keys()
    for key, text in english.items():
        assert set(BLANK.findall(words[key])) == set(BLANK.findall(text)), key


def test_the_page_s_button_leads_through_all_languages_and_back_to_english() -> None:
    pages = [json.loads((PAGE / f"{language}.json").read_text("utf-8")) for language in LANGUAGES]
    names = [sentence(Message("language"), language) for language in LANGUAGES]
    assert [page["language"] for page in pages] == [*names[1:], names[0]]
    tags = re.findall(r"const TAGS = \{ (.+) \};", (ROOT / "web/static/js/i18n.js").read_text("utf-8"))
    assert re.findall(r"(\w+): ", tags[0]) == list(LANGUAGES)


@pytest.mark.parametrize("name", rules.NAMES)
def test_each_game_has_a_title_in_each_language(name: str) -> None:
    assert rules.load(name).title.keys() >= set(LANGUAGES)


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
