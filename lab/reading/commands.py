"""`python -m lab read …`: how well the reader reads."""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count as counted
from itertools import repeat
from pathlib import Path
from typing import TypeVar

import click
import cv2
import numpy as np

from calibration import scorecard
from calibration.labels import LabelError
from calibration.teach.teach import teach
from lab import held_out, labels
from lab.photos import coins_option, needed, photos_option, sides_of
from lab.reading import cameras as mat_cameras
from lab.reading import (
    card,
    causes,
    drawn_card,
    hands,
    lamps,
    measure,
    own_coins,
    phone,
    photographers,
    sensors,
    sureness,
    touches,
)
from lab.reading.measure import Seen
from lab.reading.purses import Pockets
from lab.reading.scenes import SHAPES
from lab.reading.tally import Tally, line_of
from lab.training.folds import FOLDS
from tablecoin import mat as mats
from tablecoin.cli.progress import clear_line, progress
from tablecoin.cli.sentences import Front, UserError
from tablecoin.rules.coin_age import maps
from tablecoin.virtual.skin import Skin
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.coins.network import Identifier, Networks

T = TypeVar("T")
_NO_IMAGE = np.zeros((0, 0, 3), np.uint8)  # in place of a photo that is done with
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_NETWORK = "A network other than the shipped one."


@click.group("read", cls=Front)
def read() -> None:
    """Measure the reader, on the virtual table and on photos."""


@dataclass(frozen=True)
class Choice:
    """Which coins are read, and by which network."""

    pockets: Pockets
    network: Path | None
    seed: int

    def each(self, measured: Callable[[int, Iterable[Skin], Identifier, int], Iterator[T]], count: int) -> Iterator[T]:
        """`measured` by one network on drawn coins; or on real coins, fold by fold, by one that never saw them."""
        if self.pockets.coins == "drawn":
            yield from measured(count, repeat(Skin()), _identifier(self.network), self.seed)
            return
        for fold in range(len(FOLDS)):
            skins = (self.pockets.purse(number, fold).skin for number in counted(1000 * self.seed))
            yield from measured(self._share(count), skins, Identifier(self.pockets.networks(fold)), self.seed + fold)

    def total(self, count: int) -> int:
        """How many `each` measures when asked for `count`."""
        return count if self.pockets.coins == "drawn" else self._share(count) * len(FOLDS)

    def _share(self, count: int) -> int:
        return -(-count // len(FOLDS))


def _on_tables(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a measure on tables; it gets the number of tables and a Choice."""

    def run(count: int, pockets: Pockets, network: Path | None, seed: int) -> None:
        if network and pockets.coins != "drawn":
            raise UserError("--network is for drawn coins: real ones are read by the held-out networks.")
        cv2.setNumThreads(1)
        try:
            command(count, Choice(pockets, network, seed))
        except (LabelError, CameraError) as error:
            raise UserError(str(error)) from None

    run.__doc__ = command.__doc__
    options: list[Callable[[Callable[..., None]], Callable[..., None]]] = [
        click.option("--count", type=click.IntRange(min=1), default=100, show_default=True, help="How many tables."),
        coins_option,
        click.option("--network", type=click.Path(exists=True, dir_okay=False, path_type=Path), help=_NETWORK),
        click.option("--seed", default=1, show_default=True),
    ]
    for option in reversed(options):
        run = option(run)
    return run


@read.command("tables")
@_on_tables
def tables(count: int, choice: Choice) -> None:
    """Tables of 20 scattered coins, many lights and blurs, read once and as they settle."""
    seen: list[Seen] = []
    with progress(choice.each(measure.tables, count), "tables", choice.total(count)) as bar:
        seen.extend(bar)
    for size in dict.fromkeys(one.size for one in seen):
        _print_seen(size, [one for one in seen if one.size == size])
    for light in dict.fromkeys(one.light for one in seen):
        _print_seen(light, [one for one in seen if one.light == light])
    _print_seen("all", seen)


@read.command("touching")
@_on_tables
def touching(count: int, choice: Choice) -> None:
    """Coins that touch: rings of pennies, mixed lines, a dime on each larger coin."""
    by_shape: dict[str, list[Tally]] = defaultdict(list)
    with progress(choice.each(measure.touching, count), "tables", choice.total(count) * len(SHAPES)) as bar:
        for name, tally in bar:
            by_shape[name].append(tally)
    for name, tallies in by_shape.items():
        click.echo(line_of(name, tallies))


@read.command("maps")
@_on_tables
def random_maps(count: int, choice: Choice) -> None:
    """Random Coin Age positions: empty spaces, single coins, stacks."""
    counts: Counter[str] = Counter()
    with progress(choice.each(measure.positions, count), "maps", choice.total(count)) as bar:
        for one in bar:
            counts += one
    for what in ("empty", "single", "stack"):
        ends = "".join(f"  {end} {counts[f'{what} {end}']}" for end in ("right", "right and sure", "wrong and sure"))
        click.echo(f"{what:28} {counts[what]}{ends}")
    click.echo(f"{'seen elsewhere':28} {counts['elsewhere']}")


@read.command()
@click.option("--count", type=click.IntRange(min=1), default=200, show_default=True, help="How many pictures.")
@click.option("--network", type=click.Path(exists=True, dir_okay=False, path_type=Path), help=_NETWORK)
@click.option("--seed", default=1, show_default=True)
def nothing(count: int, network: Path | None, seed: int) -> None:
    """Pictures without a coin (noise, text, faces, buttons): coins invented in them."""
    cv2.setNumThreads(1)
    pictures, invented, sure = Counter[str](), Counter[str](), Counter[str]()
    with progress(measure.invented(count, _identifier(network), seed), "pictures", count) as bar:
        for what, coins, surely in bar:
            pictures[what] += 1
            invented[what] += coins
            sure[what] += surely
    for what, number in pictures.items():
        click.echo(f"{what:24} {number:3} pictures  invented {invented[what]}  sure {sure[what]}")


@read.command()
@click.option("--count", type=click.IntRange(min=1), default=300, show_default=True, help="How many cameras.")
@click.option("--seed", default=1, show_default=True)
@click.option("--mat", "mat_name", default="two-row", show_default=True, help="The mat they look at.")
def cameras(count: int, seed: int, mat_name: str) -> None:
    """Random cameras over a mat: the errors of the plane and of measured diameters."""
    try:
        mat = mats.load(mat_name)
    except mats.MatError as error:
        raise UserError(str(error)) from None
    found = []
    with progress(mat_cameras.measure(count, seed, mat), "cameras", count) as bar:
        for number, one in enumerate(bar):
            clear_line()
            if one is None:
                click.echo(f"camera {number}: the mat was not found")
                continue
            found.append(one)
            if one.plane_worst_mm > 1 or (number + 1) % 50 == 0:
                click.echo(
                    f"camera {number}: {one.view.distance_mm:.0f} mm, {one.view.tilt_deg:.0f}°, k1 {one.view.k1:.2f}: "
                    f"median {one.plane_median_mm:.2f}, worst {one.plane_worst_mm:.2f} mm"
                )
    for line in mat_cameras.report(found, count):
        click.echo(line)


@read.command("hands")
@click.option("--hands", "folder", type=_FOLDER, required=True, help="Pictures with alpha of hands, from the right.")
@click.option("--count", type=click.IntRange(min=1), default=200, show_default=True, help="How many trials.")
@click.option("--seed", default=1, show_default=True)
def real_hands(folder: Path, count: int, seed: int) -> None:
    """Real hands and fingers lie motionless over the mat: rulings under them, and removals still seen."""
    if not any(folder.glob("*.png")):
        raise click.BadParameter(f"{folder} holds no pictures of hands (*.png): give the folder that holds them.")
    cv2.setNumThreads(1)
    done: list[hands.Trial] = []
    with progress(hands.trials(folder, count, seed), "hands", count) as bar:
        done.extend(bar)
    for kind in hands.KINDS:
        some = [trial for trial in done if trial.kind == kind]
        under, wrong = sum(trial.under > 0 for trial in some), sum(trial.wrong > 0 for trial in some)
        seen = sum(trial.seen for trial in some)
        click.echo(f"{kind:30} {len(some):4}  ruled under it {under}  wrong of these {wrong}  seen afterwards {seen}")


@read.command("sensors")
@click.option("--count", type=click.IntRange(min=1), default=20, show_default=True, help="How many trials of each row.")
@click.option("--only", default="", help="Only the rows whose name contains this.")
@click.option("--seed", default=1, show_default=True)
def real_sensors(count: int, only: str, seed: int) -> None:
    """Real cameras, stands, lamps and codecs: how soon the table is at rest after a hand, and what is then read."""
    cv2.setNumThreads(1)
    rows = [row for row in sensors.ROWS if only in row.name]
    if not rows:
        raise UserError(f"No row's name contains '{only}'. There are: {', '.join(row.name for row in sensors.ROWS)}.")
    done: list[sensors.Trial] = []
    with progress(sensors.trials(count, seed, rows), "trials", count * len(rows)) as bar:
        done.extend(bar)
    for row in rows:
        click.echo(sensors.line_of(row, [trial for trial in done if trial.row == row.name]))
    click.echo(f"{'sightings under the hand':31} {sum(trial.early for trial in done)} of {len(done)}")


@read.command("lamps")
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="How many trials of each cell.")
@click.option("--seed", default=1, show_default=True)
def mains_lamps(count: int, seed: int) -> None:
    """Lamps on the mains: how soon the table is at rest, by ripple, exposure, shutter and frame rate."""
    cv2.setNumThreads(1)
    done: list[lamps.Settled] = []
    with progress(lamps.measured(count, seed), "films", count * len(lamps.grid())) as bar:
        done.extend(bar)
    for line in lamps.table(done):
        click.echo(line)


@read.command("touches")
@click.option("--count", type=click.IntRange(min=1), default=20, show_default=True, help="How many of each.")
@click.option("--seed", default=1, show_default=True)
def touched_coins(count: int, seed: int) -> None:
    """A coin is turned over, slid or turned under no hand: is it noticed at rest, and what is then read?"""
    cv2.setNumThreads(1)
    rows = tuple(row for row in sensors.ROWS if row.name.startswith(touches.ROWS))
    done: list[touches.Touch] = []
    with progress(touches.touches(count, seed, rows), "touches", count * len(rows) * len(touches.TOUCHES)) as bar:
        done.extend(bar)
    for row in rows:
        for kind in touches.TOUCHES:
            click.echo(touches.line_of(row, kind, [one for one in done if (one.row, one.kind) == (row.name, kind)]))


@read.command("phone")
@click.option("--map", "names", multiple=True, help="A map's name; without any, the maps that come with tablecoin.")
@click.option("--taught", is_flag=True, help="Also a map taught from a photo of a drawn card; without --map it alone.")
@click.option("--positions", type=click.IntRange(min=1), default=100, show_default=True, help="Photos of each map.")
@click.option("--first", default=0, show_default=True, help="The number of the first position.")
@click.option("--keep", type=click.Path(file_okay=False, path_type=Path), help="A folder for the photos that failed.")
@coins_option
def phone_photos(
    names: tuple[str, ...], taught: bool, positions: int, first: int, keep: Path | None, pockets: Pockets
) -> None:
    """Photos of Coin Age maps taken by hand: exact scores, doubts named, and what caused the others."""
    total: Counter[str] = Counter()
    tried: list[phone.Trial] = []
    with tempfile.TemporaryDirectory() as folder:
        if taught:
            image, to_px = drawn_card.photo()
            names = (*names, teach(image, drawn_card.lesson("isle", to_px), Path(folder)).map)
        for name in names or maps.names():
            counts: Counter[str] = Counter()
            try:
                with progress(phone.trials(name, range(first, first + positions), pockets), name, positions) as bar:
                    for trial in bar:
                        counts[trial.verdict] += 1
                        counts[phone.NEEDLESS] += trial.needless
                        tried.append(replace(trial, image=_NO_IMAGE))
                        if trial.verdict != "exact":
                            clear_line()
                            click.echo(f"  {trial.name}: {trial.verdict}: {trial.why}", err=True)
                            if keep:
                                keep.mkdir(parents=True, exist_ok=True)
                                cv2.imwrite(str(keep / f"{trial.name.replace(' ', '-')}.png"), trial.image)
            except (maps.MapError, mats.MatError) as error:
                raise UserError(str(error)) from None
            click.echo(f"{name}: {phone.words(counts)}")
            total += counts
    click.echo(f"all: {phone.words(total)}")
    if any(trial.causes for trial in tried):
        click.echo(causes.table(tried))


@read.command("own-coins")
@photos_option
@click.option("--owners", type=click.IntRange(min=1), default=10, show_default=True, help="People for each network.")
@click.option("--seed", default=1, show_default=True)
def owners_coins(photos: Path | None, owners: int, seed: int) -> None:
    """Tables of twenty coins, before and after these coins were enrolled."""
    cv2.setNumThreads(1)
    pockets = Pockets("mixed", sides_of(needed(photos)))

    def read_all() -> Iterator[tuple[str, Tally]]:
        for fold in range(len(FOLDS)):
            networks = held_out.networks(fold)
            yield from own_coins.before_and_after(pockets.everybody(fold), networks, owners, seed + fold, refused=_say)

    tallies: dict[str, list[Tally]] = defaultdict(list)
    with progress(read_all(), "tables", own_coins.TABLES_AN_OWNER * owners * len(FOLDS)) as bar:
        for name, one in bar:
            tallies[name].append(one)
    for name, some in sorted(tallies.items(), reverse=True):
        click.echo(line_of(name, some))


@read.command("sureness")
@photos_option
@click.option("--cost", default=sureness.COST, show_default=True, help="Questions that are as bad as a wrong ruling.")
@click.option("--curve", type=click.Path(dir_okay=False, path_type=Path), help="Draw risk over coverage as an SVG.")
def thresholds(photos: Path | None, cost: float, curve: Path | None) -> None:
    """Thresholds from which the reader is sure, chosen on some photographers, measured on others."""
    cv2.setNumThreads(1)
    folder = needed(photos)
    try:
        with progress(labels.read(folder), "photos") as bar:
            reads = sureness.read_all(bar, folder / "scenes")
    except (LabelError, CameraError, held_out.NotTrained) as error:
        raise UserError(str(error)) from None
    lines, svg = sureness.report(reads, cost)
    for line in lines:
        click.echo(line)
    if curve:
        curve.write_text(svg, encoding="utf-8")


@read.command("held-out")
@photos_option
@click.option("--processes", type=click.IntRange(min=1), default=2, show_default=True, help="How many read at once.")
@click.option("--mistakes", is_flag=True, help="Also list every coin that was read wrongly, missed or invented.")
@click.option("--write", is_flag=True, help="Put the counts into held_out.toml, for the model card.")
def strangers(photos: Path | None, processes: int, mistakes: bool, write: bool) -> None:
    """Every photographer's photos, read by the network that never saw them: counted anew, without training."""
    folder = needed(photos)
    try:
        known = [one for one in labels.read(folder) if held_out.fold_of(one) is not None]
        with progress(photographers.read(known, folder / "scenes", processes), "photos", len(known)) as bar:
            counts = photographers.together(list(bar))
    except (LabelError, CameraError, held_out.NotTrained) as error:
        raise UserError(str(error)) from None
    click.echo(scorecard.table(counts))
    for one in counts.mistakes if mistakes else ():
        sure = "sure" if one.sure else "not sure"
        click.echo(f"{one.image} at {one.x_px:.0f}, {one.y_px:.0f}: {one.label} read as {one.read}, {sure}")
    if write:
        folders = {name: score for name, score in counts.folders.items() if name != scorecard.POOLED}
        card.FIGURES.write_text(photographers.rewritten(card.FIGURES.read_text("utf-8"), folders), "utf-8")
        click.echo(f"{card.FIGURES} is written: `read card` makes the page of it.")


@read.command("card")
@click.option("--photos", type=_FOLDER, help="Count the shipped network on photos too, and print the card.")
def model_card(photos: Path | None) -> None:
    """Write docs/model-card.md from the newest figures."""
    figures = card.read_figures()
    if figures.network != Networks.shipped().name:
        raise UserError("held_out.toml tells of other networks than those that ship: measure these first.")
    if photos is None:
        card.PAGE.write_text(card.page(figures), "utf-8")
        click.echo(f"{card.PAGE} is written.")
        return
    try:
        click.echo(card.page(figures, card.count_here(photos)), nl=False)
    except (LabelError, CameraError) as error:
        raise UserError(str(error)) from None


def _identifier(network: Path | None) -> Identifier:
    return Identifier(replace(Networks.shipped(), small=network) if network else None)


def _print_seen(name: str, some: Sequence[Seen]) -> None:
    click.echo(line_of(f"{name}, first reading", [one.once for one in some]))
    click.echo(line_of(f"{name}, settled", [one.settled for one in some]))


def _say(words: str) -> None:
    clear_line()
    click.echo(words)
