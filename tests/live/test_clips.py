"""Clips of a running table: what is filmed, what is kept, and that nothing waits for it."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tablecoin import rules
from tablecoin.coins import Denomination, Face
from tablecoin.journal.evidence import Evidence, NoEvidence
from tablecoin.journal.evidence_folder import EvidenceFolder
from tablecoin.journal.journal import Journal
from tablecoin.live.archive import Archive
from tablecoin.live.clips import STEALS, TOSSES, Clips, Shown
from tablecoin.referee.events import Acted, Corrected, Event, Nature, Rejected, Started, TakenBack
from tablecoin.rules.rulebook import sentence
from tablecoin.vision.frame import Frame, Reading, Sighting
from tablecoin.vision.rest.settle import Look
from tests.live.looking import Rounds

MOVING = Look(moving=True, hand=True, still_s=0.0, reading=None, sighting=None)
RESTING = Look(moving=False, hand=True, still_s=9.0, reading=None, sighting=None)  # a hand lies still

STARTED = Started(1, "steal", {"starter": "heads"}, {})
TOSS = Acted(2, {"do": "flip", "coins": ["penny:heads"] * 5}, "table", "camera")
PLACED = Acted(3, {"do": "place", "coin": "dime"}, "heads", "camera")
STOLEN = Acted(4, {"do": "break", "into": {"penny": 5}}, "tails", "camera")
REFUSED = Rejected(5, "steal.place.limit", "Too high.", "camera")
UNDONE, LIFTED = TakenBack(6, "phone"), TakenBack(7, "camera")
CORRECTED = Corrected(8, (10.0, 10.0), Denomination.DIME, Face.HEADS)
ANSWERED = Corrected(9, (10.0, 10.0), Denomination.DIME, Face.HEADS, asked=(Nature(Denomination.DIME),))


def frame(taken_s: float) -> Frame:
    return Frame(np.full((240, 320, 3), 90, np.uint8), round(10 * taken_s), taken_s)


def sighted(taken_s: float) -> Look:
    shown = frame(taken_s)
    return Look(False, False, 0.6, None, Sighting(1, Reading(shown, (), 0.5)))


class Evening:
    """A journal, and clips without a thread of their own: `catch_up` does what waits."""

    def __init__(self, path: Path) -> None:
        self.journal = Journal(path / "journal.sqlite")
        self.clips = Clips(self.journal)
        self.archive = Archive(self.journal, self.clips)
        self.now_s = 0.0
        self.journal.append([STARTED])

    def move(self, seconds: float = 1.0) -> None:
        """Coins are moved for some seconds, filmed at 20 frames a second, and come to rest."""
        for _ in range(round(20 * seconds)):
            self.now_s += 0.05
            self.clips.see(frame(self.now_s), MOVING)
            self.clips.catch_up()
        self.now_s += 0.6
        self.clips.see(frame(self.now_s), sighted(self.now_s))

    def rule(self, *events: Event) -> int:
        """Record a ruling on the table at rest; its number."""
        evidence = Evidence(str(self.now_s).encode(), None, b"jpeg")
        self.journal.append(events, evidence)
        self.clips.ruled(events, Shown(evidence.digest, self.now_s))
        self.clips.catch_up()
        return self.journal.count()

    def say(self, *events: Event) -> None:
        """Record what people do with phones: no pictures are kept with it."""
        self.journal.append(events)
        self.clips.ruled(events, None)
        self.clips.catch_up()

    def kept(self, number: int) -> bool:
        """Whether the clip of this ruling is on the disk."""
        digest = self.journal.digest(number)
        return digest is not None and self.journal.clip(digest) is not None


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.journal.close()


def stills(clip: bytes) -> list[float]:
    """When each still of a clip was taken, before the ruling."""
    return [place["at_s"] for place in json.loads(clip.partition(b"\n")[0])["stills"]]


@pytest.mark.parametrize(
    ("event", "kept"),
    [(TOSS, True), (STOLEN, True), (REFUSED, True), (PLACED, False)],
    ids=["a toss", "a steal", "a refusal", "a coin placed"],
)
def test_tosses_steals_and_refusals_keep_their_clip(evening: Evening, event: Event, kept: bool) -> None:
    evening.move()
    number = evening.rule(event)
    assert evening.kept(number) is kept
    assert stills(evening.archive.clip(number))[-1] == 0.0, "the last ruling's clip is shown, kept or not"
    evening.move()
    evening.rule(PLACED)
    assert evening.kept(number) is kept


@pytest.mark.parametrize(
    ("said", "kept"),
    [(UNDONE, True), (CORRECTED, True), (LIFTED, False), (ANSWERED, False)],
    ids=["taken back by phone", "a coin corrected", "coins lifted within the turn", "a question answered"],
)
def test_a_ruling_that_people_dispute_keeps_its_clip(evening: Evening, said: Event, kept: bool) -> None:
    evening.move()
    number = evening.rule(PLACED)
    evening.say(said)
    assert evening.kept(number) is kept


def test_a_ruling_without_pictures_is_not_taken_for_the_one_before(evening: Evening) -> None:
    evening.move()
    number = evening.rule(PLACED)
    evening.say(PLACED)
    evening.say(UNDONE)
    assert not evening.kept(number)


def test_a_clip_shows_the_table_before_the_movement_and_the_coins_at_rest(evening: Evening) -> None:
    evening.move()
    evening.rule(PLACED)
    evening.now_s += 60
    evening.move(seconds=2.0)
    before, *moving, rest = stills(evening.archive.clip(evening.rule(TOSS)))
    assert before < -60
    assert rest == 0.0
    assert moving[0] == pytest.approx(-2.55, abs=0.06)
    assert all(0.11 < after - here < 0.2 for here, after in pairwise(moving)), "eight stills a second"


def test_a_table_at_rest_is_not_filmed_even_under_a_hand(evening: Evening) -> None:
    for k in range(100):
        evening.clips.see(frame(k / 10), RESTING)
        evening.clips.catch_up()
    with pytest.raises(NoEvidence):
        evening.archive.clip(evening.rule(TOSS))


def test_frames_do_not_pile_up_while_the_disk_is_slow(evening: Evening) -> None:
    for k in range(50):
        evening.clips.see(frame(k / 5), MOVING)  # the clips' thread does nothing meanwhile
    evening.now_s = 10.0
    assert len(stills(evening.archive.clip(evening.rule(TOSS)))) == 2


@pytest.mark.parametrize("number", [1, 2, 99], ids=["the start", "nothing moved before it", "no such ruling"])
def test_what_has_no_clip_is_said_in_one_sentence(evening: Evening, number: int) -> None:
    evening.rule(TOSS)
    with pytest.raises(NoEvidence) as said:
        evening.archive.clip(number)
    assert sentence(said.value.message).startswith(f"There is no clip of ruling {number}")


def test_a_clip_that_cannot_be_kept_is_said_until_it_is(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(EvidenceFolder, "keep_clip", full)
        evening.move()
        number = evening.rule(TOSS)
    assert evening.journal.evidence(number) is not None, "the ruling stands, with its pictures"
    assert evening.clips.said is not None
    assert "No space left on device" in sentence(evening.clips.said)
    monkeypatch.setattr("tablecoin.live.clips._WAKE_S", 0.0)
    evening.clips.run(Rounds(lambda: None, lambda: None))
    assert evening.clips.said is None
    evening.archive.clip(number)


def test_a_fault_does_not_end_the_thread(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    evidence = Evidence(b"{}", None, b"jpeg")

    def film_nothing() -> None:
        evening.clips.see(Frame(np.zeros((0, 0, 3), np.uint8), 1, 0.1), MOVING)  # no picture at all

    def rule() -> None:
        assert "a clip could not be made" in caplog.text
        evening.clips.see(frame(0.5), MOVING)
        evening.journal.append([TOSS], evidence)
        evening.clips.ruled([TOSS], Shown(evidence.digest, 0.5))

    evening.clips.run(Rounds(film_nothing, rule))
    assert evening.journal.clip(evidence.digest) is not None


def test_every_act_that_keeps_a_clip_is_an_act_of_a_game() -> None:
    """A renamed act would lose its clips without a word."""
    known = {kind.__struct_config__.tag for name in rules.NAMES for kind in rules.load(name).action_types}
    assert known >= TOSSES | STEALS
