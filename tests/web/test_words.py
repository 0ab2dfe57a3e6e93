"""Every sentence a person may read over the web stands in a catalogue, in both languages, and nowhere in code."""

from __future__ import annotations

import ast
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import web
from tablecoin.photos.counting import Score
from tablecoin.referee.commands import CommandError
from tablecoin.rules.rulebook import Message, sentence
from tests.web.browsing import module
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web import words
from web.app import create_app

FOLDER = Path(web.__file__).parent
PAGE_WORDS = json.loads((FOLDER / "static" / "i18n" / "en.json").read_text("utf-8"))
CHINESE = re.compile("[\u4e00-\u9fff]")
NOT_FOR_VISITORS = ("server.py", "openapi.py", "typescript.py")  # a terminal's sentences, and files for programmers
CODE = [path for path in sorted(FOLDER.rglob("*.py")) if path.name not in NOT_FOR_VISITORS]
SCRIPTS = sorted((FOLDER / "static" / "js").rglob("*.js"))
TEMPLATES = sorted((FOLDER / "templates").glob("*.html"))
SENTENCE = re.compile(r"[A-Z][a-z]+ [a-z]+|[a-z]+ [a-z]+[.?!]$|[\u4e00-\u9fff]")  # words that follow one another


# -- the server's catalogue -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", words.catalogue())
def test_every_sentence_of_the_server_is_in_both_languages_with_the_same_blanks(key: str) -> None:
    said = words.catalogue()[key]
    assert set(said) == {"en", "zh"}
    assert CHINESE.search(said["zh"])
    assert set(re.findall(r"\{\w+\}", said["en"])) == set(re.findall(r"\{\w+\}", said["zh"]))


def test_the_catalogue_has_exactly_the_sentences_that_the_code_uses() -> None:
    asked = {
        text.value
        for path in CODE
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) in ("say", "said_by")
        for text in call.args
        if isinstance(text, ast.Constant)
    }
    assert asked == {key for key in words.catalogue() if not key.startswith("http.")}  # those are named by the status


# -- no sentence in code ----------------------------------------------------------------------------------------------


def texts_in(path: Path) -> Iterator[str]:
    """Every text that stands in a module, docstrings apart; of an f-string its fixed parts."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.name))
def test_the_servers_code_has_no_sentence(path: Path) -> None:
    assert [text for text in texts_in(path) if SENTENCE.search(text)] == []


def quoted_in(script: str) -> Iterator[str]:
    """Every quoted text of a script, comments apart; of a template its fixed parts."""
    for text in re.findall(r'//[^\n]*|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', script):
        yield re.sub(r"\$\{[^}]*\}", " ", "".join(text))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.name))
def test_the_pages_scripts_have_no_sentence(path: Path) -> None:
    assert [text for text in quoted_in(path.read_text("utf-8")) if SENTENCE.search(text)] == []


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ('notice("That was not accepted.");', ["That was not accepted."]),
        ('h("p", null, `Not sure about ${what}`)', ["p", "Not sure about  "]),
        ('say("第一回合")', ["第一回合"]),
    ],
)
def test_the_search_finds_a_sentence_in_a_script(script: str, found: list[str]) -> None:
    assert list(quoted_in(script)) == found
    assert SENTENCE.search(found[-1])


class Shown(HTMLParser):
    """Collects the texts of a template that have letters, each with the catalogue's key of the element it stands in."""

    EMPTY = ("input", "img", "link", "meta", "br")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str | None, str]] = []
        self._open: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.EMPTY:
            self._open.append(dict(attrs).get("data-i18n"))

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        if re.search(r"\w", data):
            self.found.append((self._open[-1] if self._open else None, " ".join(data.split())))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.name))
def test_the_text_of_a_template_is_the_catalogues_english(path: Path) -> None:
    bare = re.sub(r"\{[{%].*?[%}]\}", "", path.read_text("utf-8"), flags=re.DOTALL)  # without what Jinja fills in
    shown = Shown()
    shown.feed(bare)
    apart = {(None, "tablecoin"), (None, "PDF")}  # a name, and a file type
    wrong = [(key, text) for key, text in shown.found if (key, text) not in apart and PAGE_WORDS.get(key) != text]
    assert [(key, text) for key, text in wrong if key != "language"] == []  # that button names the other language


# -- what a visitor gets ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/api/undo", 405),
        ("POST", "/api/press", 400),
        ("GET", "/api/rulebook/chess", 404),
        ("GET", "/api/rulebook/steal?lang=fr", 400),
        ("GET", "/frame.jpg?view=side", 400),
        ("GET", "/mat/atlantis.pdf", 400),
        ("POST", "/api/virtual/arrange", 400),  # the referee's own sentence
    ],
)
def test_an_error_is_one_sentence_in_every_language(client: FlaskClient, method: str, path: str, status: int) -> None:
    answer = client.open(path, method=method)
    assert answer.status_code == status
    problem = answer.get_json()
    assert problem["texts"]["en"] == problem["error"]
    assert CHINESE.search(problem["texts"]["zh"])


def test_an_error_with_sentences_of_its_own_is_answered_with_them(
    live: QuietTable, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(image: bytes, map_name: str | None) -> Score:
        raise CommandError(Message("command.no_game"))

    monkeypatch.setattr(live, "score", refuse)
    answer = client.post("/api/score", data={"photo": (io.BytesIO(b"a photo"), "p.jpg")})
    assert answer.get_json()["texts"]["zh"] == sentence(Message("command.no_game"), "zh")


@pytest.mark.parametrize(
    ("method", "path", "body", "said"),
    [
        (
            "POST",
            "/api/games",
            {"game": "steal", "options": {"goal": 5}},
            "《一元大奖：偷币》的选项：`goal` 必须在 10 到 1000 之间，不能是5",
        ),
        (
            "POST",
            "/api/games",
            {"game": "chess"},
            "没有游戏 'chess'；游戏有：steal、exact、goes-around、coin-wars、coin-age",
        ),
        ("POST", "/api/press", {"button": 5}, "请求内容不对：`button` 必须是文字，不能是5。"),
        ("POST", "/api/correct", {"face": "heads"}, "correct：缺少 `coin`：请给出整数"),
    ],
)
def test_wrong_input_is_explained_in_chinese_too(
    client: FlaskClient, method: str, path: str, body: dict[str, object], said: str
) -> None:
    assert client.open(path, method=method, json=body).get_json()["texts"]["zh"] == said


def test_a_long_name_is_cut_in_the_answer(client: FlaskClient) -> None:
    assert len(client.get("/api/rulebook/" + "x" * 2000).get_json()["error"]) < 200


@pytest.mark.browser
def test_a_chinese_page_shows_errors_in_chinese(live: QuietTable, stage: Stage) -> None:
    stage.shows(create_app(live), live)
    tab = stage.open(locale="zh-CN", calls_may_fail=True)
    tab.get_by_role("heading", name="真实硬币桌上的裁判").wait_for()
    tab.evaluate(f"import('{module(tab, 'api')}').then((api) => api.post('/api/rulebook/steal'))")
    tab.get_by_test_id("notice").filter(has_text="这个请求要用别的方法。").wait_for()
