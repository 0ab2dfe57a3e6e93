"""The pages load everything from this server, and offer the maps and the join code that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tablecoin.storage import mapfiles
from tests.web.quiet import QuietTable
from web import games
from web.app import create_app


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
