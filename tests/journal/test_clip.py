"""Clips: their file, their place beside the evidence, and the one budget of both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tablecoin.journal import evidence_folder
from tablecoin.journal.clip import MOST_BYTES, clip_of
from tablecoin.journal.evidence import Evidence
from tablecoin.journal.evidence_folder import EvidenceFolder
from tablecoin.journal.journal import Journal
from tablecoin.referee.events import Rejected, Started
from tablecoin.vision.shown.film import MOST_CUT_BYTES, Still

STILLS = (Still(7.5, b"one"), Still(8.0, b"second\n"), Still(9.25, b"3"))
CLIP = clip_of(STILLS, 9.25)
KEPT = Evidence(b"{}", None, b"a picture")
DIGEST = KEPT.digest


@pytest.fixture
def folder(tmp_path: Path) -> EvidenceFolder:
    made = EvidenceFolder(tmp_path)
    made.keep(KEPT)
    made.keep_clip(DIGEST, CLIP)
    return made


def test_a_clip_is_a_line_of_json_and_the_jpegs_behind_it() -> None:
    line, _, jpegs = CLIP.partition(b"\n")
    assert json.loads(line) == {
        "stills": [{"at_s": -1.75, "bytes": 3}, {"at_s": -1.25, "bytes": 7}, {"at_s": 0.0, "bytes": 1}]
    }
    assert jpegs == b"onesecond\n3"


def test_the_largest_cut_makes_a_clip_below_the_limit() -> None:
    many = [Still(k / 8, bytes(2_000)) for k in range(MOST_CUT_BYTES // 2_000)]  # the smallest JPEGs: most places
    assert len(clip_of(many, 100.0)) <= MOST_BYTES


def test_a_clip_is_found_by_the_number_of_its_ruling(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    journal.append([Started(1, "steal", {}, {})])
    journal.append([Rejected(2, "steal.place.limit", "Too high.", "camera")], KEPT)
    assert [journal.digest(number) for number in (1, 2, 3)] == [None, DIGEST, None]
    assert journal.clip(DIGEST) is None
    journal.keep_clip(DIGEST, CLIP)
    kept = journal.clip(DIGEST)
    assert kept
    assert (kept.clip, kept.checked) == (CLIP, True)
    assert journal.evidence(2) == (Rejected(2, "steal.place.limit", "Too high.", "camera"), KEPT)
    journal.close()


@pytest.mark.parametrize(
    "harm",
    [
        lambda file: file.unlink(),
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(file.read_bytes()[:-1]),
        lambda file: file.write_bytes(file.read_bytes().replace(b"second", b"sekond")),
        lambda file: file.write_bytes(file.read_bytes() + bytes(MOST_BYTES)),
        lambda file: (file.unlink(), file.mkdir()),
    ],
    ids=["gone", "empty", "cut off", "changed", "far too long", "a folder"],
)
def test_a_clip_that_is_damaged_is_not_shown_and_harms_nothing_else(
    folder: EvidenceFolder, tmp_path: Path, harm: object
) -> None:
    assert folder.clip(DIGEST) is not None
    assert callable(harm)
    harm(tmp_path / f"{DIGEST}.clip")
    assert folder.clip(DIGEST) is None
    assert folder.find(DIGEST) == KEPT


def test_the_clip_of_another_ruling_is_not_shown(folder: EvidenceFolder, tmp_path: Path) -> None:
    other = Evidence(b"{}", None, b"another").digest
    (tmp_path / f"{other}.clip").write_bytes((tmp_path / f"{DIGEST}.clip").read_bytes())
    assert folder.clip(other) is None


def test_pictures_and_clips_share_one_budget_and_the_oldest_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence_folder, "_MOST_BYTES", 200_000)
    folder = EvidenceFolder(tmp_path)
    digests = []
    for number in range(20):
        digests.append(folder.keep(Evidence(str(number).encode(), None, bytes(10_000))))
        folder.keep_clip(digests[-1], bytes(30_000))
        assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 200_000
    pictured = [number for number, digest in enumerate(digests) if folder.find(digest)]
    filmed = [number for number, digest in enumerate(digests) if folder.clip(digest)]
    assert filmed == list(range(filmed[0], 20)), "the newest"
    assert pictured[-len(filmed) :] == filmed
    assert 4 <= len(filmed) <= 5
    assert len(pictured) - len(filmed) in (0, 1), "a ruling's pictures are older than its clip"
