"""A language begun: each form a catalogue has gets a line or an entry more, once."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from lab.language import begin

WORDS = '[say.language]\nen = "English"\nzh = "中文"\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "tablecoin/rules/rulebook").mkdir(parents=True)
    (tmp_path / "tablecoin/rules/rulebook/words.toml").write_text(WORDS, "utf-8")
    (tmp_path / "web/static/i18n").mkdir(parents=True)
    (tmp_path / "web/static/i18n/en.json").write_text(
        '{"language": "中文", "language.label": "-", "on": "on"}', "utf-8"
    )
    (tmp_path / "web/static/i18n/zh.json").write_text('{"language": "English", "language.label": "-", "on": "开"}')
    return tmp_path


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('en = "A {coin}."\nzh = "{coin}。"\n', 'en = "A {coin}."\nzh = "{coin}。"\nde = "A {coin}."\n'),
        ('why.en = "No."\nwhy.zh = "不。"\n', 'why.en = "No."\nwhy.zh = "不。"\nwhy.de = "No."\n'),
        ('k = { en = "a {b}", zh = "甲" }\n', 'k = { en = "a {b}", zh = "甲", de = "a {b}" }\n'),
        ('k = {en = "a", zh = "甲"}\n', 'k = {en = "a", zh = "甲", de = "a"}\n'),
        ('en = "say \\"a\\""\n', 'en = "say \\"a\\""\nde = "say \\"a\\""\n'),
    ],
)
def test_each_form_gets_the_english_text_again(root: Path, before: str, after: str) -> None:
    book = root / "tablecoin/rules/rulebook/one.toml"
    book.write_text(before, "utf-8")
    assert book in begin(root, "de", "Deutsch")
    assert book.read_text("utf-8") == after
    assert tomllib.loads(after)


def test_words_name_the_language_as_it_calls_itself(root: Path) -> None:
    begin(root, "de", "Deutsch")
    assert (root / "tablecoin/rules/rulebook/words.toml").read_text("utf-8") == WORDS + 'de = "Deutsch"\n'


def test_a_second_beginning_changes_nothing(root: Path) -> None:
    assert begin(root, "de", "Deutsch") != []
    assert begin(root, "de", "Deutsch") == []
