"""A coin that a table met before is told by its own likeness; a coin it never met is told as before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.virtual.art import designs, draw_coin
from tablecoin.vision.coins import relief, scale
from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.coins.looks import KINDS, Array, Looks
from tablecoin.vision.coins.neighbours import FEATURES, NEIGHBOURS, SHARE, WEIGHT
from tablecoin.vision.coins.network import FACE_TEMPERATURE, FINE_TURNS, Identifier
from tablecoin.vision.coins.remembered import MOST, MOST_IF_SMOOTH, RIGHT, WRONG, Remembered, RememberedCoin
from tablecoin.vision.coins.remembered_file import RememberedError, load, packed, save, unpacked
from tablecoin.vision.coins.sureness import FACE_SURE
from tablecoin.vision.frame import Disc, Image
from tests.storage.damage import flipped

SIDE_PX = 100
DISC = Disc(SIDE_PX / 2 - 0.5, SIDE_PX / 2 - 0.5, 40)
JPEG = b"\xff\xd8a small picture"
STRUCK = np.array([0.03])  # the relief of a coin that is not worn


@pytest.fixture(scope="module")
def identifier() -> Identifier:
    return Identifier()


@pytest.fixture(autouse=True)
def _nothing_remembered(identifier: Identifier) -> None:
    identifier.recall(None)


def picture(kind: Denomination, face: Face, design: int, turned_deg: float) -> Image:
    """A drawn coin on grey paper, in the middle of a square picture."""
    coin = draw_coin(kind, face, design, 80, turned_deg)
    paper = np.full((SIDE_PX, SIDE_PX, 3), 190, np.uint8)
    alpha = coin[..., 3:] / 255
    inner = paper[10:90, 10:90]
    inner[:] = (alpha * coin[..., :3] + (1 - alpha) * inner).astype(np.uint8)
    return paper


def seen(
    identifier: Identifier,
    image: Image,
    kind: Denomination,
    face: Face | None,
    event: int = 1,
) -> RememberedCoin:
    described = identifier.described(image, [DISC], [kind])
    features, logits = (part[:, 0].astype(np.float32) for part in (described.fine, described.logits))
    return RememberedCoin(features, logits, kind, face, "answer", event, JPEG, float(described.relief[0]))


def shown(image: Image) -> Array:
    """(1,) the relief of the coin at DISC."""
    return relief.shown(Halvings(image), [DISC])


def closely(identifier: Identifier, image: Image) -> Looks:
    """A first look at the coin at DISC, and fine looks."""
    return identifier.again(image, [DISC], identifier(image, [DISC]))


def made_up(number: int, kind: Denomination = Denomination.PENNY, face: Face = Face.HEADS) -> RememberedCoin:
    """A coin whose features point into a direction of its own."""
    features = np.random.default_rng(number).normal(0, 1, (4, FEATURES)).astype(np.float32)
    return RememberedCoin(features, np.zeros((4, KINDS + 1), np.float32), kind, face, "ruling", number, JPEG, 0.03)


def test_without_remembered_coins_every_bit_is_as_before(identifier: Identifier) -> None:
    image = picture(Denomination.DIME, Face.TAILS, 0, 20)
    plain = closely(identifier, image)
    identifier.recall(Remembered(identifier.recogniser))
    again = closely(identifier, image)
    assert np.array_equal(plain.kinds, again.kinds)
    assert np.array_equal(plain.faces, again.faces)


def test_a_coin_seen_again_is_what_people_said(identifier: Identifier) -> None:
    """One memory that is as like as this is nearly a clear vote, on the face of its own denomination alone.

    OpenCV 4 cuts out a little otherwise, and the likeness is a little less. What it votes counts SHARE in the mean.
    """
    image, again = (picture(Denomination.NICKEL, Face.HEADS, 0, turned) for turned in (10, 100))
    plain = closely(identifier, again)
    remembered = Remembered(identifier.recogniser, (seen(identifier, image, Denomination.NICKEL, Face.TAILS),))
    identifier.recall(remembered)
    recognised = closely(identifier, again)
    nickel = BY_VALUE.index(Denomination.NICKEL)
    told = recognised.faces[0] - plain.faces[0]
    features = identifier.features(again, [DISC], range(FINE_TURNS))
    voted = remembered.votes(features, shown(again))[:, 0, KINDS + nickel].mean()
    assert told[nickel] == pytest.approx(SHARE * voted / FACE_TEMPERATURE)
    assert voted < -(0.8 if cv2.__version__ >= "5" else 0.7) * WEIGHT
    assert not np.delete(told, nickel).any()
    assert recognised.kinds[0, nickel] > plain.kinds[0, nickel]


def test_on_a_face_without_relief_memories_confirm_and_do_not_decide(identifier: Identifier) -> None:
    """Smooth coins look alike whichever side lies up; one that was settled would decide for all."""
    smooth = np.asarray(cv2.GaussianBlur(picture(Denomination.PENNY, Face.HEADS, 0, 10), (0, 0), 8), np.uint8)
    plain = closely(identifier, smooth)
    identifier.recall(Remembered(identifier.recogniser, (seen(identifier, smooth, Denomination.PENNY, Face.TAILS),)))
    recognised = closely(identifier, smooth)
    told = recognised.faces[0] - plain.faces[0]
    assert told[0] == pytest.approx(-np.log(RIGHT / WRONG)), "a clear vote would be three times as much"
    assert recognised.kinds[0, 0] > plain.kinds[0, 0], "that it is a penny may be recognised"


def smooth(number: int, face: Face) -> RememberedCoin:
    """A penny without relief, as like to every other of them as can be."""
    return replace(made_up(1, face=face), relief=0.5 * relief.NONE, event=number)


def test_smooth_coins_that_always_were_what_votes_said_are_trusted_ever_more_but_never_sure() -> None:
    """The brown penny that was settled as tails again and again is tails; the votes of others were never tried."""
    few, more, many = (Remembered("network", tuple(smooth(k, Face.TAILS) for k in range(n))) for n in (2, 5, 40))
    tails, heads = (np.array([kept.most_if_smooth[row, 0] for kept in (few, more, many)]) for row in (0, 1))
    assert np.log(RIGHT / WRONG) < tails[0] < tails[1] < tails[2] == MOST_IF_SMOOTH
    assert heads == pytest.approx(np.log(RIGHT / WRONG))
    assert 1 / (1 + np.exp(-MOST_IF_SMOOTH)) < FACE_SURE
    assert many.most_if_smooth[:, 1:] == pytest.approx(np.log(RIGHT / WRONG)), "of other kinds nothing is known"


@pytest.mark.parametrize(
    ("here", "then", "votes"),
    [
        (0.0047, 0.0040, True),
        (0.0095, 0.0047, False),  # a penny's heads was tails by ten memories of a smoother one (lab/log, 2026-11-26)
        (0.0047, 0.0300, False),
        (0.0314, 0.0150, False),  # a nickel's tails was heads by one memory of a flatter nickel's heads
        (0.0314, 0.0260, True),
    ],
)
def test_on_a_face_only_coins_as_worn_as_it_vote(here: float, then: float, votes: bool) -> None:
    coin = replace(made_up(1, face=Face.TAILS), relief=then)
    told = Remembered("network", (coin,)).votes(coin.features[:, None], np.array([here]))
    assert (told[..., KINDS].min() < 0) == votes
    assert (told[..., 0] > 0).all(), "of its denomination they may tell"


def test_smooth_coins_that_look_alike_whichever_side_lies_up_are_trusted_no_more() -> None:
    """Half of the votes for a face were wrong: what is remembered of such coins says nothing about the next one."""
    coins = []
    for number, face in enumerate([Face.HEADS, Face.TAILS] * 10):
        mistaken = np.zeros((4, KINDS + 1), np.float32)
        mistaken[:, KINDS] = -0.5 if face is Face.HEADS else 0.5  # else votes that mislead would have been left out
        coins.append(replace(smooth(number, face), logits=mistaken))
    kept = Remembered("network", tuple(coins))
    assert kept.least is not None
    assert (kept.most_if_smooth[:, 0] == 0).all()


def test_memories_without_a_face_take_no_place_from_those_with_one(identifier: Identifier) -> None:
    """A coin seen often in a bank, where no face counts, is still recognised by the one face that was settled."""
    image, again = (picture(Denomination.NICKEL, Face.HEADS, 0, turned) for turned in (10, 100))
    faced = seen(identifier, image, Denomination.NICKEL, Face.TAILS)
    faceless = [seen(identifier, again, Denomination.NICKEL, None, event=2 + k) for k in range(NEIGHBOURS)]
    features = seen(identifier, again, Denomination.NICKEL, None).features[:, None]
    votes = Remembered(identifier.recogniser, (faced, *faceless)).votes(features, shown(again))
    alone = Remembered(identifier.recogniser, (faced,)).votes(features, shown(again))
    assert alone[..., KINDS:].any()
    assert votes[..., KINDS:] == pytest.approx(alone[..., KINDS:])


def test_remembered_coins_have_no_vote_at_a_first_look(identifier: Identifier) -> None:
    """Else a wrong vote makes a doubtful coin clear, and the fine network, which knows better, is not asked."""
    image = picture(Denomination.NICKEL, Face.HEADS, 0, 10)
    plain = identifier(image, [DISC])
    identifier.recall(Remembered(identifier.recogniser, (seen(identifier, image, Denomination.NICKEL, Face.TAILS),)))
    assert np.array_equal(identifier(image, [DISC]).faces, plain.faces)


def test_what_another_network_remembers_is_not_used(identifier: Identifier) -> None:
    image = picture(Denomination.NICKEL, Face.HEADS, 0, 10)
    plain = closely(identifier, image)
    identifier.recall(Remembered("another", (seen(identifier, image, Denomination.NICKEL, Face.TAILS),)))
    assert np.array_equal(closely(identifier, image).faces, plain.faces)


def test_a_coin_unlike_all_remembered_ones_gets_no_vote(identifier: Identifier) -> None:
    remembered = Remembered(identifier.recogniser, (made_up(1), made_up(2)))
    assert not remembered.votes(np.ones((4, 1, FEATURES)), STRUCK).any()


def test_drawn_coins_left_out_are_told_no_worse(identifier: Identifier) -> None:
    """Half of the designs of each side are remembered. Of the others, all together, the truth is as likely as before.

    Counted in nats, with their sizes: only on a mat are coins remembered, and there sizes are known. Faces gain. Of
    denominations all but a hundredth of a nat is known already: a thousandth more or less is nothing.
    """
    sides = [(kind, face, design) for kind in BY_VALUE for face in Face for design in range(designs(kind, face))]
    known, left_out = sides[::2], sides[1::2]

    looked = [(side, picture(*side, 35)) for side in left_out]
    diameters = np.array([kind.diameter_mm for kind, _, _ in left_out])

    def surprise() -> tuple[float, float]:
        looks = [closely(identifier, image) for _, image in looked]
        kinds = scale.of_measured(diameters, np.concatenate([look.kinds for look in looks]))
        of_faces = of_kinds = 0.0
        for (kind, face, _), look, told in zip(left_out, looks, kinds, strict=True):
            which = BY_VALUE.index(kind)
            heads = float(look.faces[0, which])
            of_faces += np.logaddexp(0, -heads if face is Face.HEADS else heads)
            of_kinds -= np.log(told[which])
        return of_faces, of_kinds

    faces_before, kinds_before = surprise()
    coins = tuple(seen(identifier, picture(*side, 5), side[0], side[1], event=k) for k, side in enumerate(known))
    identifier.recall(Remembered(identifier.recogniser, coins))
    faces, kinds = surprise()
    assert faces <= faces_before
    assert kinds <= kinds_before + 0.001


def test_memories_that_mislead_have_no_vote() -> None:
    """Every coin left out would be told wrongly by its neighbours: at no similarity may they vote."""
    features = made_up(1).features
    truth = np.zeros((4, KINDS + 1), np.float32)
    truth[:, 0] = 3.0
    coins = []
    for number, face in enumerate([Face.HEADS, Face.TAILS] * 2):
        logits = truth.copy()
        logits[:, KINDS] = 0.5 if face is Face.HEADS else -0.5
        alike = features + np.float32(0.001 * number)
        coins.append(RememberedCoin(alike, logits, Denomination.PENNY, face, "ruling", number, JPEG, 0.03))
    assert Remembered("network", tuple(coins)).least is None


def test_what_people_say_replaces_what_contradicts_it_of_the_same_coin() -> None:
    wrong, other = made_up(1), made_up(2)
    said = replace(wrong, face=Face.TAILS, source="correction", event=9)
    assert Remembered("network", (wrong, other)).with_coin(said).coins == (other, said)


def test_a_ruling_replaces_nothing() -> None:
    first = made_up(1)
    ruled = replace(first, face=Face.TAILS, event=9)
    assert Remembered("network", (first,)).with_coin(ruled).coins == (first, ruled)


def test_when_it_is_full_the_older_of_two_alike_is_dropped() -> None:
    coins = [made_up(number, BY_VALUE[number % 4]) for number in range(MOST - 1)]
    twin = replace(coins[0], event=MOST)
    full = Remembered("network", (*coins, twin)).with_coin(made_up(5000, Denomination.PENNY))
    assert len(full) == MOST
    assert coins[0] not in full.coins
    assert twin in full.coins


# -- the file ---------------------------------------------------------------------------------------------------------


def test_the_file_holds_everything(tmp_path: Path) -> None:
    coins = (
        made_up(1),
        replace(made_up(2), face=None, source="correction"),
        made_up(3, Denomination.QUARTER, Face.TAILS),
    )
    save(Remembered("network", coins), tmp_path / "known.npz")
    again = load(tmp_path / "known.npz", "network").coins
    for coin, read in zip(coins, again, strict=True):
        assert (read.kind, read.face, read.source, read.event, read.picture) == (
            coin.kind,
            coin.face,
            coin.source,
            coin.event,
            coin.picture,
        )
        assert read.features == pytest.approx(coin.features, abs=2e-3)  # half precision
        assert np.array_equal(read.logits, coin.logits)
        assert read.relief == pytest.approx(coin.relief)


def test_nothing_is_remembered_where_there_is_no_file(tmp_path: Path) -> None:
    assert load(tmp_path / "known.npz", "network") == Remembered("network")
    assert unpacked(packed(Remembered("network")), "network") == Remembered("network")


def test_the_file_of_a_full_memory_stays_within_its_budget() -> None:
    coins = tuple(replace(made_up(number), picture=b"\xff\xd8" + bytes(1998)) for number in range(MOST))
    assert len(packed(Remembered("network", coins))) < 2_000_000


def file_of(coin: RememberedCoin) -> bytes:
    return packed(Remembered("network", (coin,)))


GOOD = file_of(made_up(1))
NARROW, NAN = np.ones((4, 9), np.float32), np.full((4, FEATURES), np.nan, np.float32)
BROKEN = [
    ("empty", b""),
    ("something else", b"nonsense"),
    ("an archive cut short", GOOD[: len(GOOD) // 2]),
    ("bytes changed in the middle", GOOD[:600] + bytes(100) + GOOD[700:]),
    ("a picture that is no JPEG", file_of(replace(made_up(1), picture=b"GIF89a"))),
    ("features of another width", file_of(replace(made_up(1), features=NARROW))),
    ("not a number", file_of(replace(made_up(1), features=NAN))),
    ("less than no relief", file_of(replace(made_up(1), relief=-1.0))),
]


@pytest.mark.parametrize(("what", "content"), BROKEN, ids=[case[0] for case in BROKEN])
def test_a_damaged_file_is_refused_in_one_sentence(tmp_path: Path, what: str, content: bytes) -> None:
    (tmp_path / "known.npz").write_bytes(content)
    with pytest.raises(RememberedError, match="no file of remembered coins"):
        load(tmp_path / "known.npz", "network")


def test_a_file_of_another_network_is_refused() -> None:
    with pytest.raises(RememberedError, match="another version's network"):
        unpacked(GOOD, "another")


def unpacked_or_none(data: bytes, network: str) -> Remembered | None:
    try:
        return unpacked(data, network)
    except RememberedError:
        return None


def test_whatever_bit_of_the_file_is_flipped_it_is_right_or_refused(identifier: Identifier) -> None:
    known = Remembered(identifier.recogniser)
    for kind in BY_VALUE:
        known = known.with_coin(seen(identifier, picture(kind, Face.HEADS, 0, 0), kind, Face.HEADS))
    content = packed(known)
    found = [unpacked_or_none(damaged, identifier.recogniser) for damaged in flipped(content, 3000)]
    assert all(packed(one) == content for one in found if one)
    assert found.count(None) > 2500
