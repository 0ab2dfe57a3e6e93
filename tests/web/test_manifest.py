"""The page as an app on a phone."""

from __future__ import annotations

import struct

from flask.testing import FlaskClient


def test_its_icons_are_there_in_the_sizes_it_names(client: FlaskClient) -> None:
    told = client.get("/app.webmanifest")
    assert told.mimetype == "application/manifest+json"
    icons = told.get_json(force=True)["icons"]
    assert [icon["sizes"] for icon in icons] == ["192x192", "512x512"]
    for icon in icons:
        with client.get(icon["src"]) as picture:
            width, height = struct.unpack(">II", picture.data[16:24])  # the head of a PNG
        assert f"{width}x{height}" == icon["sizes"]


def test_every_page_names_it(client: FlaskClient) -> None:
    assert 'rel="manifest" href="/app.webmanifest"' in client.get("/score").text
