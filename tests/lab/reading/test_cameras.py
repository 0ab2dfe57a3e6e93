"""Random virtual cameras: the errors stay within the goals, on one quickly and on three hundred slowly."""

from __future__ import annotations

import numpy as np
import pytest

from lab.reading.cameras import measure


@pytest.mark.parametrize("count", [1, pytest.param(300, marks=[pytest.mark.long, pytest.mark.timeout(600)])])
def test_planes_and_diameters_are_measured_within_the_goals(count: int) -> None:
    found = [one for one in measure(count, seed=1) if one]
    assert len(found) == count
    off = np.abs([error for one in found for _, error in one.diameters_off_mm])
    print(f"{count} cameras: plane median {np.median([m.plane_median_mm for m in found]):.3f} mm, "
          f"worst {max(m.plane_worst_mm for m in found):.2f} mm; {off.size} diameters, "
          f"{100 * np.mean(off <= 0.35):.1f} % within 0.35 mm")  # fmt: skip
    assert np.median([one.plane_median_mm for one in found]) <= 0.3
    assert max(one.plane_worst_mm for one in found) <= 1.0
    assert sum(one.missed for one in found) <= 0.01 * 8 * count
    assert np.mean(off <= 0.35) >= 0.95
