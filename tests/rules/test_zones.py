"""What a zone's name says, for the names that mats and layouts use."""

from __future__ import annotations

import pytest

from tablecoin import mat
from tablecoin.rules.zones import ZoneKind, parse_zone


@pytest.mark.parametrize(
    ("name", "kind", "short_name"),
    [
        ("row.heads", ZoneKind.ROW, "heads"),
        ("bank", ZoneKind.BANK, ""),
        ("bank.9", ZoneKind.BANK, "9"),
        ("space.M1", ZoneKind.SPACE, "M1"),
        ("space.old.port", ZoneKind.SPACE, "old.port"),  # players name the spaces of their own maps
        ("tray", ZoneKind.TRAY, ""),
        ("hero", ZoneKind.TRAY, ""),
        ("scene", ZoneKind.TRAY, ""),
        ("sink", ZoneKind.SINK, ""),
        ("prize", ZoneKind.PRIZE, ""),
    ],
)
def test_a_zones_name_says_what_it_is_for(name: str, kind: ZoneKind, short_name: str) -> None:
    assert parse_zone(name) == (kind, short_name)


@pytest.mark.parametrize("name", ["", "hand", "rows.heads", "hero.1"])
def test_a_name_of_no_kind_is_an_error(name: str) -> None:
    with pytest.raises(ValueError, match="is not a valid ZoneKind"):
        parse_zone(name)


@pytest.mark.parametrize("plan", mat.every(), ids=lambda plan: plan.name)
def test_every_printed_zone_has_a_kind(plan: mat.Mat) -> None:
    for zone in plan.zones:
        assert zone.kind in ZoneKind
        assert plan.kind_at(*zone.area.center_mm) is zone.kind
