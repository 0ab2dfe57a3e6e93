"""Commands that read pictures: the coins in them, a map's score, and how often the reader is right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablecoin.cli.sentences import GivenPath, UserError, know_own_maps, print_json, target_of, unwritable

if TYPE_CHECKING:
    from tablecoin.storage.given import Target
    from tablecoin.vision.coins.network import Identifier
    from tablecoin.vision.frame import Image


@click.command("look")
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...", type=GivenPath(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object per picture on standard output.")
@click.option(
    "--annotate",
    type=GivenPath(path_type=Path),
    help="Draw what was read into this file; for several pictures into this folder, under their names (a second p.png"
    " is p-2.jpg). Input pictures are never overwritten.",
)
@click.option("--mat", default="auto", show_default=True, metavar="NAME|auto|none", help="The mat in the pictures.")
@click.option(
    "--data",
    type=GivenPath(file_okay=False),
    help="A table's data folder, with the maps taught and the coins enrolled there.",
)
def look_at(images: tuple[Path, ...], as_json: bool, annotate: Path | None, mat: str, data: str | None) -> None:
    """Read the coins in pictures: which they are, and which face lies up."""
    from tablecoin.cli.progress import clear_line, progress
    from tablecoin.mat import MatError
    from tablecoin.photos.look import look, sentence
    from tablecoin.vision.cameras.camera import CameraError
    from tablecoin.vision.shown.annotate import annotate as drawn

    know_own_maps(data)
    targets = _targets(images, annotate) if annotate else [None] * len(images)
    identifier, unread = _identifier(data), False
    with progress(list(zip(images, targets, strict=True)), "pictures") as bar:
        for path, target in bar:
            try:
                record, reading = look(path, mat, identifier)
            except MatError as error:
                raise UserError(str(error)) from None
            except CameraError as error:  # the other pictures may be good
                clear_line()
                UserError(str(error)).show()
                unread = True
                continue
            clear_line()
            if as_json:
                print_json(record)
            click.echo(sentence(record), err=True)
            for warning in record.warnings:
                click.echo(f"  {warning}", err=True)
            if target:
                _write(target, drawn(reading))
    if unread:
        raise click.exceptions.Exit(UserError.exit_code)


@click.command("score")
@click.argument("image", type=GivenPath(path_type=Path))
@click.option(
    "--map", "map_name", help="The map's name, or its .toml file; by default the markers tell which map it is."
)
@click.option(
    "--bank",
    "banks",
    multiple=True,
    metavar="SIDE=HEAP",
    help='What a bank outside the picture holds: heads={"dime": 1}',
)
@click.option("--json", "as_json", is_flag=True, help="The whole score as one JSON object.")
@click.option("--annotate", type=GivenPath(dir_okay=False, path_type=Path), help="Draw what was read into this file.")
@click.option(
    "--data",
    type=GivenPath(file_okay=False),
    help="A table's data folder, with the maps taught and the coins enrolled there.",
)
def score_map(
    image: Path,
    map_name: str | None,
    banks: tuple[str, ...],
    as_json: bool,
    annotate: Path | None,
    data: str | None,
) -> None:
    """Score a physical Coin Age map from one photo."""
    import msgspec

    from tablecoin.coins import Face, Heap
    from tablecoin.mat import MatError
    from tablecoin.photos.score import ScoreError, score, sentence
    from tablecoin.photos.score_picture import picture
    from tablecoin.rules.game import InputError
    from tablecoin.vision.cameras.camera import CameraError
    from tablecoin.vision.cameras.picture import load_picture

    know_own_maps(data)
    target = _drawable(annotate, [image]) if annotate else None
    given: dict[Face, Heap] = {}
    for bank in banks:
        side, _, heap = bank.partition("=")
        if side in given:
            raise UserError(f"--bank {side} is given twice: give it once.")
        try:
            given[Face(side)] = msgspec.json.decode(heap, type=Heap)
        except (ValueError, msgspec.DecodeError):
            raise UserError(f'--bank {bank[:40]!r} is not a bank: write it like heads={{"dime": 1}}.') from None
    try:
        result, reading = score(load_picture(image), map_name, given, _identifier(data))
    except (CameraError, MatError, InputError, ScoreError) as error:
        raise UserError(str(error)) from None
    if as_json:
        told = msgspec.structs.asdict(result)
        del told["warnings_texts"], told["boxes_px"]  # those are for pages; `warnings` says the same in English
        print_json(told)
    click.echo(sentence(result), err=True)
    for warning in result.warnings:
        click.echo(f"  {warning}", err=True)
    if target:
        _write(target, picture(result, reading))


@click.command()
@click.argument("labels", type=GivenPath(path_type=Path))
@click.option(
    "--images",
    type=GivenPath(file_okay=False, path_type=Path),
    help="The folder of the pictures; by default that of LABELS.",
)
@click.option(
    "--enrolled",
    type=GivenPath(dir_okay=False, path_type=Path),
    help="A file of enrolled coins: the photos are read without them and with them.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def scorecard(labels: Path, images: Path | None, enrolled: Path | None, as_json: bool) -> None:
    """Read labelled photos and count right and wrong readings."""
    from calibration.labels import LabelError, read_labels
    from calibration.scorecard import as_record, compile_card, read_from, table
    from tablecoin.cli.progress import progress
    from tablecoin.rules.rulebook import Message
    from tablecoin.vision.cameras.camera import CameraError
    from tablecoin.vision.coins.enrolment import Enrolment, EnrolmentError
    from tablecoin.vision.coins.network import Identifier

    try:
        photos, own = read_labels(labels), Enrolment.load(enrolled) if enrolled else None
        identifier = Identifier(enrolled=own)
        if own and identifier.enrolled is None:
            raise EnrolmentError(Message("enrolment.network", {"path": str(enrolled)}))
        if own:
            with progress(photos, "photos, before") as bar:
                before = compile_card(bar, read_from(images or labels.parent))
            click.echo(f"before the coins were enrolled:\n{table(before)}\n", err=as_json)
            click.echo(
                f"after ({own.coins} sides shown, {own.before.right} of them right before, {own.after.right} after):",
                err=as_json,
            )
        with progress(photos, "photos") as bar:
            card = compile_card(bar, read_from(images or labels.parent, identifier))
    except (LabelError, CameraError, EnrolmentError) as error:
        raise UserError(str(error)) from None
    click.echo(table(card), err=as_json)
    if as_json:
        print_json(as_record(card))


def _identifier(data: str | None) -> Identifier:
    """An Identifier with the coins enrolled in the data folder. What cannot be used is left aside with a warning."""
    from tablecoin.rules.rulebook import sentence
    from tablecoin.settings import Settings
    from tablecoin.vision.calibrated import FILE, is_there, load
    from tablecoin.vision.coins.enrolled import own_coins
    from tablecoin.vision.coins.network import Identifier

    identifier = Identifier()
    file = Settings(data=data).data_dir / FILE if data else None
    if file and is_there(file):
        calibration, said = load(file)
        coins, coins_said = own_coins(calibration, file.parent, identifier)
        identifier.know(coins)
        if trouble := said if calibration is None else coins_said if coins is None else None:
            click.echo(f"  {sentence(trouble)}", err=True)
    return identifier


def _targets(images: Sequence[Path], annotate: Path) -> list[Target]:
    """Where the drawing of each picture goes: `annotate` itself, or an unused name in that folder."""
    if not annotate.is_dir():
        if len(images) > 1:
            raise UserError(f"{annotate} is no folder: for several pictures, give an existing folder with --annotate.")
        return [_drawable(annotate, images)]
    paths: list[Path] = []
    for image in images:
        names = chain([image.stem], (f"{image.stem}-{number}" for number in count(2)))
        paths.append(next(path for name in names if (path := annotate / f"{name}.jpg") not in paths))
    return [_drawable(path, images) for path in paths]


def _drawable(path: Path, images: Sequence[Path]) -> Target:
    """Where to draw, before the work. UserError where `path` is not a picture's name or is one of `images`."""
    import cv2

    # OpenCV is given the ending alone, because it aborts on names that are not UTF-8.
    if not (path.suffix.isascii() and cv2.haveImageWriter(f"a{path.suffix}")):
        raise UserError(f"{path} is not a picture format that can be written: end it in .jpg or .png.")
    return target_of(path, images, "--annotate")


def _write(target: Target, drawn: Image) -> None:
    import cv2

    done, encoded = cv2.imencode(target.path.suffix, drawn)
    if not done:
        raise UserError(f"{target.path} is not a picture format that can be written: end it in .jpg or .png.")
    try:
        target.write(encoded.tobytes())
    except OSError as error:
        raise unwritable(target.path, error, "--annotate") from None
