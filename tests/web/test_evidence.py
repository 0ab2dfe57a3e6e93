"""The evidence of a ruling and the tosses over the web."""

from __future__ import annotations

import json

import msgspec
import pytest
from flask.testing import FlaskClient

from tablecoin.coins import Coin
from tablecoin.journal.clip import clip_of
from tablecoin.journal.evidence import NoEvidence
from tablecoin.journal.played import Counted
from tablecoin.journal.tosses import Toss
from tablecoin.live.archive import Exhibited, Pictures
from tablecoin.rules.rulebook import Message
from tablecoin.vision.shown.film import Still
from tests.web.quiet import QuietTable

SAID = {"en": "Heads placed a dime.", "zh": "正面放了一角。"}
KEPT = Exhibited(
    number=7,
    accepted=True,
    clause=None,
    said=SAID,
    mat="two-row",
    before=None,
    after=(),
    pictures=Pictures(None, "/api/evidence/7/after.jpg"),
    clip="/api/evidence/7/clip",
    clip_checked=True,
    digest="ab" * 32,
)


CLIP = clip_of([Still(1.0, b"\xff\xd8 a picture")], 1.0)


@pytest.fixture
def disputed(live: QuietTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that kept the evidence of ruling 7, without a picture of before."""

    def only(number: int) -> None:
        if number != 7:
            raise NoEvidence(Message("evidence.none", {"number": number}))

    def evidence(number: int) -> Exhibited:
        only(number)
        return KEPT

    def jpeg(number: int, when: str) -> bytes:
        only(number)
        if when == "before":
            raise NoEvidence(Message("evidence.before", {"number": number}))
        return b"\xff\xd8 a picture"

    def clip(number: int) -> bytes:
        only(number)
        return CLIP

    monkeypatch.setattr(live, "clip", clip)
    monkeypatch.setattr(live, "evidence", evidence)
    monkeypatch.setattr(live, "evidence_jpeg", jpeg)


@pytest.mark.usefixtures("disputed")
def test_the_evidence_and_its_pictures(client: FlaskClient) -> None:
    assert client.get("/api/evidence/7").get_json() == json.loads(msgspec.json.encode(KEPT))
    after = client.get("/api/evidence/7/after.jpg")
    assert (after.mimetype, after.data[:2]) == ("image/jpeg", b"\xff\xd8")
    clip = client.get("/api/evidence/7/clip")
    assert (clip.mimetype, clip.data) == ("application/octet-stream", CLIP)


@pytest.mark.usefixtures("disputed")
@pytest.mark.parametrize(("query", "kept"), [("?digest=ab", True), ("", False)])
def test_a_browser_keeps_a_picture_whose_address_names_its_digest(client: FlaskClient, query: str, kept: bool) -> None:
    """A number alone may be another ruling's after a journal was put back."""
    for part in ("after.jpg", "clip"):
        told = client.get(f"/api/evidence/7/{part}{query}").headers.get("Cache-Control", "")
        assert ("immutable" in told) is kept


@pytest.mark.usefixtures("disputed")
@pytest.mark.parametrize(
    "path", ["8", "8/after.jpg", "8/clip", "7/before.jpg", "99999999999999999999", "7/other.jpg", "-1", "x"]
)
def test_what_was_not_kept_is_not_found_in_one_sentence(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/api/evidence/{path}")
    assert answer.status_code == 404
    assert answer.get_json()["error"].endswith(".")


def test_the_tosses(client: FlaskClient) -> None:
    assert client.get("/api/flips").get_json()["all"] == {"heads": 0, "tosses": 0, "p": 1.0}


@pytest.mark.parametrize(
    ("query", "listed"),
    [("", ["1", "2", "3"]), ("?tosses=2", ["2", "3"]), ("?tosses=0", []), ("?tosses=9", ["1", "2", "3"])],
)
def test_of_many_tosses_only_the_newest_may_be_asked_for(
    live: QuietTable, client: FlaskClient, query: str, listed: list[str]
) -> None:
    tosses = (Toss(1, "steal", at, "table", (Coin.PENNY_HEADS,), stands=True) for at in ("1", "2", "3"))
    live.remembers(Counted(None, tuple(tosses)))
    told = client.get(f"/api/flips{query}").get_json()
    assert [toss["at"] for toss in told["tosses"]] == listed
    assert told["all"]["tosses"] == 3, "all are counted"


@pytest.mark.parametrize("query", ["tosses=-1", "tosses=few"])
def test_a_number_of_tosses_that_is_none_is_refused(client: FlaskClient, query: str) -> None:
    assert client.get(f"/api/flips?{query}").status_code == 400
