"""Maps: the shipped ones are sound and lie well on the mat; a player's faulty one is refused in a sentence."""

from __future__ import annotations

import math
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest

from tablecoin.rules.coin_age import maps
from tablecoin.rules.game import InputError

PATHS = """M1-M2 M1-M4 M1-F1 M2-M3 M2-F1 M2-F2 M3-F2 M3-L1 M4-F1 M4-F3 F1-F2 F1-F3 F1-C1 F2-L1 F2-L2 F2-C1 F3-C1
C1-L2 L1-L2"""
SIZES = {
    "classic": [4, 3, 2, 1],
    "forest": [4, 3, 3],
    "frozen": [3, 3, 2, 2],
    "lagoon": [5, 3, 2],
    "volcano": [3, 3, 3, 1],
}
CLASSIC = files(maps).joinpath("classic.toml").read_text("utf-8")


def edges(board: maps.Map) -> set[frozenset[str]]:
    return {frozenset((space.id, other)) for space in board.spaces for other in space.neighbours}


def test_the_shipped_maps() -> None:
    assert maps.names() == tuple(SIZES)
    for name, sizes in SIZES.items():
        board = maps.load(name)
        assert sorted((len(board.within(region.id)) for region in board.regions), reverse=True) == sizes
        assert len({region.pattern for region in board.regions}) == len(board.regions)
        assert board.title.zh != board.title.en


def test_classic_is_the_original_graph() -> None:
    classic = maps.load("classic")
    assert edges(classic) == {frozenset(path.split("-")) for path in PATHS.split()}
    assert [space.id for space in classic.spaces] == ["M1", "M2", "M3", "M4", "F1", "F2", "F3", "L1", "L2", "C1"]
    assert all(space.region == space.id[0] for space in classic.spaces)


@pytest.mark.parametrize("name", SIZES)
def test_paths_are_drawn_clear_of_circles_and_of_each_other(name: str) -> None:
    board = maps.load(name)
    at = {space.id: complex(*space.at_mm) for space in board.spaces}
    assert board.size_mm == (270, 180)
    for u, v in map(sorted, edges(board)):
        along = at[v] - at[u]
        for w in at.keys() - {u, v}:
            part = min(1.0, max(0.0, ((at[w] - at[u]) * along.conjugate()).real / abs(along) ** 2))
            assert abs(at[u] + part * along - at[w]) > board.diameter_mm / 2 + 3, (u, v, w)
    for u, v, w, x in {(*one, *other) for one, other in combinations(edges(board), 2) if not one & other}:
        sides = [
            ((at[b] - at[a]).conjugate() * (at[c] - at[a])).imag
            for a, b, c in ((u, v, w), (u, v, x), (w, x, u), (w, x, v))
        ]
        assert not (sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0), (u, v, w, x)


def test_random_picks_every_map_in_the_long_run_and_the_same_for_a_seed() -> None:
    assert {maps.pick(seed) for seed in range(100)} == set(SIZES)
    assert maps.pick(7) == maps.pick(7)


def test_a_players_own_map_is_read_from_its_file(tmp_path: Path) -> None:
    own = tmp_path / "home.toml"
    own.write_text(CLASSIC.replace('en = "Classic"', 'en = "Home"'), "utf-8")
    board = maps.load(str(own))
    assert (board.name, board.title.en) == ("home", "Home")
    assert edges(board) == edges(maps.load("classic"))


FAULTS = [
    # what is changed in classic.toml, and what the sentence must say
    (
        'neighbours = ["M1", "M3", "F1", "F2"]',
        'neighbours = ["M1", "M3", "F1"]',
        "M2, but M2 does not name F2|F2 has neighbour M2",
    ),
    (
        'neighbours = ["F1", "F2", "F3", "L2"]',
        'neighbours = ["F1", "F2", "F3", "L2", "Z9"]',
        "C1 has neighbour Z9, which does not exist",
    ),
    ('neighbours = ["F1", "F2", "F3", "L2"]', 'neighbours = ["F1", "F2", "F3", "L2", "C1"]', "C1 is its own neighbour"),
    (
        'neighbours = ["F1", "F2", "F3", "L2"]',
        'neighbours = ["F1", "F2", "F3", "L2", "L2"]',
        "C1 names a neighbour twice",
    ),
    ('region = "C"', 'region = "K"', "space C1 is in region K, which is not defined"),
    ('id = "C1"', 'id = "L2"', "two spaces are called L2"),
    ('id = "C"', 'id = "L"', "two regions are called L"),
    ("at_mm = [135, 150]", "at_mm = [135, 100]", "spaces F1 and C1 are -6 mm apart; leave 15 mm"),
    ("at_mm = [135, 150]", "at_mm = [135, 170]", "space C1 does not lie wholly in the field"),
    ("at_mm = [135, 150]", "at_mm = [135]", "at_mm"),
    ("at_mm = [135, 150]", "at_mm = [135, nan]", "space"),
    (
        'pattern = "checks"',
        'pattern = "tartan"',
        '`pattern` of ..region.. number 4 must be "checks", .*, not "tartan"',
    ),
    ('color = "#b9687a"', 'color = "red"', "`color` of ..region.. number 4 must be written as the pattern"),
    ("diameter_mm = 44", "diameter_mm = 20", "diameter_mm"),
    ("diameter_mm = 44", "diameter_mn = 44", "diameter_mn"),
    ("diameter_mm = 44", "diameter_mm = ", "is not TOML"),
    ("diameter_mm = 44", "a = " + 3000 * "[", "is not TOML"),
]


@pytest.mark.parametrize(("old", "new", "said"), FAULTS)
def test_a_faulty_map_is_refused_in_a_sentence_that_names_the_place(old: str, new: str, said: str) -> None:
    assert CLASSIC.count(old) == 1, "the case no longer fits the file"
    with pytest.raises(maps.MapError, match=said) as refused:
        maps.parse(CLASSIC.replace(old, new), "mine")
    assert str(refused.value).startswith("map mine")


def ring(spaces: int, *, cut: bool = False, regions: int = 1) -> str:
    """A map of spaces in a circle; `cut` makes two circles of it."""
    half = spaces // 2
    text = ["size_mm = [600, 600]", 'name = { en = "Ring", zh = "环" }']
    for r in range(regions):
        text.append(f'[[region]]\nid = "R{r}"\nname = {{ en = "R", zh = "区" }}\ncolor = "#000000"\npattern = "plain"')
    for k in range(spaces):
        around = [(k + step) % spaces for step in (1, -1)]
        if cut:
            around = [(k // half) * half + (k % half + step) % half for step in (1, -1)]
        x, y = (300 + 250 * f(2 * math.pi * k / spaces) for f in (math.cos, math.sin))
        near = ", ".join(f'"S{other}"' for other in around)
        text.append(f'[[space]]\nid = "S{k}"\nname = {{ en = "S", zh = "地" }}\nregion = "R0"')
        text.append(f"at_mm = [{x:.1f}, {y:.1f}]\nneighbours = [{near}]")
    return "\n".join(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ring(9), "it has 9 spaces; a map has at least 10"),
        (ring(12, cut=True), "space S6 cannot be reached from S0"),
        (ring(10, regions=2), "region R1 has no space"),
    ],
)
def test_a_map_that_cannot_be_played_on_is_refused(text: str, said: str) -> None:
    with pytest.raises(maps.MapError, match=said):
        maps.parse(text, "ring")


def test_a_map_may_have_more_spaces() -> None:
    assert len(maps.parse(ring(20), "ring").spaces) == 20


@pytest.mark.parametrize(
    "name", ["", "atlantis", "/", "../classic", "/dev/zero", "missing.toml", "a\0b.toml", "x" * 300]
)
def test_a_map_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        maps.load(name)


def test_a_file_that_is_too_big_or_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "big.toml").write_text("#" * 200_000)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "folder.toml").mkdir()
    for name in ("big", "bytes", "folder"):
        with pytest.raises(maps.MapError):
            maps.load(str(tmp_path / f"{name}.toml"))
