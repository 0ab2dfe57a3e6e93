"""Evidence: small pictures, what was read, and a digest, written in one step with their ruling."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random
from types import SimpleNamespace

import cv2
import msgspec
import numpy as np
import pytest

from tablecoin.journal import evidence_folder
from tablecoin.journal.evidence import MOST_BYTES, Evidence, evidence_of, picture
from tablecoin.journal.evidence_folder import EvidenceFolder
from tablecoin.journal.export import record_of
from tablecoin.journal.journal import Journal
from tablecoin.referee.events import Acted, Rejected, Started
from tablecoin.referee.scribe import Exhibit
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Disc, Frame, Reading, SeenCoin, whichever

STARTED = Started(1, "steal", {"starter": "heads"}, {})
TOSS = Acted(2, {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}, "table", "camera")
REFUSED = Rejected(3, "steal.place.limit", "Too high.", "camera", {"do": "place", "coin": "dime"})
DIME = SeenCoin(Disc(400.0, 300.0, 40.0), (0.0, 0.0, 0.99, 0.0), whichever(0.98), True, (120.0, 90.0), "row.heads")
VAGUE = SeenCoin(Disc(800.0, 300.0, 44.0), (0.3, 0.1, 0.1, 0.0), whichever(0.5), False, (240.0, 90.0), "row.heads")


def reading(*coins: SeenCoin) -> Reading:
    noise = np.random.default_rng(1).integers(0, 255, (960, 1280, 3)).astype(np.uint8)  # noise packs worst of all
    return Reading(Frame(noise, 1, 0.0), coins, 0.3, "two-row")


def test_a_picture_is_small_even_of_noise_and_marks_the_coins() -> None:
    grey = Reading(Frame(np.full((960, 1280, 3), 128, np.uint8), 1, 0.0), (DIME, VAGUE), 0.3)
    assert len(picture(reading(DIME))) <= MOST_BYTES
    shown = cv2.imdecode(np.frombuffer(picture(grey), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape[1] == 720
    rim = shown[round(300 * 0.5625), round((400 - 42) * 0.5625)].astype(int)
    assert abs(rim - 128).max() > 20  # a ring in the dime's colour
    assert abs(shown[round(700 * 0.5625), 500].astype(int) - 128).max() < 5


def test_evidence_holds_the_words_and_what_was_read() -> None:
    kept = evidence_of(Exhibit(None, reading(DIME, VAGUE), Message("referee.lobby")))
    body = msgspec.json.decode(kept.body)
    assert set(body["said"]) == {"en", "zh"}
    assert body["before"] is None
    assert kept.before is None
    assert [coin["denomination"] for coin in body["after"]] == ["dime", None]
    assert body["after"][1]["alternatives"][0]["denomination"] == "penny"


def test_evidence_is_written_with_its_ruling_and_the_record_names_its_digest(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    kept = evidence_of(Exhibit(reading(), reading(DIME), Message("referee.lobby")))
    journal.append([STARTED, TOSS])
    journal.append([REFUSED], kept)
    assert journal.evidence(2) is None
    assert journal.evidence(3) == (REFUSED, kept)
    assert journal.digests() == (None, None, kept.digest)
    record = record_of(journal.newest_game(), journal.digests())
    assert [entry.extra.get("evidence") for entry in record.entries] == [None, kept.digest, None]
    journal.close()


def test_the_digest_changes_with_every_part() -> None:
    kept = Evidence(b"{}", b"one", b"two")
    others = [Evidence(b"{ }", b"one", b"two"), Evidence(b"{}", None, b"two"), Evidence(b"{}", b"one", b"tw")]
    assert len({one.digest for one in [kept, *others]}) == 4


def kept(number: int) -> Evidence:
    return Evidence(str(number).encode(), None, bytes(10_000))


def test_under_a_budget_the_oldest_pictures_make_room_and_their_digests_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence_folder, "_MOST_BYTES", 100_000)
    journal = Journal(tmp_path / "journal.sqlite")
    journal.append([STARTED])
    for number in range(2, 32):
        assert journal.append([REFUSED], kept(number)) is True
    there = [number for number in range(2, 32) if journal.evidence(number)]
    assert there == list(range(there[0], 32)), "the newest"
    assert 7 <= len(there) <= 10
    assert journal.digests() == (None, *(kept(number).digest for number in range(2, 32)))
    assert sum(file.stat().st_size for file in (tmp_path / "evidence").iterdir()) <= 100_000
    journal.close()


def aged(folder: Path, days: float) -> None:
    """The files as a clock that is so far ahead would have dated them."""
    for file in folder.iterdir():
        told = file.stat()
        os.utime(file, ns=(told.st_atime_ns, told.st_mtime_ns + round(days * 86_400e9)))


@pytest.mark.parametrize("restarted", [False, True])
def test_after_the_clock_was_ahead_the_pictures_of_the_oldest_events_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, restarted: bool
) -> None:
    monkeypatch.setattr(evidence_folder, "_MOST_BYTES", 100_000)
    journal = Journal(tmp_path / "journal.sqlite")
    journal.append([STARTED])
    for number in range(2, 9):
        journal.append([REFUSED], kept(number))
    aged(tmp_path / "evidence", 365)
    if restarted:
        journal.close()
        journal = Journal(tmp_path / "journal.sqlite")
    for number in range(9, 15):
        journal.append([REFUSED], kept(number))
        there = [each for each in range(2, number + 1) if journal.evidence(each)]
        assert there == list(range(there[0], number + 1)), "the newest"
    assert there[0] > 2
    journal.close()


@pytest.mark.long
def test_whatever_sixty_set_clocks_say_the_pictures_of_the_oldest_events_leave_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence_folder, "_MOST_BYTES", 300_000)
    random, days, wrong = Random(46), 0.0, []
    journal = Journal(tmp_path / "journal.sqlite")
    journal.append([STARTED])
    newest = 1
    for jump in range(60):
        for _ in range(random.randint(1, 4)):
            newest += 1
            journal.append([REFUSED], kept(newest))
            time_ns = round((20_000 + days) * 86_400e9)
            os.utime(tmp_path / "evidence" / f"{kept(newest).digest}.evidence", ns=(time_ns, time_ns))
            there = [each for each in range(2, newest + 1) if journal.evidence(each)]
            if there != list(range(there[0], newest + 1)):
                wrong.append((jump, there))
        days += random.choice([-1, 1]) * random.choice([0.01, 1, 400])
        if random.random() < 0.2:
            journal.close()
            journal = Journal(tmp_path / "journal.sqlite")
    assert wrong == []
    assert there[0] > 60
    journal.close()


def test_pictures_that_no_event_names_make_room_first_the_oldest_file_before_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their journal was set aside, or the event could not be written."""
    monkeypatch.setattr(evidence_folder, "_MOST_BYTES", 100_000)
    folder = EvidenceFolder(tmp_path / "evidence")
    unnamed = [folder.keep(kept(number)) for number in (1, 2, 3)]
    aged(tmp_path / "evidence", 365)
    os.utime(tmp_path / "evidence" / f"{unnamed[1]}.evidence", (0, 0))
    journal = Journal(tmp_path / "journal.sqlite")
    journal.append([STARTED])
    left = []
    for number in range(2, 11):
        journal.append([REFUSED], kept(100 + number))
        left.append([digest for digest in unnamed if folder.find(digest)])
    assert left[-1] == []
    assert [unnamed[0], unnamed[2]] in left
    assert unnamed[1:2] not in left
    assert journal.evidence(2), "the oldest event's pictures are still there when those of no event are gone"
    journal.close()


def test_on_a_small_disk_pictures_take_a_tenth_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(total=300_000, free=300_000))
    folder = EvidenceFolder(tmp_path / "evidence")
    digests = [folder.keep(kept(number)) for number in range(10)]
    assert [folder.find(digest) is not None for digest in digests[-2:]] == [True, True]
    assert folder.find(digests[0]) is None


def test_what_a_power_cut_left_half_written_goes_before_the_first_picture_comes(tmp_path: Path) -> None:
    (tmp_path / "evidence").mkdir()
    for name in ("aa.evidence.part", "bb.clip.part"):
        (tmp_path / "evidence" / name).write_bytes(bytes(50_000))
    folder = EvidenceFolder(tmp_path / "evidence")
    digest = folder.keep(kept(1))
    assert [file.name for file in (tmp_path / "evidence").iterdir()] == [f"{digest}.evidence"]
    (tmp_path / "evidence" / "cc.clip.part").write_bytes(b"another thread is just writing it")
    folder.keep(kept(2))
    assert (tmp_path / "evidence" / "cc.clip.part").exists()


def test_a_journal_that_is_mended_spares_the_clip_that_is_just_being_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    journal.append([STARTED])
    journal.append([REFUSED], kept(1))
    (tmp_path / "evidence" / "cc.clip.part").write_bytes(b"another thread is just writing it")
    (tmp_path / "journal.jsonl").unlink()
    assert journal.append([REFUSED], kept(2)) is True
    assert [message.key for message in journal.said] == ["journal.copy_mended"]
    assert (tmp_path / "evidence" / "cc.clip.part").exists()
    journal.close()


def test_a_damaged_picture_is_not_shown(tmp_path: Path) -> None:
    folder = EvidenceFolder(tmp_path / "evidence")
    digest = folder.keep(kept(1))
    (file,) = (tmp_path / "evidence").iterdir()
    file.write_bytes(file.read_bytes().replace(bytes(100), b"x" * 100, 1))
    assert folder.find(digest) is None
