"""The pages' own files: kept by browsers while the program is the same, compressed, and never anybody else's."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import web

HERE = Path(web.__file__).with_name("static")


@pytest.fixture
def script(client: FlaskClient) -> str:
    """The address of the first page's script, as the page writes it."""
    found = re.search(r'src="(/static/[^"]+/js/main\.js)"', client.get("/").text)
    assert found
    return found[1]


def test_a_file_is_kept_for_good_at_its_address(client: FlaskClient, script: str) -> None:
    answer = client.get(script)
    assert answer.data == (HERE / "js/main.js").read_bytes()
    assert answer.mimetype in ("text/javascript", "application/javascript")
    assert answer.headers["Cache-Control"] == "max-age=31536000, immutable"


def test_an_older_page_gets_todays_file_and_asks_again_each_time(client: FlaskClient) -> None:
    answer = client.get("/static/0123456789abcdef/js/main.js")
    assert answer.data == (HERE / "js/main.js").read_bytes()
    assert answer.headers["Cache-Control"] == "no-cache"
    again = client.get("/static/0123456789abcdef/js/main.js", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_texts_come_compressed_where_the_browser_can_read_it(client: FlaskClient, script: str) -> None:
    answer = client.get(script, headers={"Accept-Encoding": "gzip, br"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(answer.data) == (HERE / "js/main.js").read_bytes()
    assert "Content-Encoding" not in client.get(script, headers={"Accept-Encoding": "gzip;q=0"}).headers


def loaded(page: str) -> set[str]:
    """The files that a page asks for before it works, by their names: styles, scripts and all these import."""
    found = set(re.findall(r'(?:src|href)="/static/[^/"]+/([^"]+\.(?:js|css|svg))"', page))
    left = [name for name in found if name.endswith(".js")]
    while left:
        script = HERE / left.pop()
        for name in re.findall(r'(?:from|import)\s*\(?"(\.[^"]+\.js)"', script.read_text("utf-8")):
            imported = (script.parent / name).resolve().relative_to(HERE.resolve()).as_posix()
            if imported not in found:
                found.add(imported)
                left.append(imported)
    return found


@pytest.mark.parametrize("path", ["/", "/kiosk", "/score", "/rules/steal", "/history"])
def test_a_page_weighs_little(client: FlaskClient, script: str, path: str) -> None:
    """Pictures of the table come after; of the two catalogues a page asks for one."""
    root, page = script.removesuffix("js/main.js"), client.get(path).text
    names = {
        *loaded(page),
        max((HERE / "i18n").iterdir(), key=lambda each: each.stat().st_size).relative_to(HERE).as_posix(),
    }
    assert "js/i18n.js" in names
    sent = [len(client.get(root + name, headers={"Accept-Encoding": "gzip"}).data) for name in sorted(names)]
    assert sum(sent) + len(gzip.compress(page.encode())) <= 150_000


@pytest.mark.parametrize(
    "name", ["", "js/", "js/none.js", "../app.py", "js/../../app.py", "%2e%2e/app.py", "/etc/passwd"]
)
def test_nothing_else_is_given_out(client: FlaskClient, script: str, name: str) -> None:
    answer = client.get(script.removesuffix("js/main.js") + name)
    assert answer.status_code in (308, 404)
    assert b"Flask" not in answer.data
