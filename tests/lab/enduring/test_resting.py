"""A toss that lies at rest while the journal cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.enduring.commands import summary_at_rest
from lab.enduring.faults import UNWRITABLE
from lab.enduring.resting import SOON_S, Rested, rested

EARLY_AND_AFTER = ((False, 1.5), (False, 5.5), (False, None), (True, 0.1))


def test_a_toss_counts_as_ruled_on_soon_only_after_the_fault_and_within_five_seconds() -> None:
    trials = [Rested("disk-full", (), early, after_s, 0.5) for early, after_s in EARLY_AND_AFTER]
    assert summary_at_rest(trials) == "ruled on within 5 s: 1 of 4; a command waited 0.50 s at most"


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_toss_at_rest_is_ruled_on_once_the_journal_can_be_written_again(tmp_path: Path) -> None:
    trials = list(rested(tmp_path / "data", 1, lasts_s=6.0))
    assert [each.name for each in trials] == [fault.name for fault in UNWRITABLE]
    late = [each for each in trials if each.early or each.ruled_after_s is None or each.ruled_after_s > SOON_S]
    assert late == []
    assert max(each.answered_s for each in trials) < 1.0
