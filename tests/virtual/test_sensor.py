"""What the sensor, its stand, the lamp and compression do to a picture is what was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from tablecoin.virtual.sensor import Lamp, VideoError, correlated, jpeg, knocked, shifted, swaying, video
from tablecoin.vision.frame import Image

GREY: Image = np.full((240, 320, 3), 128, np.uint8)
RAMP: Image = np.repeat(np.repeat(np.arange(20, 220, dtype=np.uint8)[None, :, None], 240, 0), 3, 2)


def moved_px(image: Image) -> float:
    """How far the ramp, which brightens by one level a pixel, lies to the right of where it was."""
    middle = np.s_[:, 40:-40]
    return float(RAMP[middle].astype(float).mean() - image[middle].astype(float).mean())


def test_noise_has_the_correlations_that_were_measured() -> None:
    field = correlated((400, 400, 3), np.random.default_rng(1))[..., 0]
    assert field.std() == pytest.approx(1.0, abs=0.03)
    for apart_px, expected in ((1, 0.6), (2, 0.3), (4, 0.12)):
        assert np.mean(field[:, apart_px:] * field[:, :-apart_px]) == pytest.approx(expected, abs=0.06)


@pytest.mark.parametrize(
    ("exposure_s", "swing"),
    [
        (1 / 100, 0.0),  # one whole swing: no bands
        (1 / 200, 0.3 * 2 / np.pi),  # half a swing
        (1 / 10_000, 0.3),  # an instant
    ],
)
def test_bands_are_as_deep_as_the_exposure_leaves_them(exposure_s: float, swing: float) -> None:
    rows = Lamp(100, 0.3, exposure_s).on(GREY, 0.0)[:, 0, 0] / 128
    assert (rows.max() - rows.min()) / 2 == pytest.approx(swing, abs=0.01)


def test_bands_run_down_as_many_times_as_the_lamp_swings_while_rows_are_read() -> None:
    rows = Lamp(100, 0.3, 1 / 1000, readout_s=0.03).on(GREY, 0.0)[:, 0, 0].astype(float)
    assert int(np.abs(np.fft.rfft(rows - rows.mean())).argmax()) == 3


@pytest.mark.parametrize("by_px", [2.0, 5.0])
def test_a_shift_and_a_sway_move_the_picture(by_px: float) -> None:
    assert moved_px(shifted(RAMP, by_px, 0.0)) == pytest.approx(by_px, abs=0.3)
    places = [moved_px(swaying(RAMP, n / 40, by_px)) for n in range(40)]
    assert max(places) == pytest.approx(by_px, abs=0.6)
    assert min(places) == pytest.approx(-by_px, abs=0.6)


def test_a_knock_is_over_within_half_a_second() -> None:
    assert np.array_equal(knocked(RAMP, -0.1, 6.0), RAMP)
    assert moved_px(knocked(RAMP, 0.0, 6.0)) == pytest.approx(6.0, abs=0.3)
    assert abs(moved_px(knocked(RAMP, 0.5, 6.0))) < 0.3


def test_compression_loses_more_at_a_lower_quality() -> None:
    rough = np.random.default_rng(2).integers(0, 255, (240, 320, 3)).astype(np.uint8)
    lost = [float(np.abs(jpeg(rough, quality).astype(int) - rough).mean()) for quality in (25, 50, 85)]
    assert lost == sorted(lost, reverse=True)
    assert lost[-1] > 1


def test_a_film_keeps_its_pictures_and_an_unknown_codec_is_refused() -> None:
    films = [shifted(RAMP, float(n), 0.0) for n in range(6)]
    decoded = video(films, "mp4v", 15.0)
    assert len(decoded) == 6
    assert max(float(np.abs(a.astype(int) - b).mean()) for a, b in zip(films, decoded, strict=True)) < 4
    with pytest.raises(VideoError, match="no encoder ZZZZ"):
        video(films, "ZZZZ", 15.0)
