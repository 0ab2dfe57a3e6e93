"""What was learned of a table's own coins is kept in a file, and only the network it was learned for uses it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from tablecoin.rules.rulebook import Message, sentence
from tablecoin.vision.calibrated import Calibration
from tablecoin.vision.coins.enrolled import own_coins
from tablecoin.vision.coins.enrolment import Count, Enrolment, EnrolmentError
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.frame import Disc
from tests.storage.damage import flipped

FEATURES = 192  # of the network that comes with tablecoin
LOGITS = 6
PICTURE = np.random.default_rng(2).integers(0, 255, (60, 60, 3)).astype(np.uint8)


@pytest.fixture(scope="module")
def identifier() -> Identifier:
    return Identifier()


@pytest.fixture
def enrolment(identifier: Identifier) -> Enrolment:
    change = np.random.default_rng(1).normal(0, 0.1, (LOGITS, FEATURES + 1)).astype(np.float32)
    return Enrolment(change, identifier.network, 24, Count(13, 1, 0), Count(24, 7, 0))


def test_it_is_saved_and_loaded(enrolment: Enrolment, tmp_path: Path) -> None:
    enrolment.save(tmp_path / "coins.npz")
    again = Enrolment.load(tmp_path / "coins.npz")
    assert np.array_equal(again.change, enrolment.change)
    assert (again.network, again.coins, again.before, again.after) == (
        enrolment.network,
        enrolment.coins,
        enrolment.before,
        enrolment.after,
    )


def test_enrolled_coins_change_the_looks_and_can_be_forgotten(identifier: Identifier, enrolment: Enrolment) -> None:
    disc = [Disc(30, 30, 20)]
    plain = identifier(PICTURE, disc)
    identifier.know(enrolment)
    assert identifier(PICTURE, disc).kinds != pytest.approx(plain.kinds, abs=0.01)
    identifier.know(None)
    assert np.array_equal(identifier(PICTURE, disc).kinds, plain.kinds)


def test_what_was_learned_for_another_network_is_not_used(enrolment: Enrolment) -> None:
    other = Enrolment(enrolment.change, "another", 1, enrolment.before, enrolment.after)
    narrow = Enrolment(enrolment.change[:, 1:], enrolment.network, 1, enrolment.before, enrolment.after)
    for strange in (other, narrow):
        assert Identifier(enrolled=strange).enrolled is None


def test_enrolled_coins_that_cannot_be_used_are_reported(enrolment: Enrolment, tmp_path: Path) -> None:
    identifier, path = Identifier(), tmp_path / "coins.npz"
    table = msgspec.structs.replace(Calibration.begin("usb:0", (640, 480), "2026"), coins=path.name)
    assert own_coins(None, tmp_path, identifier) == (None, None)
    none, said = own_coins(table, tmp_path, identifier)
    assert none is None
    assert said is not None
    assert "enrol the coins again" in sentence(said)
    enrolment.save(path)
    found, said = own_coins(table, tmp_path, identifier)
    assert found is not None
    assert said == Message("enrolled.known", {"count": 24})
    Enrolment(enrolment.change, "another", 24, enrolment.before, enrolment.after).save(path)
    none, said = own_coins(table, tmp_path, identifier)
    assert none is None
    assert said == Message("enrolled.network", {"file": path.name})


LEARNED = [
    ("more are right", Count(24, 20, 0), Count(23, 23, 0), True),
    ("as many are right: those shown are known better all the same", Count(24, 19, 0), Count(24, 20, 0), True),
    ("one more is surely wrong", Count(24, 24, 1), Count(23, 19, 0), False),
    ("one fewer is right", Count(23, 23, 0), Count(24, 20, 0), False),
]


@pytest.mark.parametrize(("what", "after", "before", "kept"), LEARNED, ids=[case[0] for case in LEARNED])
def test_it_is_used_when_coins_left_out_are_told_no_worse(what: str, after: Count, before: Count, kept: bool) -> None:
    assert after.no_worse(before) is kept


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04"])
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "coins.npz").write_bytes(content)
    with pytest.raises(EnrolmentError, match="enrol"):
        Enrolment.load(tmp_path / "coins.npz")
    with pytest.raises(EnrolmentError, match="cannot be read"):
        Enrolment.load(tmp_path / "missing.npz")


@pytest.mark.parametrize("count", [600, pytest.param(6000, marks=pytest.mark.long)])
def test_whatever_bit_of_the_file_is_flipped_it_is_right_or_reported_in_a_sentence(
    identifier: Identifier, enrolment: Enrolment, tmp_path: Path, count: int
) -> None:
    path = tmp_path / "coins.npz"
    table = msgspec.structs.replace(Calibration.begin("usb:0", (640, 480), "2026"), coins=path.name)
    enrolment.save(path)
    reported = 0
    for damaged in flipped(path.read_bytes(), count):
        path.write_bytes(damaged)
        found, said = own_coins(table, tmp_path, identifier)
        assert said is not None
        assert found is None or np.array_equal(found.change, enrolment.change)
        assert found is not None or "enrol" in sentence(said)
        reported += found is None
    assert reported > 0.83 * count
