"""The zones of a mat by name: `row.heads`, `bank.1`, `space.M1`, `tray`. A layout knows zones by these names alone."""

from __future__ import annotations

from enum import StrEnum


class ZoneKind(StrEnum):
    """What a zone is for."""

    ROW = "row"  # a player's row of coins
    BANK = "bank"  # coins of one player, or of the game
    SPACE = "space"  # one space of a map, with one stack
    TRAY = "tray"  # where coins are tossed: `tray`, and in Coin Wars `hero` and `scene`
    SINK = "sink"  # coins that left the game
    PRIZE = "prize"  # where the prize stands; never a stake


_TRAYS = ("tray", "hero", "scene")


def parse_zone(name: str) -> tuple[ZoneKind, str]:
    """The kind of the zone `name`, and what tells it from others of its kind: `bank.1` → (BANK, "1").

    The second part is empty for the only zone of its kind, and for the trays. Raises ValueError for an unknown kind.
    """
    kind, _, short_name = name.partition(".")
    return (ZoneKind.TRAY, "") if name in _TRAYS else (ZoneKind(kind), short_name)


def zone_kind(name: str) -> ZoneKind:
    """The kind of the zone `name`. Raises ValueError for an unknown kind."""
    return parse_zone(name)[0]
