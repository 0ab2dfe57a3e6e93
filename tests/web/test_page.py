"""The pages: complete, from here alone, in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import web
from web import games
from web.app import create_app

STATIC = Path(web.__file__).parent / "static"
WORDS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((STATIC / "i18n").glob("*.json"))}
SOURCES = [*STATIC.rglob("*.js"), *STATIC.rglob("*.css"), *STATIC.parent.rglob("*.html")]


@pytest.mark.parametrize("path", ["/", "/score"])
def test_a_page_and_all_it_loads_come_from_here(client: FlaskClient, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 200
    links = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(links) >= 4
    for link in links:
        assert link.startswith("/"), f"{link} is not ours"
        with client.get(link) as answer:
            assert answer.status_code == 200
    assert "style=" not in page.text  # the content security policy would drop it


def test_modules_are_served_as_javascript_and_asked_for_again(client: FlaskClient) -> None:
    with client.get("/static/js/main.js") as answer:
        pass
    assert answer.mimetype in ("text/javascript", "application/javascript")
    assert "no-cache" in answer.headers["Cache-Control"]
    with client.get("/static/js/main.js", headers={"If-None-Match": answer.headers["ETag"]}) as again:
        assert again.status_code == 304


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
    for game in games.available():
        for option in games.describe(game)["options"]:
            name = option["name"]
            if name in ("players", "map"):  # asked beside the seats
                continue
            wanted = {f"option.{name}", f"how.{name}"} | {f"choice.{name}.{each}" for each in option["choices"] or ()}
            assert wanted <= WORDS["en"].keys(), f"{game.name}: {wanted - WORDS['en'].keys()}"


def test_the_join_code_stands_only_where_phones_can_come_in(house) -> None:
    alone = create_app(house).test_client().get("/").text
    assert "<svg" not in alone.split('id="join"')[1]
    shared = create_app(house, join_urls=["http://192.168.1.20:8000/"]).test_client().get("/").text
    assert 'class="qr"' in shared
    assert "http://192.168.1.20:8000/" in shared
