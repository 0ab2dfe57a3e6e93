"""A Coin Age map scored from one photo: readings become a score, doubtful places are named, failures are explained."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image as Picture

from lab.reading.phone import Position, deal, lay, photo
from tablecoin import mat as mats
from tablecoin.cli import main
from tablecoin.coins import BY_VALUE, Coin, Denomination, Face, Heap
from tablecoin.mat import Mat
from tablecoin.mat.raster import raster
from tablecoin.photos.counting import Score, scored
from tablecoin.photos.overlooked import OVERLOOKED_MM2
from tablecoin.photos.score import ScoreError, score, sentence
from tablecoin.photos.score_picture import picture
from tablecoin.rules import rulebook
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.score import tally
from tablecoin.storage import mapfiles
from tablecoin.virtual.art import draw_coin
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene
from tablecoin.virtual.view import View
from tablecoin.vision.cameras.picture import load_picture
from tablecoin.vision.frame import Disc, Frame, Image, Reading, SeenCoin, whichever
from tablecoin.vision.place import taught
from tablecoin.vision.rest.clearness import DARK

CLASSIC = maps.load("classic")
TABLE = mats.load("coin-age:classic")
SIZE_PX = (1344, 1008)
BLANK = np.full((40, 60, 3), 200, np.uint8)


def seen(
    zone: str | None, coin: str, sure: float = 0.999, face: float = 0.999, aside: tuple[float, float] = (0.0, 0.0)
) -> SeenCoin:
    """A coin as the reader gives it, in the middle of `zone`, moved by `aside` mm."""
    what = Coin(coin)
    kinds = tuple(sure if kind is what.denomination else 0.0 for kind in BY_VALUE)
    heads = face if what.face is Face.HEADS else 1 - face
    x, y = TABLE.zone(zone).area.center_mm if zone else (1.0, 1.0)
    place = x + aside[0], y + aside[1]
    a, b, c, d = kinds
    return SeenCoin(Disc(0, 0, 10), (a, b, c, d), whichever(heads), min(sure, face) >= 0.96, place, zone)


def read(
    *coins: SeenCoin,
    given: dict[Face, Heap] | None = None,
    cut_off: tuple[str, ...] = (),
    overlooked: tuple[str, ...] = (),
) -> Score:
    reading = Reading(Frame(BLANK, 0, 0.0), coins, 0.3, TABLE.name)
    return scored(reading, CLASSIC, given or {}, frozenset(cut_off), frozenset(overlooked))


def test_coins_on_spaces_and_in_banks_are_the_score() -> None:
    found = read(
        seen("space.M1", "quarter:heads"),
        seen("space.M2", "penny:tails"),
        seen("space.F1", "dime:tails"),
        seen("bank.heads", "dime:tails"),
        seen("bank.tails", "penny:heads"),
        seen("bank.tails", "nickel:heads"),
    )
    assert found.spaces["M1"] == (Coin.QUARTER_HEADS,)
    assert found.spaces["M3"] == ()
    assert dict(found.banks) == {Face.HEADS: Heap(dime=1), Face.TAILS: Heap(penny=1, nickel=1)}
    # M is even; F belongs to tails, whose dime counts twice; every coin in a bank is worth 1
    assert dict(found.score) == {Face.HEADS: 4 + 1, Face.TAILS: 2 + 2 * 1 + 2}
    assert (found.winner, found.unsure) == (Face.TAILS, ())
    assert sentence(found) == "classic: Heads 5, Tails 6: Tails wins"


@pytest.mark.parametrize(
    ("coin", "named"),
    [
        (seen("space.C1", "dime:heads"), False),
        (seen("space.C1", "dime:heads", sure=0.8), True),
        (seen("space.C1", "dime:heads", face=0.7), True),
        (seen("space.C1", "dime:heads", sure=0.005), True),  # below GHOST: scores nothing, and is named
        (seen("bank.heads", "dime:heads", sure=0.8), True),  # it may be none: every coin there counts 1
        (seen("bank.heads", "dime:heads", face=0.6), False),  # the face of a coin in a bank does not matter
        (seen(None, "dime:heads", sure=0.8), False),
    ],
)
def test_doubtful_places_are_named(coin: SeenCoin, named: bool) -> None:
    found = read(coin, seen("space.M1", "penny:heads"))
    assert found.unsure == (((coin.zone or "").removeprefix("space."),) if named else ())


def either(zone: str, one: str, other: str, share: float = 0.6) -> SeenCoin:
    """A coin that is `one` with the chance `share`, else `other`; its face is sure."""
    chances = {Coin(one).denomination: share, Coin(other).denomination: 0.999 - share}
    a, b, c, d = (chances.get(kind, 0.0) for kind in BY_VALUE)
    return replace(seen(zone, one), denominations=(a, b, c, d), sure=False)


def test_a_doubt_offers_what_may_lie_there_and_the_score_counts_the_first() -> None:
    found = read(either("space.C1", "penny:heads", "dime:heads"))
    (doubt,) = found.doubts
    assert doubt.place == "C1"
    assert [one.coin for one in doubt.candidates] == [Coin.PENNY_HEADS, Coin.DIME_HEADS]
    assert found.spaces["C1"] == (Coin.PENNY_HEADS,)
    x, y = TABLE.zone("space.C1").area.center_mm
    left, top, right, bottom = doubt.box_mm
    assert left < x < right
    assert top < y < bottom


def test_the_game_s_other_coins_settle_a_doubt() -> None:
    """Seven dimes and all pennies are told: the doubtful coin is the eighth dime, and nobody is asked."""
    rest = {Face.HEADS: Heap(penny=6, dime=7), Face.TAILS: Heap(nickel=4, quarter=2)}
    found = read(either("space.C1", "penny:heads", "dime:heads"), given=rest)
    assert found.spaces["C1"] == (Coin.DIME_HEADS,)
    assert found.unsure == ()


def test_the_face_is_that_of_the_kind_that_the_other_coins_leave() -> None:
    """As a penny it would show tails, as a dime heads: a dime on a penny looks like both. Only a dime is left."""
    rest = {Face.HEADS: Heap(penny=6, dime=7), Face.TAILS: Heap(nickel=4, quarter=2)}
    coin = replace(either("space.C1", "penny:tails", "dime:heads", 0.8), heads_if=(0.01, 0.5, 0.99, 0.5))
    assert read(coin).spaces["C1"] == (Coin.PENNY_TAILS,)
    found = read(coin, given=rest)
    assert found.spaces["C1"] == (Coin.DIME_HEADS,)
    assert found.unsure == ()


@pytest.mark.parametrize(
    ("also", "named"),
    [
        (seen("space.M1", "quarter:heads"), ()),  # heads lead by far: in a bank every coin counts 1
        (seen("space.F1", "dime:tails"), ("bank.heads",)),  # 1 to 2 is not equal, but with a coin in the bank of tails
    ],
)
def test_the_kind_of_a_coin_in_a_bank_is_doubted_only_where_it_decides(also: SeenCoin, named: tuple[str, ...]) -> None:
    others = [seen("bank.heads", "nickel:heads")] if named else []
    found = read(also, either("bank.heads", "penny:heads", "nickel:heads"), *others)
    assert (found.score[Face.HEADS] == found.score[Face.TAILS]) == bool(named)
    assert found.unsure == named


def test_a_disc_that_is_hardly_a_coin_scores_nothing() -> None:
    assert read(seen("space.C1", "quarter:heads", sure=0.005)).score[Face.HEADS] == 0


def test_two_coins_side_by_side_are_a_warning() -> None:
    found = read(seen("space.L1", "dime:heads", aside=(-9, 0)), seen("space.L1", "penny:tails", aside=(9.5, 0)))
    assert len(found.spaces["L1"]) == 1
    assert found.unsure == ("L1",)
    assert any("side by side on L1" in warning for warning in found.warnings)


def test_a_bank_that_is_given_is_not_read() -> None:
    found = read(seen("bank.heads", "dime:heads", sure=0.5), given={Face.HEADS: Heap(quarter=2)})
    assert found.banks[Face.HEADS] == Heap(quarter=2)
    assert found.score[Face.HEADS] == 2
    assert found.unsure == ()


def test_zones_partly_outside_the_picture_are_named() -> None:
    found = read(cut_off=("space.M2", "bank.tails"))
    assert found.unsure == ("M2", "bank.tails")
    assert any("M2 is not wholly in the picture" in warning for warning in found.warnings)
    assert any("--bank" in warning for warning in found.warnings)


def test_zones_with_something_unread_are_named() -> None:
    found = read(overlooked=("space.F3", "bank.heads"))
    assert found.unsure == ("F3", "bank.heads")
    assert found.warnings[0] == "something lies on F3 that could not be read"
    assert found.warnings_texts[0]["zh"] == "F3 上有东西无法识别"


THINGS = ("space.F1", "space.L2", "bank.heads")
ASLANT = View.over(TABLE, size_px=SIZE_PX, distance_mm=600, tilt_deg=15)


@pytest.fixture(scope="module")
def aslant() -> Image:
    return Renderer(TABLE, ASLANT, Light(noise=2)).picture(lay(LAID, TABLE, 5))


def test_things_that_are_no_coins_make_their_zones_doubtful(aslant: Image) -> None:
    """For example a key, a button or a folded slip of paper."""
    littered = aslant.copy()
    for zone in THINGS:
        x, y = TABLE.zone(zone).area.center_mm
        key = ASLANT.to_px([(x - 4, y - 9), (x + 4, y - 9), (x + 4, y + 9), (x - 4, y + 9)])
        cv2.fillPoly(littered, [key.round().astype(np.int32)], (60, 70, 75), cv2.LINE_AA)
    things = {zone.removeprefix("space.") for zone in THINGS}
    assert things <= set(score(littered)[0].unsure)


def test_a_thin_line_is_ignored_and_what_is_clear_is_not_doubted(aslant: Image) -> None:
    """For example a printed frame on a bent sheet, or the stroke of a pencil."""
    left, _, right, bottom = TABLE.zone("bank.heads").area.bounds_mm
    assert (right - left) * 1.5 > OVERLOOKED_MM2
    line = ASLANT.to_px([(left, bottom - 8), (right, bottom - 8), (right, bottom - 6.5), (left, bottom - 6.5)])
    ruled = cv2.fillPoly(aslant.copy(), [line.round().astype(np.int32)], (60, 70, 75), cv2.LINE_AA)
    unsure = score(np.asarray(ruled, np.uint8))[0].unsure
    assert not {zone.removeprefix("space.") for zone in THINGS} & set(unsure)


def test_coins_beside_the_spaces_are_a_warning() -> None:
    assert "1 coin lies on no space and in no bank" in read(seen(None, "dime:heads")).warnings


@pytest.mark.parametrize("zone", ["space.C1", "bank.heads"])
def test_a_coin_half_on_a_space_or_half_in_a_bank_is_named_and_counts_nothing(zone: str) -> None:
    left, _, right, _ = TABLE.zone(zone).area.bounds_mm
    coin = replace(seen(zone, "quarter:tails", aside=((right - left) / 2 + 1, 0.0)), zone=None)
    found = read(coin)
    (doubt,) = found.doubts
    assert doubt.place == zone.removeprefix("space.")
    assert [one.coin for one in doubt.candidates] == [None, Coin.QUARTER_TAILS]
    assert dict(found.score) == {Face.HEADS: 0, Face.TAILS: 0}
    assert doubt.box_mm[2] > right


def test_coins_that_are_nowhere_to_be_seen_are_a_warning() -> None:
    """Held in a hand, say: each would count 1 in its bank."""
    says = "of the game's coins 7 dimes, 2 nickels, 5 pennies cannot be seen"
    on_map = seen("space.M1", "penny:heads"), seen("space.M2", "nickel:heads"), seen("bank.heads", "dime:heads")
    assert any(said.startswith(says) for said in read(*on_map).warnings)
    told = {Face.HEADS: Heap(quarter=2, dime=4), Face.TAILS: Heap(dime=4, nickel=3, penny=5)}
    assert read(*on_map[:2], given=told).warnings == ()
    assert read(*on_map[:2], given={Face.HEADS: sum(told.values(), Heap())}).warnings == ()


def test_two_maps_in_one_photo_are_refused() -> None:
    view = View.over(TABLE, size_px=(800, 600))
    two = [Renderer(TABLE, view, Light()).picture(Scene()) for _ in range(2)]
    with pytest.raises(ScoreError, match="two maps of one kind are in the picture"):
        score(np.hstack(two))


def test_equal_scores_are_decided_by_the_ranks_in_the_bank() -> None:
    found = read(seen("bank.heads", "dime:heads"), seen("bank.tails", "penny:heads"))
    assert (found.winner, found.tie_break) == (Face.TAILS, "bank ranks")
    assert sentence(found).endswith("Tails wins on the ranks of the coins in the bank")
    assert sentence(read()) == "classic: Heads 0, Tails 0: a draw"


# -- photos ----------------------------------------------------------------------------------------------------------

LAID = Position(
    {space.id: () for space in CLASSIC.spaces}
    | {"M1": (Coin.QUARTER_HEADS,), "F2": (Coin.PENNY_TAILS,), "L1": (Coin.NICKEL_HEADS,), "C1": (Coin.PENNY_HEADS,)},
    {Face.HEADS: Heap(penny=2, quarter=1), Face.TAILS: Heap(nickel=2)},
)


def taken(
    size_px: tuple[int, int], table: Mat = TABLE, roll_deg: float = 0.0, margin_mm: float = 12.0, coins: bool = True
) -> Image:
    view = View.over(table, margin_mm=margin_mm, size_px=size_px, distance_mm=600, tilt_deg=15, roll_deg=roll_deg)
    return Renderer(table, view, Light(noise=2)).picture(lay(LAID, table, 3) if coins else Scene())


def scanned(table: Mat, coin: Coin, zone: str) -> Image:
    """The mat as it is printed, 2.5 pixels a millimetre, with a coin on it."""
    picture = cv2.copyMakeBorder(raster(table, 2.5), 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    cut = draw_coin(coin.denomination, coin.face, 0, round(2.5 * coin.denomination.diameter_mm))
    left, top = (round(30 + 2.5 * at - len(cut) / 2) for at in table.zone(zone).area.center_mm)
    here, share = picture[top : top + len(cut), left : left + len(cut)], cut[..., 3:] / 255
    here[:] = np.round(here * (1 - share) + cut[..., :3] * share)
    return np.asarray(picture, np.uint8)


def right(found: Score) -> bool:
    """Whether every place was read rightly or named."""
    wrong = {name for name, coins in found.spaces.items() if coins != LAID.stacks[name][-1:]}
    wrong |= {f"bank.{side}" for side in Face if found.banks[side] != LAID.banks[side]}
    return wrong <= set(found.unsure)


@pytest.mark.parametrize(("size_px", "roll_deg"), [(SIZE_PX, 0.0), ((1008, 1344), 90.0), (SIZE_PX, 180.0)])
def test_a_photo_is_scored_however_the_phone_was_held(size_px: tuple[int, int], roll_deg: float) -> None:
    found, reading = score(taken(size_px, roll_deg=roll_deg))
    assert found.map == "classic"
    assert right(found)
    assert set(found.boxes_px) == {*found.spaces, "bank.heads", "bank.tails"}
    for left, top, right_px, bottom in found.boxes_px.values():
        assert 0 <= left < right_px <= size_px[0]
        assert 0 <= top < bottom <= size_px[1]
    drawn = picture(found, reading)
    assert drawn.shape[1] > 900
    assert drawn.shape[0] > reading.frame.image.shape[0]  # the score stands below the map


@pytest.mark.parametrize(
    "size_px",
    [
        pytest.param((4000, 3000), marks=pytest.mark.heavy),  # twelve million pixels through every stage
        pytest.param((3024, 4032), marks=pytest.mark.long),
        pytest.param((8000, 6000), marks=pytest.mark.long),
    ],
)
def test_a_phone_s_whole_picture_is_scored(size_px: tuple[int, int], tmp_path: Path) -> None:
    """12 to 48 million pixels, as JPEG, through the command."""
    file = tmp_path / "phone.jpg"
    cv2.imwrite(str(file), taken(size_px, roll_deg=90.0 if size_px[0] < size_px[1] else 0.0))
    result = CliRunner().invoke(main, ["score", str(file), "--json", "--data", str(tmp_path)])
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    wrong = {name for name, coins in told["spaces"].items() if coins != [str(c) for c in LAID.stacks[name][-1:]]}
    assert wrong <= set(told["unsure"])


def test_a_photo_is_turned_upright_by_its_exif_orientation(tmp_path: Path) -> None:
    """Phones store the sensor's picture and say in EXIF how it was held: both files show the same."""
    image = taken(SIZE_PX)
    Picture.fromarray(image[..., ::-1]).save(tmp_path / "plain.jpg", quality=92)
    exif = Picture.Exif()
    exif[0x0112] = 6  # orientation: turn clockwise to see it upright
    Picture.fromarray(np.ascontiguousarray(np.rot90(image)[..., ::-1])).save(
        tmp_path / "aside.jpg", quality=92, exif=exif
    )
    said = [
        json.loads(CliRunner().invoke(main, ["look", str(tmp_path / name), "--json", "--data", str(tmp_path)]).stdout)
        for name in ("plain.jpg", "aside.jpg")
    ]
    assert said[0]["size_px"] == said[1]["size_px"] == list(SIZE_PX)
    ours = [sorted(tuple(round(v / 8) for v in coin["center_px"]) for coin in one["coins"]) for one in said]
    assert len(ours[0]) == len(ours[1]) >= 8


def test_a_photo_without_the_map_is_refused() -> None:
    with pytest.raises(ScoreError, match="a Coin Age map was not found"):
        score(np.full((300, 400, 3), 120, np.uint8))
    with pytest.raises(ScoreError, match="the Coin Age map forest was not found"):
        score(np.full((300, 400, 3), 120, np.uint8), "forest")


def test_a_mirrored_photo_is_said_to_be_mirrored() -> None:
    table = mats.load("coin-age:classic")
    image = Renderer(table, View.over(table, size_px=(800, 600))).picture(Scene())[:, ::-1].copy()
    for name in (None, "classic"):
        with pytest.raises(ScoreError, match="the picture is mirrored: switch mirroring off"):
            score(image, name)


def test_a_picture_too_dark_to_be_read_is_a_warning() -> None:
    view = View.over(TABLE, size_px=SIZE_PX, distance_mm=600)
    found, _ = score(Renderer(TABLE, view, Light(brightness=0.1)).picture(lay(LAID, TABLE, 5)))
    assert rulebook.sentence(DARK) in found.warnings
    misread = {space for space, coins in found.spaces.items() if coins != LAID.stacks[space][-1:]}
    assert misread <= set(found.unsure)


def test_a_bank_that_the_picture_cuts_off_is_named() -> None:
    view = View.over(TABLE, size_px=SIZE_PX, distance_mm=600)
    aside = replace(view, aim_mm=(view.aim_mm[0], view.aim_mm[1] + 45))
    found, _ = score(Renderer(TABLE, aside).picture(lay(LAID, TABLE, 5)))
    assert "bank.tails" in found.unsure
    assert "bank.heads" not in found.unsure
    assert any("bank of tails is not wholly in the picture" in warning for warning in found.warnings)


def test_the_command_prints_the_contract_and_draws(tmp_path: Path) -> None:
    file, drawn = tmp_path / "map.jpg", tmp_path / "scored.png"
    cv2.imwrite(str(file), taken(SIZE_PX))
    words = [
        "score",
        str(file),
        "--json",
        "--annotate",
        str(drawn),
        "--bank",
        'heads={"dime": 1}',
        "--data",
        str(tmp_path),
    ]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert set(told) == {
        "map", "spaces", "banks", "regions", "score", "winner", "tie_break", "unsure", "doubts", "warnings",
    }  # fmt: skip
    assert told["banks"]["heads"] == {"dime": 1}
    assert told["regions"]["M"].keys() == {"heads", "tails", "bonus"}
    assert load_picture(drawn).shape[1] > 900
    assert "classic: Heads" in result.stderr


@pytest.mark.heavy  # the card is found in a photo by hand, by both commands
def test_a_taught_map_is_scored_and_looked_at_by_its_card(isle: str, taught_data: Path, tmp_path: Path) -> None:
    board, table = maps.load(isle), mats.load(f"coin-age:{isle}")
    position = deal(board, random.Random(4))
    single = Position({space: stack[:1] for space, stack in position.stacks.items()}, position.banks)
    file = tmp_path / "isle.png"
    cv2.imwrite(str(file), photo(lay(single, table, 4), table, 4))
    result = CliRunner().invoke(main, ["score", str(file), "--json", "--data", str(taught_data)])
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["map"] == "isle"
    assert {"bank.heads", "bank.tails"} <= set(told["unsure"])  # a card has no printed banks
    wrong = {space for space, coins in told["spaces"].items() if coins != [str(c) for c in single.stacks[space]]}
    assert wrong <= set(told["unsure"])
    looked = CliRunner().invoke(main, ["look", str(file), "--json", "--data", str(taught_data)])
    assert json.loads(looked.stdout)["mat"] == "coin-age:isle"


def test_a_map_s_own_file_is_scored_and_drawn(tmp_path: Path) -> None:
    """By the file's path, a shipped map's name included, from wherever it lies."""
    own = tmp_path / "classic.toml"
    own.write_text(mapfiles.text("forest").replace('en = "Forest"', 'en = "Home"'), "utf-8")
    board, table = maps.load(str(own)), mats.load(f"coin-age:{own}")
    assert mats.load(table.name) == table
    file, drawn = tmp_path / "home.png", tmp_path / "drawn.png"
    cv2.imwrite(str(file), scanned(table, Coin.DIME_TAILS, f"space.{board.spaces[0].id}"))
    words = ["score", str(file), "--json", "--data", str(tmp_path), "--annotate", str(drawn), "--map", str(own)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    assert (told["map"], set(told["spaces"])) == ("classic", {space.id for space in board.spaces})
    assert told["spaces"][board.spaces[0].id] == ["dime:tails"]
    assert load_picture(drawn).shape[1] > 900


def test_a_card_s_own_file_has_its_picture_beside_it(
    taught_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(taught_data / "maps", tmp_path / "maps")
    monkeypatch.chdir(tmp_path)
    table = mats.load("coin-age:maps/isle.toml")
    assert taught.card_picture(table).size
    assert len(taught.portrait(table).features.places) > 100


@pytest.mark.long
def test_a_card_s_own_file_is_scored_and_drawn(
    taught_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A taught map that is named by the path of its file, which has the picture of the card beside it."""
    shutil.copytree(taught_data / "maps", tmp_path / "maps")
    monkeypatch.chdir(tmp_path)
    table = mats.load("coin-age:maps/isle.toml")
    position = Position({"H1": (Coin.QUARTER_HEADS,)}, {})
    cv2.imwrite("lone.png", photo(lay(position, table, 4), table, 4))
    words = ["score", "lone.png", "--json", "--data", "elsewhere", "--annotate", "drawn.png", "--map"]
    result = CliRunner().invoke(main, [*words, "maps/isle.toml"])
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    assert (told["map"], told["spaces"]["H1"]) == ("isle", ["quarter:heads"])
    assert Path("drawn.png").exists()


def test_another_map_in_the_photo_is_named() -> None:
    with pytest.raises(ScoreError, match="shows the Coin Age map classic, not forest: name that one, or none"):
        score(taken(SIZE_PX, coins=False), "forest")


@pytest.mark.parametrize(
    ("banks", "says"),
    [
        (['heads={"dime": 1000}'], "there cannot be 1000 dimes in the banks: the game has 2 quarters, 8 dimes"),
        (['heads={"dime": 5}', 'tails={"dime": 4}'], "there cannot be 9 dimes in the banks"),
        (['heads={"dime": 1}', 'heads={"dime": 2}'], "--bank heads is given twice"),
        (["heads=many"], "is not a bank: write it like"),
    ],
)
def test_impossible_banks_are_refused(tmp_path: Path, banks: list[str], says: str) -> None:
    cv2.imwrite(str(tmp_path / "map.png"), BLANK)
    words = ["score", str(tmp_path / "map.png"), "--data", str(tmp_path)]
    result = CliRunner().invoke(main, [*words, *(word for bank in banks for word in ("--bank", bank))])
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert says in line


def test_more_coins_than_the_game_has_are_a_warning() -> None:
    found = read(seen("space.M1", "quarter:heads"), given={Face.HEADS: Heap(quarter=2), Face.TAILS: Heap()})
    (said,) = found.warnings
    assert said.startswith("on the map and in the banks are more coins than the game has (2 quarters, 8 dimes")


def test_the_photo_is_never_overwritten(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "map.png"), BLANK)
    before = (tmp_path / "map.png").read_bytes()
    result = CliRunner().invoke(main, ["score", str(tmp_path / "map.png"), "--annotate", str(tmp_path / "map.png")])
    assert (result.exit_code, (tmp_path / "map.png").read_bytes()) == (2, before)
    assert "will not be overwritten" in result.stderr


@pytest.mark.parametrize("seed", range(6))
def test_a_dealt_position_is_reachable_and_has_a_score(seed: int) -> None:
    """In each stack coins grow smaller upwards; there are twenty coins in all."""
    position = deal(CLASSIC, random.Random(seed))
    kinds = [coin.denomination for stack in position.stacks.values() for coin in stack]
    for stack in position.stacks.values():
        widths = [coin.denomination.diameter_mm for coin in stack]
        assert widths == sorted(set(widths), reverse=True)
    for heap in position.banks.values():
        kinds += list(heap)
    assert Heap.of(kinds) == Heap(penny=6, nickel=4, dime=8, quarter=2)
    assert tally(CLASSIC, position.tops, position.banks).score[Face.HEADS] >= len(position.banks[Face.HEADS])
    assert Denomination.DIME in kinds
