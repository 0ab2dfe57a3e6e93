"""The pages: complete, from here alone, in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import web
from tablecoin.rules.coin_wars.scene import CLASSES
from tablecoin.rules.coin_wars.traits import POWERS, TRAITS
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.storage import mapfiles
from tests.web.quiet import QuietTable
from web import games
from web.app import create_app

STATIC = Path(web.__file__).parent / "static"
WORDS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((STATIC / "i18n").glob("*.json"))}
SOURCES = [*STATIC.rglob("*.js"), *STATIC.rglob("*.css"), *STATIC.parent.rglob("*.html")]


@pytest.mark.parametrize("path", ["/", "/score"])
def test_a_page_and_all_it_loads_come_from_here(client: FlaskClient, live: QuietTable, path: str) -> None:
    live.command({"start": {"game": "steal"}}, None)  # then there is a record to load
    page = client.get(path)
    assert page.status_code == 200
    links = re.findall(r'(?:src|href)="([^"#][^"]*)"', page.text)  # without those to a view of the same page
    assert len(links) >= 4
    for link in links:
        assert link.startswith("/"), f"{link} is not ours"
        with client.get(link) as answer:
            assert answer.status_code == 200
    assert "style=" not in page.text  # the content security policy would drop it


def test_no_line_is_longer_than_120_letters() -> None:
    lines = [
        (f"{path.name}:{n}", line) for path in SOURCES for n, line in enumerate(path.read_text("utf-8").split("\n"), 1)
    ]
    long = [where for where, line in lines if len(line) > 120]
    assert long == []


def test_nothing_is_fetched_from_elsewhere() -> None:
    for source in SOURCES:
        addresses = re.findall(r"https?://[^\s\"')]+", source.read_text("utf-8"))
        assert set(addresses) <= {"http://www.w3.org/2000/svg"}, source.name


def test_every_imported_module_is_there() -> None:
    for module in STATIC.rglob("*.js"):
        for name in re.findall(r'from "\./([^"]+)"', module.read_text("utf-8")):
            assert (module.parent / name).exists(), f"{module.name} imports {name}"


def test_both_languages_have_the_same_words_with_the_same_blanks() -> None:
    assert set(WORDS) == {"en", "zh"}
    assert WORDS["en"].keys() == WORDS["zh"].keys()
    for key, text in WORDS["en"].items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", WORDS["zh"][key])), key
        assert WORDS["zh"][key].strip(), key


def test_every_word_the_page_asks_for_is_there() -> None:
    for source in SOURCES:
        text = source.read_text("utf-8")
        asked = set(re.findall(r'\bt\("([\w.]+)"', text)) | set(re.findall(r'data-i18n(?:-label)?="([\w.]+)"', text))
        assert asked <= WORDS["en"].keys(), f"{source.name}: {asked - WORDS['en'].keys()}"


def test_every_house_rule_has_words_of_its_own() -> None:
    elsewhere = ("players", "map")  # asked beside the seats
    described = [games.describe(game) for game in games.available()]
    rules = [rule for game in described for rule in game.options if rule.name not in elsewhere]
    for rule in rules:
        wanted = {f"option.{rule.name}", f"how.{rule.name}"}
        titled = rule.titles if isinstance(rule.titles, dict) else {}  # an adventure has its own title
        wanted |= {f"choice.{rule.name}.{each}" for each in rule.choices or () if each not in titled}
        assert wanted <= WORDS["en"].keys(), wanted - WORDS["en"].keys()


def contrast(one: str, other: str) -> float:
    """How far apart two colours are in lightness, as WCAG counts it: 1 to 21."""

    def lightness(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, bright = sorted((lightness(one), lightness(other)))
    return (bright + 0.05) / (dark + 0.05)


def test_every_colour_of_words_can_be_read_by_day_and_by_night() -> None:
    roots = re.findall(r":root \{(.*?)\}", (STATIC / "css" / "page.css").read_text("utf-8"), re.DOTALL)
    day, night = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", root)) for root in roots)
    for colours in (day, day | night):
        for name in ("ink", "soft", "copper", "brass", "heads", "tails", "good", "bad", "ask"):
            for ground in ("paper", "card"):
                assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)


def test_coin_wars_calls_everything_as_its_rulebook_does() -> None:
    """A word that differs between page and referee would confuse people."""
    for language, words in WORDS.items():
        for word in (*TRAITS, *POWERS, *CLASSES.values()):
            assert words[f"wars.{word}"] == sentence(Message(f"coin-wars.word.{word}"), language)


def test_a_photo_is_scored_on_a_map_called_as_people_call_it(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mapfiles, "_folders", [tmp_path])
    (tmp_path / "ours.toml").write_text(mapfiles.text("forest"))
    (tmp_path / "broken.toml").write_text("no map")
    offered = re.findall(r'<option value="(\w+)" data-en="([^"]+)" data-zh="([^"]+)"', client.get("/score").text)
    assert [name for name, _, _ in offered] == ["ours", *mapfiles.shipped()]
    titles = games.map_titles()
    assert all(titles[name] == {"en": en, "zh": zh} for name, en, zh in offered)


def test_the_join_code_stands_only_where_phones_can_come_in(live: QuietTable) -> None:
    alone = create_app(live).test_client().get("/").text
    assert "<svg" not in alone.split('id="join"')[1]
    shared = create_app(live, join_urls=lambda: ["http://192.168.1.20:8000/"]).test_client().get("/").text
    assert 'class="qr"' in shared
    assert "http://192.168.1.20:8000/" in shared


@pytest.mark.parametrize("path", ["/", "/kiosk"])
def test_the_join_code_follows_the_network(live: QuietTable, path: str) -> None:
    urls: list[str] = []
    client = create_app(live, join_urls=lambda: urls).test_client()
    before = client.get(path).text
    assert 'class="qr"' not in before, "no code of an address that nobody can reach"
    assert "There is no network: phones cannot join yet." in before
    urls.append("http://10.0.0.7:8000/")
    after = client.get(path).text
    assert 'class="qr"' in after
    assert "http://10.0.0.7:8000/" in after
