"""The wizard on the virtual table: every step from the first start to the measured pass, and every failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from calibration.markers import MarkersStep
from calibration.measured import ASKED, count
from calibration.own_coins import Shown
from calibration.sizes import SizesStep
from calibration.step import Sight
from calibration.wizard import Busy, CameraEyes, Wizard
from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Coin, Face, Heap
from tablecoin.rules.rulebook import sentence
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.render import Light
from tablecoin.virtual.table import VirtualCoin, VirtualTable
from tablecoin.virtual.view import View
from tablecoin.vision.calibrated import Calibration, Locks, load
from tablecoin.vision.cameras.camera import Focusing
from tablecoin.vision.coins.enrolment import FILE, Count, Enrolment, Tray
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Reading, whichever
from tests.scenes import KeptReader

MAT = mats.load("two-row")
VIEW = View.over(MAT, size_px=(960, 720), k1=-0.08)
NEAR = View.over(MAT, size_px=(640, 480), k1=-0.08)  # enough for the lens board, which is held near the camera


class Bench:
    """A wizard over a virtual table."""

    def __init__(self, folder: Path, light: Light | None = None, view: View = VIEW) -> None:
        self.table = VirtualTable(MAT, seed=4)
        self.file = folder / "calibration.json"
        camera = VirtualCamera(self.table, view=view, light=light, fps=0, sleep=lambda s: None)
        self.wizard = Wizard(CameraEyes(camera, ring_light=0.6), self.file)

    def run(self, name: str) -> dict[str, Any]:
        return self.wizard.run(name)

    def ready(self) -> Bench:
        """With the mat found."""
        assert self.run("markers")["ok"]
        return self

    def lay(self, *coins: Coin) -> None:
        """Lay coins in two lines, 35 mm apart."""
        self.table.put(
            VirtualCoin(coin.denomination, coin.face, 80 + 35 * (k % 8), 40 + 35 * (k // 8), 17.0 * k, k)
            for k, coin in enumerate(coins)
        )


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture(autouse=True)
def _few_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pictures of the coins show as much as five: only their noise differs."""
    monkeypatch.setattr(SizesStep, "pictures", 2)


ONE_OF_EACH = tuple(Coin.of(kind, Face.HEADS) for kind in BY_VALUE)


def done(bench: Bench) -> set[str]:
    """The names of the steps that are done."""
    return {step["name"] for step in bench.wizard.state()["steps"] if step["done"]}


def test_from_first_start_to_light(bench: Bench) -> None:
    assert not done(bench)
    assert bench.run("aim")["ok"]
    markers = bench.run("markers")
    assert markers["ok"], markers
    assert markers["figures"]["residual_mm"] < 0.5
    assert bench.run("light")["ok"]
    kept, _ = load(bench.file)
    assert kept is not None
    assert kept.ring_light == 0.6, "the locked values hold under the light that shone"
    assert done(bench) == {"aim", "markers", "light"}


def test_from_sizes_to_measured_pass(bench: Bench) -> None:
    bench.ready().lay(*ONE_OF_EACH)
    sizes = bench.run("sizes")
    assert sizes["ok"], sizes
    for kind in BY_VALUE:
        assert sizes["figures"][f"{kind}_mm"] == pytest.approx(kind.diameter_mm, abs=0.35)
    bench.lay(*ASKED)
    measured = bench.run("pass")
    assert measured["ok"], measured
    assert measured["figures"]["right"] == measured["figures"]["coins"] == 5 * 8
    known, said = load(bench.file, "virtual table")
    assert known is not None, said
    assert known.passes[-1].passed
    assert known.plane is not None
    assert known.plane.mat == "two-row"
    assert done(bench) == {"markers", "sizes", "pass"}


def test_the_lens_is_recovered_from_the_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.lens.WANTED", 5)
    bench = Bench(tmp_path, view=NEAR)
    for turn in range(9):
        bench.table.put_json({"board": turn})
        result = bench.run("lens")
        if result["ok"]:
            break
    assert result["ok"], result
    known, _ = load(bench.file)
    assert known is not None
    assert known.lens is not None
    assert known.lens.fx_px == pytest.approx(NEAR.focal_px, rel=0.02)
    spots = np.array([(20, 20), (620, 20), (320, 240), (20, 460), (620, 460)], float)
    centre = np.array((319.5, 239.5))
    truth, found = NEAR.lens.straighten(spots) - centre, known.lens.straighten(spots) - centre
    assert np.abs(found / known.lens.fx_px - truth / NEAR.focal_px).max() * NEAR.focal_px < 3


def test_another_mat_than_the_one_of_the_settings_is_named(bench: Bench) -> None:
    eyes = CameraEyes(VirtualCamera(bench.table, VIEW, fps=0, sleep=lambda s: None))
    result = Wizard(eyes, bench.file, mat="ring").run("markers")
    assert not result["ok"]
    assert result["said"]["en"] == "The mat two-row lies there; the mat ring is looked for."
    assert "Lay the mat ring" in result["todo"]["en"]


def test_a_mirrored_picture_is_told(tmp_path: Path) -> None:
    """As a selfie camera gives it: the mat lies there, but none of its markers can be read."""

    class Mirrored(VirtualCamera):
        def read(self, timeout_s: float) -> Frame:
            frame = super().read(timeout_s)
            return replace(frame, image=frame.image[:, ::-1].copy())

    camera = Mirrored(VirtualTable(MAT, seed=4), view=VIEW, fps=0, sleep=lambda s: None)
    result = Wizard(CameraEyes(camera), tmp_path / "calibration.json").run("markers")
    assert not result["ok"]
    assert "mirrored" in result["said"]["en"]
    assert "Switch mirroring off" in result["todo"]["en"]


def test_a_phone_may_be_turned_while_a_step_looks(tmp_path: Path) -> None:
    class Turned(VirtualCamera):
        """It lies the other way in its fourth and fifth picture, the first two in which the light is measured."""

        def read(self, timeout_s: float) -> Frame:
            frame = super().read(timeout_s)
            return replace(frame, image=np.rot90(frame.image).copy()) if frame.number in (4, 5) else frame

    camera = Turned(VirtualTable(MAT, seed=4), view=VIEW, fps=0, sleep=lambda s: None)
    wizard = Wizard(CameraEyes(camera), tmp_path / "calibration.json")
    assert wizard.run("markers")["ok"]
    result = wizard.run("light")
    assert result["ok"], result
    known, _ = load(tmp_path / "calibration.json")
    assert known is not None
    assert known.size_px == VIEW.size_px


def test_the_same_view_of_the_board_is_refused(bench: Bench) -> None:
    bench.table.put_json({"board": 1})
    assert bench.run("lens")["figures"]["views"] == 1
    assert "nearly the same" in bench.run("lens")["said"]["en"]


@pytest.mark.parametrize(
    ("fault", "said", "do"),
    [
        ("dim_light", "Too dark", "lamp"),
        ("blur", "not sharp", "lens can be turned"),
        ("glare", "reflects a lamp", "Move the lamp"),
        ("camera_frozen", "no picture", "cable"),
    ],
)
def test_a_bad_picture_gets_its_advice(bench: Bench, fault: str, said: str, do: str) -> None:
    bench.table.fault(**{fault: True})
    result = bench.run("aim")
    assert not result["ok"]
    assert said in result["said"]["en"]
    assert do in result["todo"]["en"]
    assert result["said"]["zh"]
    assert bench.wizard.aim()["said"] == result["said"]
    bench.table.fault(**{fault: False})
    assert bench.run("aim")["ok"]


def test_too_bright_and_empty_pictures_get_their_advice(tmp_path: Path) -> None:
    assert "Too bright" in Bench(tmp_path, Light(brightness=1.25)).run("aim")["said"]["en"]
    from calibration.aim import AimStep
    from calibration.step import Sight
    from tablecoin.vision.calibrated import Calibration, Locks

    grey = Frame(np.full((480, 640, 3), 140, np.uint8), 1, 0.0)
    nobody: Any = None
    sight = Sight((grey,), Calibration.begin("test", (640, 480), "2026"), nobody, Locks)
    assert "sharp edge" in AimStep().run(sight).said["en"]


@pytest.mark.parametrize(
    ("focusing", "todo", "never"),
    [
        ("by hand", "Turn the lens until", "by itself"),
        ("motor", "The lens focuses by itself", "Turn the lens"),
        ("unknown", "if its lens can be turned", "Turn the lens"),
    ],
)
def test_a_blurred_picture_is_mended_in_the_way_of_the_lens(
    tmp_path: Path, focusing: Focusing, todo: str, never: str
) -> None:
    class Blurred(VirtualCamera):
        def read(self, timeout_s: float) -> Frame:
            frame = super().read(timeout_s)
            return Frame(np.asarray(cv2.GaussianBlur(frame.image, (0, 0), 3.5), np.uint8), frame.number, frame.taken_s)

    camera = Blurred(VirtualTable(MAT, seed=4), view=VIEW, fps=0, sleep=lambda s: None)
    camera.focusing = focusing
    result = Wizard(CameraEyes(camera), tmp_path / "calibration.json").run("aim")
    assert not result["ok"]
    assert todo in result["todo"]["en"]
    assert never not in result["todo"]["en"]


def test_aiming_locks_the_camera_anew_and_the_live_aid_does_not(tmp_path: Path) -> None:
    """The ring light may have been switched on after the camera was opened."""
    locked: list[str] = []

    class Locking(VirtualCamera):
        def lock(self) -> dict[str, Any]:
            locked.append("locked")
            return {"exposure_us": 10_000}

    camera = Locking(VirtualTable(MAT, seed=4), view=VIEW, fps=0, sleep=lambda s: None)
    wizard = Wizard(CameraEyes(camera), tmp_path / "calibration.json")
    wizard.aim()
    assert locked == []
    assert wizard.run("aim")["ok"]
    assert locked == ["locked"]


def test_a_lost_marker_is_named_and_drawn(bench: Bench) -> None:
    bench.table.fault(marker_lost=True)
    result = bench.run("markers")
    assert not result["ok"]
    assert result["said"]["en"].startswith("1 of the 8 markers")
    assert not bench.file.exists()  # what failed is not kept
    picture = bench.wizard.picture("markers")
    assert picture is not None
    drawn = np.asarray(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR), int)
    x, y = VIEW.to_px([MAT.markers[0].corners_mm[0]])[0].round().astype(int)
    patch = drawn[y - 6 : y + 7, x - 6 : x + 7].reshape(-1, 3)
    assert (patch[:, 2] - patch[:, 1]).max() > 100  # red there


def test_without_the_mat_every_step_that_needs_it_fails(bench: Bench) -> None:
    for step in ("light", "sizes", "pass"):
        assert "mat is not found" in bench.run(step)["said"]["en"]
    bench.table.put_json({"board": 0})
    assert "No marker" in bench.run("markers")["said"]["en"]
    bench.table.put_json({"board": None})
    assert "is not seen" in bench.run("lens")["said"]["en"]


@pytest.mark.parametrize(
    "astray",
    [(0,), pytest.param((0, 3), marks=pytest.mark.long)],
    ids=["a corner folded over", "two"],
)
def test_a_mat_that_is_not_flat_fails(bench: Bench, astray: tuple[int, ...]) -> None:
    moved = [msgspec.structs.replace(m, x_mm=m.x_mm + 4 * (k in astray)) for k, m in enumerate(MAT.markers)]
    bench.table.mat = msgspec.structs.replace(MAT, zones=(), markers=tuple(moved))
    bench.wizard = Wizard(CameraEyes(VirtualCamera(bench.table, VIEW, fps=0, sleep=lambda s: None)), bench.file)
    result = bench.run("markers")
    assert not result["ok"]
    assert "do not lie in one plane" in result["said"]["en"]
    assert "Tape the mat down flat" in result["todo"]["en"]


def test_pictures_of_the_board_that_do_not_agree_fail(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.lens.MOST_ERROR_PX", 0.0)
    monkeypatch.setattr("calibration.lens.WANTED", 3)
    said = []
    for turn in range(7):
        bench.table.put_json({"board": turn})
        said.append(bench.run("lens"))
        if not said[-1]["more"] and "nearly the same" not in said[-1]["said"]["en"]:
            break
    assert "do not agree on a lens" in said[-1]["said"]["en"]
    assert "Start this step again" in said[-1]["todo"]["en"]
    bench.table.put_json({"board": 0})
    assert bench.run("lens")["figures"]["views"] == 1  # it starts again by itself


def test_a_coin_that_measures_wrong_is_named(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.sizes.WORST_MM", 0.0)
    bench.ready().lay(*ONE_OF_EACH)
    result = bench.run("sizes")
    assert not result["ok"]
    assert "measures" in result["said"]["en"]
    assert "Flatten the mat" in result["todo"]["en"]


@pytest.mark.long  # tests/photos/test_look.py reads such a photo
@pytest.mark.parametrize("scale", [0.71, 0.9, 0.96, 1.05])
def test_a_mat_printed_at_another_scale_is_told_by_the_coins(bench: Bench, scale: float) -> None:
    """The reader itself looks for coins of the sizes that the mat says, and finds none, or other kinds."""
    markers = [
        msgspec.structs.replace(each, x_mm=scale * each.x_mm, y_mm=scale * each.y_mm, size_mm=scale * each.size_mm)
        for each in MAT.markers
    ]
    bench.table.mat = msgspec.structs.replace(MAT, zones=(), markers=tuple(markers))
    view = View.over(MAT, margin_mm=20.0, size_px=(1456, 1088), k1=-0.08)
    bench.wizard = Wizard(CameraEyes(VirtualCamera(bench.table, view=view, fps=0, sleep=lambda s: None)), bench.file)
    bench.ready().lay(*ONE_OF_EACH)
    said = bench.run("sizes")["said"]["en"]
    assert "the mat was not printed at 100 %" in said
    assert float(said.split()[3]) == pytest.approx(100 / scale, rel=0.02)


def test_two_mats_of_one_kind_are_refused(bench: Bench) -> None:
    one = VirtualCamera(bench.table, view=VIEW, fps=0, sleep=lambda s: None).read(1)
    two = replace(one, image=np.hstack([one.image, one.image]))
    result = MarkersStep().run(Sight((two,), Calibration.begin("camera", (2, 1), "2026"), Reader, Locks))
    assert (result.ok, result.said["en"]) == (False, "Two mats of one kind are in the picture.")


def test_a_camera_too_far_away_fails(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    far = VirtualCamera(bench.table, View.over(MAT, 150.0), fps=0, sleep=lambda s: None)
    result = Wizard(CameraEyes(far), bench.file).run("markers")
    assert "too far" in result["said"]["en"]
    assert "Lower the camera" in result["todo"]["en"]


def test_the_light_step_needs_the_empty_mat(bench: Bench) -> None:
    bench.ready().lay(*ONE_OF_EACH)
    assert "on the mat: 4" in bench.run("light")["said"]["en"]
    bench.lay()
    bench.table.hand((210, 200))
    result = bench.run("light")
    assert not result["ok"]
    assert "Something lies over the mat" in result["said"]["en"]


def test_uneven_light_is_measured_and_corrected(tmp_path: Path) -> None:
    bench = Bench(tmp_path, Light(falloff=0.16, warmth=0.08)).ready()
    result = bench.run("light")
    assert result["ok"], result
    known, _ = load(bench.file)
    assert known is not None
    assert known.light is not None
    assert known.light.unevenness > 0.06
    blue, _, red = known.light.colour
    assert blue > 1 > red  # against a warm lamp


def test_too_uneven_light_fails(tmp_path: Path) -> None:
    result = Bench(tmp_path, Light(falloff=0.3)).ready().run("light")
    assert not result["ok"]
    assert "uneven" in result["said"]["en"] or "shadow" in result["said"]["en"]


def test_the_size_check_needs_coins(bench: Bench) -> None:
    assert "No coin" in bench.ready().run("sizes")["said"]["en"]


def test_the_size_check_needs_one_coin_of_each_kind(bench: Bench) -> None:
    bench.ready().lay(Coin.of(BY_VALUE[0], Face.HEADS), Coin.of(BY_VALUE[0], Face.TAILS))
    result = bench.run("sizes")
    assert "2 × penny" in result["said"]["en"]
    assert "one dime" in result["todo"]["en"]


def test_a_mat_printed_at_another_scale_is_detected(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.sizes.WORST_MM", 0.0)
    monkeypatch.setattr("calibration.sizes.measured_share", lambda *_: 0.95)
    bench.ready().lay(*ONE_OF_EACH)
    result = bench.run("sizes")
    assert not result["ok"]
    assert "All coins measure 95.0 % of their true size: the mat was not printed at 100 %" in result["said"]["en"]
    assert "ruler" in result["todo"]["en"]


TRAY = Heap(penny=2, nickel=2, dime=2, quarter=2)


def heap_up(face: Face, heap: Heap = TRAY) -> tuple[Coin, ...]:
    return tuple(Coin.of(kind, face) for kind in heap)


def test_own_coins_are_shown_from_both_sides_and_enrolled(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learned of them is tested in tests/calibration/test_own_coins.py."""

    def learned_much(shown: Sequence[Shown], identifier: Identifier) -> Enrolment:
        assert [one.face for one in shown] == [Face.HEADS, Face.TAILS]
        sides = sum(len(one.kinds) for one in shown)
        change = np.full((6, 193), 0.01, np.float32)
        return Enrolment(change, identifier.network, sides, Count(9, 8, 0), Count(16, 15, 0))

    monkeypatch.setattr("calibration.enrol.enrol", learned_much)
    bench.ready().lay(*heap_up(Face.HEADS))
    half = bench.wizard.run("enrol", Tray(TRAY, Face.HEADS))
    assert half["more"], half
    assert "turn every coin over" in half["todo"]["en"]
    assert bench.wizard.state()["shown"] == ["heads"]
    assert bench.wizard.state()["tray"]["face"] == "tails"
    bench.lay(*heap_up(Face.TAILS))
    learned = bench.run("enrol")  # with the tray of the first run, other side up
    assert learned["ok"], learned
    figures = learned["figures"]
    assert figures["sides"] == 16
    assert (figures["after_right"], figures["after_sure"]) > (figures["before_right"], figures["before_sure"])
    known, said = load(bench.file)
    assert known is not None
    assert known.coins == FILE
    assert "coins" in sentence(said)
    assert Enrolment.load(bench.file.with_name(FILE)).coins == 16
    state = bench.wizard.state()
    assert "16 sides" in state["said"]
    assert {step["name"]: step["done"] for step in state["steps"]}["enrol"]

    # an enrolment for another network is left aside with a warning
    own = Enrolment.load(bench.file.with_name(FILE))
    Enrolment(own.change, "another", 16, own.before, own.after).save(bench.file.with_name(FILE))
    state = bench.wizard.state()
    assert "another network" in state["left_coins"]
    assert state["left_coins_texts"]["zh"].endswith("请重新录入硬币；在此之前不使用它。")
    assert not {step["name"]: step["done"] for step in state["steps"]}["enrol"]
    assert bench.run("pass")["figures"] is not None
    bench.file.with_name(FILE).write_bytes(b"broken")
    assert "enrol" in bench.wizard.state()["left_coins"]
    bench.wizard.restart()
    assert bench.wizard.state()["left_coins"] is None


def test_a_tray_that_teaches_nothing_changes_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_change(shown: Sequence[Shown], identifier: Identifier) -> Enrolment:
        return Enrolment(np.zeros((6, 193), np.float32), identifier.network, 16, Count(16, 16, 0), Count(16, 16, 0))

    monkeypatch.setattr("calibration.enrol.enrol", no_change)
    bench.ready()
    for face in Face:
        bench.lay(*heap_up(face))
        result = bench.wizard.run("enrol", Tray(TRAY, face))
    assert result["ok"], result
    assert "Nothing was changed" in result["said"]["en"]
    assert not bench.file.with_name(FILE).exists()


def test_a_tray_without_mat_or_coins_gets_its_advice(bench: Bench) -> None:
    assert "mat is not found" in bench.run("enrol")["said"]["en"]
    assert "No coin" in bench.ready().run("enrol")["said"]["en"]


def test_a_wrong_tray_gets_its_advice(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.ready().lay(*heap_up(Face.HEADS))
    seen: list[Reading] = []
    read = KeptReader.read_tray

    def read_once(reader: KeptReader, frame: Frame) -> Reading:
        seen.extend([] if seen else [read(reader, frame)])
        return seen[0]

    monkeypatch.setattr(KeptReader, "read_tray", read_once)  # the table stays as it is
    cases = [
        (Tray(TRAY + Heap(penny=1), Face.HEADS), "There should be 9 coins; 8 are seen", "spread"),
        (Tray(Heap(penny=4, nickel=2, quarter=2), Face.HEADS), "no dime", "each kind"),
        (Tray(Heap(penny=2, nickel=1, dime=2, quarter=3), Face.HEADS), "should be a quarter and measures 21", "what"),
        (Tray(Heap(penny=3, nickel=2, dime=1, quarter=2), Face.HEADS), "should be a penny and measures 1", "what"),
        (Tray(TRAY, Face.TAILS), "8 of the 8 coins show heads", "Turn every coin over"),
        (Tray(Heap(penny=38, nickel=1, dime=1, quarter=1), Face.HEADS), "more than 40 coins", "Take some away"),
    ]
    for tray, said, todo in cases:
        result = bench.wizard.run("enrol", tray)
        assert not result["ok"]
        assert not result["more"]
        assert said in result["said"]["en"]
        assert todo in result["todo"]["en"]
        assert result["said"]["zh"]
        assert bench.wizard.state()["shown"] == []
    known, _ = load(bench.file)
    assert known is not None
    assert known.coins is None


def test_the_pass_needs_the_coins_it_asks_for(bench: Bench) -> None:
    bench.ready()
    assert "No coin" in bench.run("pass")["said"]["en"]
    bench.lay(*ONE_OF_EACH[:3])
    assert "not the coins asked for" in bench.run("pass")["said"]["en"]
    bench.lay(*[coin for coin in ASKED if coin.face is Face.HEADS] * 2)  # nobody turned the tails up
    result = bench.run("pass")
    assert not result["ok"]
    assert result["figures"]["wrong"] == 5 * 4
    known, _ = load(bench.file)
    assert known is not None
    assert not known.passes[-1].passed  # a failed pass is a result too
    assert not bench.wizard.state()["steps"][-1]["done"]


def test_a_step_can_be_repeated_and_everything_restarted(bench: Bench) -> None:
    bench.ready()
    bench.table.fault(marker_lost=True)
    assert not bench.run("markers")["ok"]
    assert bench.wizard.state()["steps"][1]["done"]  # what was found before stands
    bench.table.fault(marker_lost=False)
    assert bench.run("markers")["ok"]
    assert bench.wizard.state()["date"]
    bench.wizard.restart()
    assert not any(step["done"] for step in bench.wizard.state()["steps"])
    assert bench.wizard.state()["date"] is None


def test_a_table_is_not_calibrated_before_a_step_succeeded(bench: Bench) -> None:
    bench.table.fault(blur=True)
    assert not bench.run("aim")["ok"]
    assert bench.wizard.state()["date"] is None


def test_a_new_wizard_goes_on_from_the_file(bench: Bench) -> None:
    bench.ready()
    again = Wizard(CameraEyes(VirtualCamera(bench.table, VIEW, fps=0, sleep=lambda s: None)), bench.file)
    assert again.state()["steps"][1]["done"]
    assert "virtual table" in again.state()["said"]


def test_what_was_measured_at_a_terminal_meanwhile_stays(bench: Bench) -> None:
    """The page of a running table and `tablecoin calibrate` write the same file."""
    bench.ready()
    terminal = Wizard(CameraEyes(VirtualCamera(bench.table, VIEW, fps=0, sleep=lambda s: None)), bench.file)
    assert terminal.run("light")["ok"]
    assert bench.wizard.state()["steps"][3]["done"]
    assert bench.run("markers")["ok"]
    known, _ = load(bench.file)
    assert known is not None
    assert known.light is not None


def test_what_an_earlier_start_of_the_program_left_is_started_over_too(bench: Bench) -> None:
    bench.ready()
    again = Wizard(CameraEyes(VirtualCamera(bench.table, VIEW, fps=0, sleep=lambda s: None)), bench.file)
    again.restart()
    assert not any(step["done"] for step in again.state()["steps"])
    assert again.state()["date"] is None


def test_a_second_step_at_the_same_time_is_refused(bench: Bench) -> None:
    with bench.wizard._running, pytest.raises(Busy, match="wait"):
        bench.run("aim")


def test_a_full_disk_gets_its_advice(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("calibration.wizard.save", full)
    result = bench.run("markers")
    assert not result["ok"]
    assert "No space left" in result["said"]["en"]


def test_readings_are_counted_against_what_was_asked() -> None:
    from tablecoin.vision.frame import Disc, SeenCoin

    def seen(kind: int, heads: float, sure: bool = True) -> SeenCoin:
        denominations = [0.0] * 4
        denominations[kind] = 0.99
        a, b, c, d = denominations
        return SeenCoin(Disc(0, 0, 20), (a, b, c, d), whichever(heads), sure)

    asked = Counter({Coin.of(BY_VALUE[0], Face.HEADS): 1, Coin.of(BY_VALUE[1], Face.TAILS): 1})
    frame = Frame(np.zeros((2, 2, 3), np.uint8), 0, 0.0)
    cases = [
        ((seen(0, 0.99), seen(1, 0.01)), (2, 0, 0, 0, 0)),
        ((seen(0, 0.99), seen(1, 0.99)), (1, 1, 1, 0, 0)),  # the wrong face, and sure of it
        ((seen(0, 0.99), seen(2, 0.01, sure=False)), (1, 1, 0, 0, 0)),
        ((seen(0, 0.99),), (1, 0, 0, 1, 0)),
        ((seen(0, 0.99), seen(1, 0.01), seen(3, 0.5)), (2, 0, 1, 0, 1)),  # something taken for a coin, and sure
    ]
    for coins, expected in cases:
        got = count([Reading(frame, coins, 0.3)], asked, "test", "2026")
        assert (got.right, got.wrong, got.wrong_and_sure, got.missed, got.invented) == expected
        assert got.passed == (expected == (2, 0, 0, 0, 0))
