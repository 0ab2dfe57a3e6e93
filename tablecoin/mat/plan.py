"""What a mat is: zones and markers in millimetres.

The origin is the mat's top left corner as it is drawn, x to the right, y down. One definition serves the reader, the
referee, the printer and the simulated table alike.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tablecoin.rules.zones import ZoneKind, parse_zone


class MatError(ValueError):
    """A mat cannot be found or read: `str()` is one plain sentence that says what to do."""


class Rectangle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="shape", tag="rectangle"):
    """Sides parallel to the mat's; (x_mm, y_mm) is its top left corner."""

    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float

    @property
    def center_mm(self) -> tuple[float, float]:
        return self.x_mm + self.width_mm / 2, self.y_mm + self.height_mm / 2

    @property
    def bounds_mm(self) -> tuple[float, float, float, float]:
        """(left, top, right, bottom)."""
        return self.x_mm, self.y_mm, self.x_mm + self.width_mm, self.y_mm + self.height_mm

    def holds(self, x_mm: float, y_mm: float, margin_mm: float = 0.0) -> bool:
        """Whether the point lies inside, at least `margin_mm` from the outline (negative: at most that far outside)."""
        left, top, right, bottom = self.bounds_mm
        return left + margin_mm <= x_mm <= right - margin_mm and top + margin_mm <= y_mm <= bottom - margin_mm


class Circle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="shape", tag="circle"):
    """(x_mm, y_mm) is its centre."""

    x_mm: float
    y_mm: float
    radius_mm: float

    @property
    def center_mm(self) -> tuple[float, float]:
        return self.x_mm, self.y_mm

    @property
    def bounds_mm(self) -> tuple[float, float, float, float]:
        """(left, top, right, bottom)."""
        r = self.radius_mm
        return self.x_mm - r, self.y_mm - r, self.x_mm + r, self.y_mm + r

    def holds(self, x_mm: float, y_mm: float, margin_mm: float = 0.0) -> bool:
        """Whether the point lies inside, at least `margin_mm` from the outline (negative: at most that far outside)."""
        reach = self.radius_mm - margin_mm
        return reach >= 0 and (x_mm - self.x_mm) ** 2 + (y_mm - self.y_mm) ** 2 <= reach**2


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named area. `label` is language -> words; `ink` and `pattern` tell zones apart in colour and without it."""

    name: str
    area: Rectangle | Circle
    label: Mapping[str, str] = {}
    ink: str = "#5f6368"
    pattern: str = "plain"  # boxes: plain or dashed; the prize: rays; spaces of a map: one of its patterns
    columns: tuple[str, ...] = ()  # headings of columns within a bank, left to right

    @property
    def kind(self) -> ZoneKind:
        """What the zone is for, as its name says."""
        return parse_zone(self.name)[0]

    @property
    def short_name(self) -> str:
        """What tells it from others of its kind: `M1` of `space.M1`; empty where it is the only one."""
        return parse_zone(self.name)[1]


class Marker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An AprilTag of family 36h11; `size_mm` is the side of its black square."""

    id: int
    x_mm: float
    y_mm: float
    size_mm: float

    @property
    def corners_mm(self) -> tuple[tuple[float, float], ...]:
        """Its four outer corners from the top left clockwise, in the order OpenCV detects them."""
        h = self.size_mm / 2
        left, right, top, bottom = self.x_mm - h, self.x_mm + h, self.y_mm - h, self.y_mm + h
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """Whether the place is inside its black square."""
        return max(abs(x_mm - self.x_mm), abs(y_mm - self.y_mm)) <= self.size_mm / 2


class Legend(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one colour and pattern stand for: a region of a map."""

    label: Mapping[str, str]
    ink: str
    pattern: str


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ChArUco board: a chessboard with a marker in each white square, by which a lens is measured.

    Its markers are of OpenCV's family DICT_5X5_100, so that it is never mistaken for a mat. The top left corner of the
    chessboard lies at (x_mm, y_mm).
    """

    columns: int
    rows: int
    square_mm: float
    marker_mm: float
    x_mm: float
    y_mm: float


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's own card, recognized by its picture: `picture` is the name of a file beside its map's."""

    picture: str
    area: Rectangle


class Mat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A printed table. Each marker id is used on one mat only, so that a camera recognizes the mat by its markers."""

    name: str
    title: Mapping[str, str]  # language -> words
    width_mm: float
    height_mm: float
    zones: tuple[Zone, ...]
    markers: tuple[Marker, ...]
    ruler_mm: tuple[float, float]  # left end of the printed 100 mm check ruler
    games: tuple[str, ...] = ()  # the games played on it
    links: tuple[tuple[str, str], ...] = ()  # zones joined by a drawn line: neighbours on a map
    card: Card | None = None  # of a mat without markers: the card by which a camera recognizes it
    legend: tuple[Legend, ...] = ()
    board: Board | None = None

    def zone_at(self, x_mm: float, y_mm: float) -> str | None:
        """The name of the zone a point lies in, None between zones and off the mat."""
        return next((zone.name for zone in self.zones if zone.area.holds(x_mm, y_mm)), None)

    def kind_at(self, x_mm: float, y_mm: float) -> ZoneKind | None:
        """What the zone a point lies in is for, None between zones and off the mat."""
        return next((zone.kind for zone in self.zones if zone.area.holds(x_mm, y_mm)), None)

    def zone(self, name: str) -> Zone:
        """The zone of that name. MatError when the mat has none."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise MatError(f"The mat {self.name} has no zone {name!r}: say one of {', '.join(z.name for z in self.zones)}.")

    def marker(self, number: int) -> Marker | None:
        """The marker of that AprilTag id, if this mat has it."""
        return next((marker for marker in self.markers if marker.id == number), None)
