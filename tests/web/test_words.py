"""The server answers every error with one sentence in every language."""

from __future__ import annotations

import io
import re

import pytest
from flask.testing import FlaskClient

from tablecoin.photos.counting import Score
from tablecoin.referee.commands import CommandError
from tablecoin.rules.rulebook import Message, sentence
from tests.web.browsing import module
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from web.app import create_app

CHINESE = re.compile("[\u4e00-\u9fff]")


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
