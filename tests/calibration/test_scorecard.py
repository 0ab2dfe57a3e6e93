"""The scorecard counts rightly: readings made by hand against labels made by hand."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.labels import Label, LabelError, Photo, read_labels
from calibration.scorecard import POOLED, compile_card, risk_coverage, table
from tablecoin.cli import main
from tablecoin.coins import BY_VALUE, Coin, Denomination
from tablecoin.vision.coins.enrolment import Count, Enrolment
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.frame import Disc, Frame, Reading, SeenCoin, whichever

FRAME = Frame(np.zeros((10, 10, 3), np.uint8), 0, 0.0)


def seen(coin: str | None, x: float, sure: bool = True) -> SeenCoin:
    kinds = [0.01] * 4
    if coin is None:
        return SeenCoin(Disc(x, 0, 10), (0.01, 0.01, 0.01, 0.01), whichever(0.5), False)
    kinds[BY_VALUE.index(Coin(coin).denomination)] = 0.95
    return SeenCoin(Disc(x, 0, 10), tuple(kinds), whichever(0.9 if coin.endswith("heads") else 0.1), sure)  # type: ignore[arg-type]


def label(coin: str, x: float) -> Label:
    kind, face = coin.split(":")
    return Label(Disc(x, 0, 10), kind, face)


# (labels, read) -> the counts that are not zero
CASES = {
    "all right": ([("penny:heads", 0)], [("penny:heads", 2, True)], {"found": 1, "sure": 1, "exact_pictures": 1}),
    "missed": ([("penny:heads", 0)], [], {"missed": 1}),
    "too far off is missed and invented": (
        [("dime:tails", 0)],
        [("dime:tails", 5.1, True)],
        {"missed": 1, "invented": 1},
    ),
    "wrong face, sure": ([("dime:tails", 0)], [("dime:heads", 0, True)], {"found": 1, "wrong_and_sure": 1}),
    "wrong kind, not sure": ([("dime:tails", 0)], [("penny:tails", 0, False)], {"not_sure": 1, "wrong_and_sure": 0}),
    "found but unknown": ([("dime:tails", 0)], [(None, 0, False)], {"found": 1, "denomination_answered": 0}),
    "face nobody could tell": ([("penny:unknown", 0)], [("penny:tails", 0, True)], {"face_answered": 0, "found": 1}),
    "dollar left alone": (
        [("dollar:heads", 0)],
        [(None, 0, False)],
        {"odd_coins": 1, "coins": 0, "odd_taken_for_ours": 0},
    ),
    "dollar taken": ([("dollar:heads", 0)], [("quarter:heads", 0, True)], {"odd_taken_for_ours": 1, "invented": 0}),
    "unknown circles are no inventions": (
        [("penny:heads", 0)],
        [("penny:heads", 0, True), (None, 50, False)],
        {"invented": 0},
    ),
}


@pytest.mark.parametrize(("labels", "read", "counts"), CASES.values(), ids=CASES)
def test_counts(
    labels: list[tuple[str, float]], read: list[tuple[str | None, float, bool]], counts: dict[str, int]
) -> None:
    photo = Photo("somebody/1.jpg", tuple(label(*one) for one in labels), complete=True)
    reading = Reading(FRAME, tuple(seen(*one) for one in read), None)
    card = compile_card([photo], lambda _: reading)
    assert {name: getattr(card.folders["somebody"], name) for name in counts} == counts
    assert card.folders[POOLED] == card.folders["somebody"]
    assert "somebody" in table(card)


def test_the_nearest_pairs_match_one_to_one() -> None:
    photo = Photo("x/1.jpg", (label("penny:heads", 0), label("dime:tails", 4)), complete=True)
    card = compile_card([photo], lambda _: Reading(FRAME, (seen("penny:heads", 1), seen("dime:tails", 4.5)), None))
    assert card.folders[POOLED].exact_pictures == 1


def test_risk_falls_with_coverage() -> None:
    points = risk_coverage([(0.9995, True)] * 90 + [(0.5, False)] * 10)
    assert points[0] == (0.999, 0.9, 0.0)
    assert points[-1] == (0.0, 1.0, 0.1)


GOOD = "image,cx_px,cy_px,r_px,denomination,face,complete\n"


def test_labels_are_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(GOOD + "a/1.jpg,10,20,5,dime,heads,yes\na/1.jpg,40,20,5,other,unknown,yes\n")
    (photo,) = read_labels(path)
    assert (photo.folder, photo.complete, len(photo.labels)) == ("a", True, 2)
    assert photo.labels[0] == Label(Disc(10, 20, 5), "dime", "heads")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no column"),
        (GOOD, "no labels"),
        (GOOD + "a.jpg,x,2,3,dime,heads,yes\n", "line 2"),
        (GOOD + "a.jpg,1,2,nan,dime,heads,yes\n", "make no circle"),
        (GOOD + "a.jpg,1,2,-3,dime,heads,yes\n", "make no circle"),
        (GOOD + "a.jpg,1,2,3,yen,heads,yes\n", "yen"),
        (GOOD + "a.jpg,1,2\n", "line 2"),
        (GOOD + "a\0b.jpg,1,2,3,dime,heads,yes\n", "line 2: the picture has no name"),
        (GOOD + ",1,2,3,dime,heads,yes\n", "line 2: the picture has no name"),
        (GOOD + "a.jpg,1,2,3,dime,heads,maybe\n", "line 2: complete is 'maybe': say yes"),
    ],
)
def test_bad_labels_are_named(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(text)
    with pytest.raises(LabelError, match=says):
        read_labels(path)


def test_a_spreadsheet_s_table_is_read(tmp_path: Path) -> None:
    """It begins with a byte order mark and has the line ends of Windows."""
    path = tmp_path / "labels.csv"
    path.write_bytes(b"\xef\xbb\xbf" + (GOOD + "a/1.jpg,10,20,5,dime,heads,no\n").replace("\n", "\r\n").encode())
    (photo,) = read_labels(path)
    assert (photo.name, photo.complete) == ("a/1.jpg", False)


def test_an_endless_file_is_refused() -> None:
    with pytest.raises(LabelError, match="cannot be read"):
        read_labels(Path("/dev/zero"))


def test_the_scorecard_counts_without_and_with_enrolled_coins(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(GOOD + "grey.png,20,20,9,dime,heads,yes\n")
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((60, 80, 3), 128, np.uint8))
    network = Identifier()
    described = network.described(np.zeros((9, 9, 3), np.uint8), [Disc(4, 4, 3)], [Denomination.PENNY])
    change = np.zeros((described.logits.shape[2], described.small.shape[2] + 1), np.float32)
    own = Enrolment(change, network.network, 8, Count(5, 4, 0), Count(7, 6, 0))
    own.save(tmp_path / "own.npz")
    asked = ["scorecard", str(tmp_path / "labels.csv"), "--enrolled"]
    shown = CliRunner().invoke(main, [*asked, str(tmp_path / "own.npz")])
    assert shown.exit_code == 0
    assert "8 sides shown, 5 of them right before, 7 after" in shown.output
    assert shown.output.count("pictures") == 2
    Enrolment(own.change, "another", 8, own.before, own.after).save(tmp_path / "own.npz")
    refused = CliRunner().invoke(main, [*asked, str(tmp_path / "own.npz")])
    assert refused.exit_code == 2
    assert "another network" in refused.output
