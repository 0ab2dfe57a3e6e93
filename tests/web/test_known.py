"""The remembered coins over the web: consent, pictures, reset, and carrying them to another table."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from tablecoin.coins import Denomination, Face
from tablecoin.live.kept_coins import KeptCoins, Learn
from tablecoin.vision.coins.looks import KINDS
from tablecoin.vision.coins.neighbours import FEATURES
from tablecoin.vision.coins.remembered import Remembered, RememberedCoin
from tablecoin.vision.coins.remembered_file import FILE, packed, save
from tests.web.quiet import QuietTable
from web.app import create_app

JPEG = b"\xff\xd8a small picture"
ONES = np.ones((4, FEATURES), np.float32), np.zeros((4, KINDS + 1), np.float32)
PENNY = RememberedCoin(*ONES, Denomination.PENNY, Face.TAILS, "answer", 3, JPEG, 0.03)


def client_of(live: QuietTable, folder: Path, wish: Learn = "ask") -> FlaskClient:
    """A table that remembers one penny, of a network called `ours`."""
    save(Remembered("ours", (PENNY,)), folder / FILE)
    return create_app(live, kept=KeptCoins(folder, wish, "ours")).test_client()


def test_the_owner_is_asked_and_may_answer_both_ways(live: QuietTable, tmp_path: Path) -> None:
    client = client_of(live, tmp_path)
    assert client.get("/api/known").json == {
        "learn": "ask",
        "fixed": False,
        "coins": [{"denomination": "penny", "face": "tails", "source": "answer", "picture": "/api/known/0.jpg"}],
        "trouble": None,
        "trouble_texts": None,
    }
    for wish in ("on", "off"):
        told = client.post("/api/known/learn", json={"learn": wish}).json
        assert told is not None
        assert told["learn"] == wish


def test_a_coin_has_its_picture(live: QuietTable, tmp_path: Path) -> None:
    client = client_of(live, tmp_path)
    assert client.get("/api/known/0.jpg").data == JPEG
    assert client.get("/api/known/1.jpg").status_code == 404


def test_all_coins_are_forgotten(live: QuietTable, tmp_path: Path) -> None:
    told = client_of(live, tmp_path).post("/api/known/forget").json
    assert told is not None
    assert told["coins"] == []
    assert len(KeptCoins(tmp_path, "ask", "ours").remembered) == 0


def test_coins_are_carried_to_another_table(live: QuietTable, tmp_path: Path) -> None:
    carried = client_of(live, tmp_path / "here").get("/api/known/coins.npz")
    assert carried.headers["Content-Disposition"] == f'attachment; filename="{FILE}"'
    there = create_app(live, kept=KeptCoins(tmp_path / "there", "on", "ours")).test_client()
    told = there.post("/api/known/coins", data={"coins": (io.BytesIO(carried.data), FILE)}).json
    assert told is not None
    assert [coin["denomination"] for coin in told["coins"]] == ["penny"]


REFUSED: list[tuple[str, Learn, bytes | None, int, str]] = [
    ("no file", "on", None, 400, "the form's file"),
    ("nonsense", "on", b"nonsense", 400, "no file of remembered coins"),
    ("another network's coins", "on", packed(Remembered("theirs", (PENNY,))), 400, "another version's network"),
    ("without consent", "off", packed(Remembered("ours", (PENNY,))), 409, "may not keep coins"),
]


@pytest.mark.parametrize(("what", "wish", "sent", "status", "said"), REFUSED, ids=[case[0] for case in REFUSED])
def test_a_file_that_cannot_be_taken_is_refused_in_one_sentence(
    live: QuietTable, tmp_path: Path, what: str, wish: Learn, sent: bytes | None, status: int, said: str
) -> None:
    data = {} if sent is None else {"coins": (io.BytesIO(sent), FILE)}
    answer = client_of(live, tmp_path, wish).post("/api/known/coins", data=data)
    assert answer.status_code == status
    assert answer.json is not None
    assert said in answer.json["error"]
    assert answer.json["texts"]["zh"]


def test_what_tablecoin_toml_says_the_page_cannot_change(live: QuietTable, tmp_path: Path) -> None:
    answer = client_of(live, tmp_path, "off").post("/api/known/learn", json={"learn": "on"})
    assert answer.status_code == 409
    assert answer.json is not None
    assert "tablecoin.toml" in answer.json["error"]
