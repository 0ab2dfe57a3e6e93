"""Mats to be printed from the page, as `tablecoin mat` draws them."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tablecoin import mat as mats
from tablecoin.mat.pdf import pdf


@pytest.mark.parametrize(
    ("name", "paper"), [("two-row", "a4"), ("coin-age:forest", "a3"), ("charuco", "letter"), ("charuco", "tabloid")]
)
def test_a_mat_is_the_one_that_the_command_prints(client: FlaskClient, name: str, paper: str) -> None:
    answer = client.get(f"/mat/{name}.pdf?paper={paper}")
    assert answer.status_code == 200
    assert answer.mimetype == "application/pdf"
    assert answer.data == pdf(mats.load(name), paper)
    assert f'filename="{name.replace(":", "-")}-{paper}.pdf"' in answer.headers["Content-Disposition"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/mat/atlantis.pdf", "There is no mat 'atlantis'"),
        ("/mat/coin-age:secret.toml.pdf", "There is no mat"),  # no file of this computer is read
        ("/mat/two-row.pdf?paper=napkin", "There is no paper 'napkin'"),
    ],
)
def test_what_cannot_be_printed_is_said(client: FlaskClient, path: str, said: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 400
    assert said in answer.get_json()["error"]


@pytest.mark.parametrize("name", ["classic", "forest", "frozen", "lagoon", "volcano"])
def test_a_map_is_drawn_small_to_choose_it_by(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/mat/coin-age:{name}.svg")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert len(answer.data) < 6000
    mat = mats.load(f"coin-age:{name}")
    spaces = [zone.short_name for zone in mat.zones if zone.kind == "space"]
    assert [answer.text.count(f">{space}</text>") for space in spaces] == [1] * len(spaces)


def test_only_known_maps_are_drawn(client: FlaskClient) -> None:
    assert client.get("/mat/coin-age:atlantis.svg").status_code == 404
    assert client.get("/mat/coin-age:..%2Fsecret.svg").status_code == 404
