"""The page for teaching a map and its two calls, with a stand-in for who learns."""

from __future__ import annotations

import io
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.quiet import QuietTable
from web.app import create_app

TAPS = b'{"size_px": [640, 480], "corners_px": [[10, 10], [600, 12], [598, 470], [12, 468]]}'


class Pupil:
    """Learns nothing; keeps what it was sent, or refuses it."""

    def __init__(self) -> None:
        self.sent: list[tuple[bytes, ...]] = []
        self.refusal: str | None = None

    def teach(self, photo: bytes, lesson: bytes) -> dict[str, Any]:
        return self._learn({"map": "isle", "path": "isle.toml", "spaces": 10, "points": 900}, photo, lesson)

    def guess(self, body: bytes) -> dict[str, Any]:
        return self._learn({"aspect": 1.5, "neighbours": []}, body)

    def _learn(self, answer: dict[str, Any], *sent: bytes) -> dict[str, Any]:
        self.sent.append(sent)
        if self.refusal:
            raise ValueError(self.refusal)
        return answer


@pytest.fixture
def pupil() -> Pupil:
    return Pupil()


@pytest.fixture
def client(live: QuietTable, pupil: Pupil) -> FlaskClient:
    return create_app(live, teacher=pupil).test_client()


def form(**parts: object) -> dict[str, object]:
    return {name: (io.BytesIO(part), "card.jpg") if isinstance(part, bytes) else part for name, part in parts.items()}


def test_the_page_is_there(client: FlaskClient) -> None:
    page = client.get("/teach")
    assert page.status_code == 200
    assert "teach-photo" in page.text


def test_a_photo_and_its_lesson_are_handed_on(client: FlaskClient, pupil: Pupil) -> None:
    told = client.post("/api/teach", data=form(photo=b"jpeg", lesson='{"name": "isle"}'))
    assert told.get_json() == {"map": "isle", "path": "isle.toml", "spaces": 10, "points": 900}
    assert pupil.sent == [(b"jpeg", b'{"name": "isle"}')]


@pytest.mark.parametrize("parts", [form(photo=b"jpeg"), form(lesson="{}"), {}], ids=["no lesson", "no photo", "none"])
def test_a_form_with_one_part_only_is_refused(client: FlaskClient, pupil: Pupil, parts: dict[str, object]) -> None:
    told = client.post("/api/teach", data=parts, content_type="multipart/form-data")
    assert told.status_code == 400
    assert told.json is not None
    assert "`photo`" in told.json["error"]
    assert pupil.sent == []


def test_a_guess_is_asked_for_with_what_was_tapped(client: FlaskClient, pupil: Pupil) -> None:
    told = client.post("/api/teach/guess", data=TAPS, content_type="application/json")
    assert (told.status_code, told.get_json()) == (200, {"aspect": 1.5, "neighbours": []})
    assert pupil.sent == [(TAPS,)]


def test_three_corners_are_refused(client: FlaskClient, pupil: Pupil) -> None:
    three = {"size_px": [640, 480], "corners_px": [[0, 0], [9, 0], [9, 9]]}
    told = client.post("/api/teach/guess", json=three)
    assert told.status_code == 400
    assert "`corners_px`" in told.get_json()["error"]
    assert pupil.sent == []


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/api/teach", {"data": form(photo=b"x", lesson="{}")}),
        ("/api/teach/guess", {"data": TAPS, "content_type": "application/json"}),
    ],
)
def test_the_teachers_refusal_is_passed_on(client: FlaskClient, pupil: Pupil, path: str, sent: dict[str, Any]) -> None:
    pupil.refusal = "Tap the four corners of the card."
    told = client.post(path, **sent)
    assert (told.status_code, told.get_json()["error"]) == (400, "Tap the four corners of the card.")
