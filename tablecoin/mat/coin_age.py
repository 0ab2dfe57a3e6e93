"""The Coin Age mat, made round a map's field: banks above and below it, the tray for tossing beside it.

The map's TOML file is data that two rooms read: the rules take the graph from it, this room what is printed. This
room checks only what it prints; the rules' reader checks the whole map and says what is wrong with it.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import cache
from typing import Annotated

import msgspec

from tablecoin.mat.plan import Card, Circle, Legend, Marker, Mat, MatError, Rectangle, Zone
from tablecoin.storage import mapfiles
from tablecoin.storage.documents import DocumentError, read_toml

_HEADS, _TAILS, _NEUTRAL = "#a63d2a", "#2b5a8a", "#5f6368"
_LIGHTEST = 140.0  # luma, 0 to 255: lighter inks are darkened to it
_COLUMNS = ("1¢", "5¢", "10¢", "25¢")
_SHIPPED_MARKERS = {"classic": 40, "forest": 50, "frozen": 60, "lagoon": 70, "volcano": 80}  # first id of each

_Length = Annotated[float, msgspec.Meta(ge=0, le=2000)]  # mm; the same limits as the rules'
_Width = Annotated[float, msgspec.Meta(ge=20, le=200)]
_Side = Annotated[float, msgspec.Meta(ge=20, le=2000)]


class _Region(msgspec.Struct, frozen=True):
    id: str
    color: Annotated[str, msgspec.Meta(pattern="^#[0-9a-fA-F]{6}$")]
    pattern: str
    name: Mapping[str, str] = {}


class _Space(msgspec.Struct, frozen=True):
    id: str
    region: str
    at_mm: tuple[_Length, _Length]
    name: Mapping[str, str] = {}
    neighbours: tuple[str, ...] = ()


class _Map(msgspec.Struct, frozen=True):
    name: Mapping[str, str]
    region: tuple[_Region, ...]
    space: tuple[_Space, ...]
    size_mm: tuple[_Side, _Side] = (270.0, 180.0)
    diameter_mm: _Width = 44.0
    picture: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]+\.png$")] | None = None


def map_names() -> tuple[str, ...]:
    """The maps that come with tablecoin, in alphabetical order."""
    return mapfiles.shipped()


def coin_age(name_or_path: str) -> Mat:
    """The mat of a map by its name, or of a player's also by the path of its TOML file. Raises MatError.

    The mat's own name loads it again; for a file's mat that name holds the path. It is 420 x 297 mm, one A3 sheet,
    round a field of the usual 270 x 180 mm, and grows with a larger field. A map taught from a photo is not printed:
    the player's card lies where the field would be, and there are no markers.
    """
    try:
        return parse(mapfiles.text(name_or_path), name_or_path)
    except mapfiles.MapFileError as error:
        said = str(error)
        raise MatError(f"{said[0].upper()}{said[1:]}.") from None


@cache
def parse(text: str, name: str) -> Mat:
    """The mat of the map `name`, or of the file at that path, from the text of its TOML file. Raises MatError."""
    try:
        return _mat(name, msgspec.convert(read_toml(text), _Map))
    except (DocumentError, msgspec.ValidationError, KeyError) as error:
        raise MatError(f"The map {name} is not a map file as it should be: {error}.") from None


def _mat(name: str, plan: _Map) -> Mat:
    field_w, field_h = plan.size_mm
    left, top = 46.0, 59.0
    right, bottom = left + field_w + 58, top + field_h
    width, height = right + 46, bottom + 58
    regions = {region.id: region for region in plan.region}
    zones = [
        Zone("bank.tails", Rectangle(left, 9, right - left, 43), {"en": "Bank of Tails", "zh": "反面方银行"}, _TAILS,
             columns=_COLUMNS),
        Zone("bank.heads", Rectangle(left, bottom + 4, right - left, 43), {"en": "Bank of Heads", "zh": "正面方银行"},
             _HEADS, columns=_COLUMNS),
        Zone("tray", Rectangle(right - 52, top, 52, field_h), {"en": "Tray", "zh": "托盘"}, _NEUTRAL,
             "dashed"),
    ]  # fmt: skip
    for space in plan.space:
        place = Circle(left + space.at_mm[0], top + space.at_mm[1], plan.diameter_mm / 2)
        region = regions[space.region]
        zones.append(Zone(f"space.{space.id}", place, space.name, _printable(region.color), region.pattern))
    links = {tuple(sorted((f"space.{one.id}", f"space.{other}"))) for one in plan.space for other in one.neighbours}
    called = mapfiles.name_of(name)  # the markers' ids depend on the map's name, not on where its file lies
    first = _SHIPPED_MARKERS.get(called, 100 + 8 * (zlib.crc32(called.encode()) % 60))  # 36h11 has ids up to 586
    columns, rows = (23.0, width - 23), (23.0, 23 + (height - 46) / 3, 23 + 2 * (height - 46) / 3, height - 23)
    places = [(x, y) for y in rows for x in columns]
    markers = tuple(Marker(first + k, x, y, 24) for k, (x, y) in enumerate(places))
    return Mat(
        name=f"coin-age:{name}",
        title={"en": f"Coin Age: {plan.name['en']}", "zh": f"钱币世纪：{plan.name.get('zh', '')}"},
        width_mm=width,
        height_mm=height,
        zones=tuple(zones),
        markers=() if plan.picture else markers,
        ruler_mm=(left + 1, height - 4.5),
        games=("coin-age",),
        links=tuple((one, other) for one, other in sorted(links)),
        card=Card(plan.picture, Rectangle(left, top, field_w, field_h)) if plan.picture else None,
        legend=tuple(Legend(region.name, _printable(region.color), region.pattern) for region in plan.region),
    )


def _printable(colour: str) -> str:
    """`colour` (#rrggbb) darkened where its thin lines would be lost on a black-and-white printer (BT.601 luma)."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    share = min(1.0, _LIGHTEST / max(0.299 * red + 0.587 * green + 0.114 * blue, 1.0))
    return f"#{round(red * share):02x}{round(green * share):02x}{round(blue * share):02x}"
