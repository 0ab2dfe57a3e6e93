"""Adventures are walked to their end, and the table says what came of it."""

from __future__ import annotations

from lab.chances.adventures import Walked, table, walked


def test_an_adventure_is_walked_to_its_end() -> None:
    found = walked("gull-rock", 4)
    assert found.walks == 4
    assert 0 <= found.won <= 4
    assert f"{found.won} of 4" in table([found])


def test_a_share_far_from_what_was_promised_is_noticed() -> None:
    assert Walked("gull-rock", 100, 55, 30.0, 0.55).keeps_its_promise
    assert not Walked("gull-rock", 100, 90, 30.0, 0.55).keeps_its_promise
    assert not Walked("gull-rock", 100, 55, 30.0, 0.80).keeps_its_promise
