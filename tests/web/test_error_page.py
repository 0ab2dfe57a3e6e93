"""Refusals: a page for people who opened an address, JSON for everything else."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("path", "status", "title"),
    [
        ("/nowhere", 404, "error.nothing"),
        ("/rules/chess", 404, "error.nothing"),
        ("/mat/none.pdf", 400, "error.other"),
    ],
)
def test_a_browser_gets_a_page(client: FlaskClient, path: str, status: int, title: str) -> None:
    answer = client.get(path, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    assert f'data-i18n="{title}"' in answer.text
    assert 'href="/"' in answer.text
    assert "frame-ancestors" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/nowhere", {}),
        ("/nowhere", {"Accept": "application/json"}),
        ("/api/nowhere", BROWSER),
        ("/frame.jpg?view=side", BROWSER),
    ],
)
def test_everything_else_gets_json(client: FlaskClient, path: str, headers: dict[str, str]) -> None:
    answer = client.get(path, headers=headers)
    assert answer.mimetype == "application/json"
    assert set(answer.get_json()) == {"error", "texts"}
