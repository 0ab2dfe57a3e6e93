"""The virtual table through the cameras that people have: how soon it is at rest after a hand, and what is then read.

Each trial lays coins, lets the table come to rest, changes one coin under a hand, and waits for a sighting. What the
camera, its stand, the lamp and the compression do to the pictures goes on all the time.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np

from lab.reading.scenes import lies_alone, scattered
from lab.reading.tally import tally
from tablecoin import mat as mats
from tablecoin.coins import Face
from tablecoin.mat import Mat
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.sensor import WEBCAM_NOISE, Grain, Lamp, jpeg, knocked, swaying, video
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Image
from tablecoin.vision.rest.areas import Areas
from tablecoin.vision.rest.settle import Look, Settler
from tablecoin.vision.rest.unrest import FLICKERS, GRAINY, MOVES, SWAYS

SIZE_PX = (960, 720)
FPS = 14.9  # not a whole share of a lamp's swings, so that its bands run
COINS = 8
RESTS_S = 2.0  # the table lies alone before the hand comes
WAITS_S = 4.5  # after the hand has gone; a table without a sighting by then never settles
GOAL_S = 1.2  # from the last frame with the hand to the sighting


@dataclass(frozen=True, slots=True)
class Moment:
    """When a picture was taken."""

    at_s: float  # since the film began
    since_s: float  # since the hand left; below 0 before that


Disturbance = Callable[[Image, Moment], Image]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what is done to every picture, and the codec that films them."""

    name: str
    disturb: Callable[[View, float], Disturbance]  # of a view and a phase in seconds, which differs from trial to trial
    noise: float = WEBCAM_NOISE  # standard deviation of the correlated noise, in grey levels
    codec: str | None = None  # of a film; None: each picture stands alone
    why: Message | None = None  # said on the page, where the row is allowed not to settle
    is_late: bool = False  # whether all that disturbs comes after the hand, so that the time counts from there


def _nothing(_view: View, _phase_s: float) -> Disturbance:
    return lambda image, _: image


def _sway(mm: float) -> Callable[[View, float], Disturbance]:
    return lambda view, phase_s: lambda image, m: swaying(image, m.at_s + phase_s, mm * px_per_mm(view))


def _knock(mm: float) -> Callable[[View, float], Disturbance]:
    return lambda view, phase_s: lambda image, m: knocked(image, m.since_s - phase_s, mm * px_per_mm(view))


def _lamp(hz: float, depth: float, exposure_s: float) -> Callable[[View, float], Disturbance]:
    lamp = Lamp(hz, depth, exposure_s)
    return lambda _, phase_s: lambda image, m: lamp.on(image, m.at_s + phase_s)


def _exposure(gains: Sequence[float], step_s: float) -> Callable[[View, float], Disturbance]:
    """The light once the hand has left, step by step; it is 1 before."""

    def step(image: Image, moment: Moment, phase_s: float) -> Image:
        number = int((moment.since_s - phase_s) // step_s)
        gain = 1.0 if number < 0 else gains[min(number, len(gains) - 1)]
        return image if gain == 1.0 else np.asarray(cv2.convertScaleAbs(image, alpha=gain), np.uint8)

    return lambda _, phase_s: lambda image, moment: step(image, moment, phase_s)


def _compressed(quality: int) -> Callable[[View, float], Disturbance]:
    return lambda _view, _phase_s: lambda image, _moment: jpeg(image, quality)


def _shadow(depth: float, soft_mm: float, moves_mm: float = 0.0) -> Callable[[View, float], Disturbance]:
    """Somebody's shadow lies over a third of the mat from the moment the hand has left."""

    def shade(view: View, phase_s: float) -> Disturbance:
        width, height = view.size_px
        slope = -0.3 + 0.6 * phase_s

        def on(image: Image, moment: Moment) -> Image:
            if moment.since_s < 0:
                return image
            to_side = moves_mm * px_per_mm(view) * math.sin(2.1 * moment.at_s)
            edge = width * 0.62 + slope * (np.arange(height, dtype=np.float32) - height / 2) + to_side
            inside = np.arange(width, dtype=np.float32)[None] - edge[:, None]
            share = np.clip(0.5 + inside / max(1.0, soft_mm * px_per_mm(view)), 0, 1)
            return np.asarray(image * (1 - depth * share[..., None]) + 0.5, np.uint8)

        return on

    return shade


ROWS: tuple[Row, ...] = (
    Row("a webcam's noise", _nothing),
    Row("three times its noise", _nothing, 3 * WEBCAM_NOISE),
    Row("six times its noise", _nothing, 6 * WEBCAM_NOISE, why=GRAINY),
    Row("sway ±0.1 mm", _sway(0.1)),
    Row("sway ±0.2 mm", _sway(0.2)),
    Row("sway ±0.4 mm", _sway(0.4)),
    Row("sway ±1.5 mm", _sway(1.5), why=SWAYS),
    Row("a knock of 1 mm", _knock(1.0), is_late=True),
    Row("a knock of 4 mm", _knock(4.0), is_late=True),
    Row("100 Hz, filament, 1/120 s", _lamp(100, 0.1, 1 / 120)),
    Row("100 Hz, tube, 1/120 s", _lamp(100, 0.3, 1 / 120)),
    Row("120 Hz, tube, 1/100 s", _lamp(120, 0.3, 1 / 100)),
    Row("100 Hz, tube, 1/250 s", _lamp(100, 0.3, 1 / 250), why=FLICKERS),
    Row("120 Hz, bad LED, 1/250 s", _lamp(120, 1.0, 1 / 250), why=FLICKERS),
    Row("exposure: one step of -15 %", _exposure((0.85,), 0.5)),
    Row("exposure: ramp of +25 %", _exposure([1 + 0.025 * n for n in range(1, 11)], 1 / FPS)),
    Row("exposure: five steps of -6 %", _exposure([0.94**n for n in range(1, 6)], 0.2)),
    Row("MJPEG, quality 85", _compressed(85)),
    Row("MJPEG, quality 50", _compressed(50)),
    Row("MJPEG, quality 25", _compressed(25)),
    Row("film, MPEG-4", _nothing, codec="mp4v"),
    Row("soft shadow of 25 %", _shadow(0.25, 30.0)),
    Row("hard shadow of 25 %", _shadow(0.25, 2.0)),
    Row("hard shadow of 40 %", _shadow(0.40, 2.0)),
    Row("hard shadow that moves", _shadow(0.30, 4.0, 12.0), why=MOVES),
    Row("sway ±0.1 mm, MJPEG 50, 100 Hz", lambda v, p: _all(_sway(0.1)(v, p), _lamp(100, 0.1, 1 / 120)(v, p), 50)),
)


def _all(one: Disturbance, other: Disturbance, quality: int) -> Disturbance:
    return lambda image, moment: jpeg(other(one(image, moment), moment), quality)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one lawful change before one kind of camera."""

    row: str
    settled_s: float  # from the last frame with the hand, or the knock, to the next sighting; infinity: none
    right: bool  # the first sighting shows every coin, each as what it is
    said: str | None  # the key of what the page said most while it waited; None: it waited too short to say anything
    early: int  # sightings while the hand was over the mat


def trials(count: int, seed: int, rows: Sequence[Row] = ROWS) -> Iterator[Trial]:
    """`count` trials of each row, on tables of their own."""
    names = [name for name in mats.names() if not name.startswith("coin-age")]
    for number in range(count):
        for row in rows:
            # the same tables for every row, so that rows can be compared
            rng = np.random.default_rng((seed, number))
            mat = mats.load(names[int(rng.integers(len(names)))])
            yield trial(row, mat, rng)


def trial(row: Row, mat: Mat, rng: np.random.Generator) -> Trial:
    """One film of a change under a hand, and what the settler and the reader make of it."""
    light = Light(noise=0.0, brightness=float(rng.uniform(0.75, 1.0)), warmth=float(rng.uniform(-0.1, 0.12)))
    view = View.over(mat, size_px=SIZE_PX, tilt_deg=float(rng.uniform(0, 6)), towards_deg=float(rng.uniform(0, 360)))
    renderer = Renderer(mat, view, light, seed=int(rng.integers(1 << 30)))
    before = scattered(mat, Skin(), rng, COINS)
    after, at_mm = _changed(mat, before, rng)
    scenes = [Scene(coins=before)] * round(RESTS_S * FPS)
    for back_mm in (120, 60, 10):
        scenes.append(Scene(coins=before, hand=True, hand_at_mm=(at_mm[0], at_mm[1] + back_mm)))
    for back_mm in (10, 60, 120):
        scenes.append(Scene(coins=after, hand=True, hand_at_mm=(at_mm[0], at_mm[1] + back_mm)))
    gone = len(scenes)
    scenes += [Scene(coins=after)] * round(WAITS_S * FPS)

    phase_s = float(rng.uniform(0, 0.4))
    disturb, late_s = row.disturb(view, phase_s), phase_s if row.is_late else 0.0
    grain = Grain(SIZE_PX, row.noise, int(rng.integers(1 << 30)))
    film = (
        grain.on(disturb(renderer.picture(scene), Moment(n / FPS, (n - gone) / FPS))) for n, scene in enumerate(scenes)
    )
    pictures = film if row.codec is None else iter(video(list(film), row.codec, FPS))

    reader = Reader(mat.name)
    settler = Settler(reader.read, areas=lambda _: Areas.over(reader.plane))
    early, said = 0, Counter[str]()
    for n, image in enumerate(pictures):
        look = settler.see(Frame(image, n, n / FPS))
        since_s = (n - gone + 1) / FPS - late_s
        if since_s > GOAL_S and (why := _why(look)):
            said[why] += 1
        if look.sighting and since_s > 0:
            told = tally(after, look.sighting.reading)
            return Trial(row.name, since_s, told.best_guess, _most(said), early)
        early += bool(look.sighting) and _is_covered(scenes[n], mat)
    return Trial(row.name, math.inf, False, _most(said), early)


def _is_covered(scene: Scene, mat: Mat) -> bool:
    """Whether the hand, which comes from below, lies over the mat."""
    return scene.hand and scene.hand_at_mm is not None and scene.hand_at_mm[1] < mat.height_mm


def _why(look: Look) -> str | None:
    """What the page says while there is no sighting."""
    return look.restless.key if look.restless else "hand" if look.hand else None


def _most(said: Counter[str]) -> str | None:
    return said.most_common(1)[0][0] if said else None


def _changed(
    mat: Mat, coins: tuple[VirtualCoin, ...], rng: np.random.Generator
) -> tuple[tuple[VirtualCoin, ...], tuple[float, float]]:
    """The coins after one of them was taken, turned over or put elsewhere, and where that was."""
    chosen = coins[int(rng.integers(len(coins)))]
    others = tuple(coin for coin in coins if coin is not chosen)
    at_mm = (chosen.x_mm, chosen.y_mm)
    match int(rng.integers(3)):
        case 0:
            return others, at_mm
        case 1:
            face = Face.TAILS if chosen.face is Face.HEADS else Face.HEADS
            return (*others, msgspec.structs.replace(chosen, face=face)), at_mm
    while True:
        x_mm, y_mm = rng.uniform(14, mat.width_mm - 14), rng.uniform(14, mat.height_mm - 14)
        laid = msgspec.structs.replace(chosen, x_mm=float(x_mm), y_mm=float(y_mm))
        if lies_alone(mat, laid, others) and math.dist((x_mm, y_mm), at_mm) > 15:
            return (*others, laid), (laid.x_mm, laid.y_mm)


def px_per_mm(view: View) -> float:
    """Picture pixels per millimetre in the middle of the mat."""
    x, y = view.aim_mm
    one, other = view.to_px([(x, y), (x + 10, y)])
    return float(np.hypot(*(other - one))) / 10


def line_of(row: Row, some: Sequence[Trial]) -> str:
    """One row of the table."""
    settled = sorted(trial.settled_s for trial in some)
    never = sum(math.isinf(s) for s in settled)
    middle, late = (settled[min(len(settled) - 1, int(share * len(settled)))] for share in (0.5, 0.95))
    said = sorted({trial.said or "nothing" for trial in some if trial.settled_s > GOAL_S})
    return (
        f"{row.name:31} {len(some):3}  p50 {_s(middle)}  p95 {_s(late)}  over {GOAL_S:g} s"
        f" {sum(s > GOAL_S for s in settled) - never:2}"
        f"  never {never:2}  read right {sum(trial.right for trial in some):2}/{len(some) - never}"
        f"{'  says ' + ', '.join(said) if said else ''}"
    )


def _s(seconds: float) -> str:
    return "    -" if math.isinf(seconds) else f"{seconds:4.2f}s"
