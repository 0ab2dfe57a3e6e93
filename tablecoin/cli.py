"""The front door: every command. Each command is a few lines that call one room; errors are one sentence, status 2.

Commands import their room inside the function, so `tablecoin judge` starts without loading OpenCV or Flask.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tablecoin import __version__

if TYPE_CHECKING:
    from tablecoin.panel.panel import Choice
    from tablecoin.vision.frame import Reading


class UserError(click.ClickException):
    """Bad input of any kind: one sentence on standard error, exit status 2, never a traceback."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        click.echo(f"tablecoin: {self.message}", err=True)


@click.group(invoke_without_command=True)
@click.version_option(__version__)
@click.pass_context
def main(context: click.Context) -> None:
    """A referee for coin games on a real table. Without a command: serve."""
    if context.invoked_subcommand is None:
        context.invoke(serve)


@main.command()
@click.option("--camera", metavar="auto|pi|usb:N|file:PATH|virtual", help="Where pictures come from.")
@click.option("--panel", type=click.Choice(["auto", "gpio", "screen", "none"]), help="Where the buttons are.")
@click.option("--host", help="Whom to serve: 127.0.0.1 this machine alone, 0.0.0.0 every phone in the house.")
@click.option("--port", type=int, help="Where the page is; 0 takes any free port.")
@click.option("--data", type=click.Path(file_okay=False), help="The folder of the journal and the calibration.")
@click.option("--config", type=click.Path(path_type=Path), help="A tablecoin.toml with these and more settings.")
@click.option("--seed", type=int, hidden=True, help="Makes the virtual table's tosses the same each time.")
def serve(
    camera: str | None = None,
    panel: Choice | None = None,
    host: str | None = None,
    port: int | None = None,
    data: str | None = None,
    config: Path | None = None,
    seed: int | None = None,
) -> None:
    """Watch the table, referee the game, and show it on a page."""
    import logging
    import signal

    from calibration.teach.teach import Teacher
    from calibration.wizard import HouseEyes, Wizard
    from tablecoin import settings
    from tablecoin.journal.journal import JournalError
    from tablecoin.mat import MatError
    from tablecoin.panel.panel import PanelError
    from tablecoin.service import Service
    from tablecoin.vision.camera import CameraError
    from tablecoin.watchdog import Watchdog
    from web.app import create_app
    from web.server import CannotServe, Server, join_urls

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        chosen = settings.with_flags(settings.load(config), camera=camera, panel=panel, host=host, port=port, data=data)
        service = Service(chosen, Watchdog(), seed)
        urls = join_urls(chosen.web.host, chosen.web.port)
        wizard = Wizard(HouseEyes(service.house), service.calibration_file, chosen.table.mat)
        teacher = Teacher(chosen.maps_dir)
        app = create_app(service.house, wizard=wizard, teacher=teacher, join_urls=urls)
        server = Server(app, service.house.stopping, chosen.web.host, chosen.web.port)
    except (settings.SettingsError, CameraError, PanelError, JournalError, MatError, CannotServe) as error:
        raise UserError(str(error)) from None
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: service.house.stopping.set())
    with service, server:
        shown = "127.0.0.1" if chosen.web.host in ("0.0.0.0", "::") else chosen.web.host
        click.echo(f"tablecoin: {service.calibration_said}", err=True)
        click.echo(f"tablecoin: {service.said}; the page is at http://{shown}:{server.port}/", err=True)
        for url in urls:
            click.echo(f"tablecoin: phones in the house: {url}", err=True)
        service.house.stopping.wait()


@main.command("mat")
@click.argument("name")
@click.option("--map", "map_name", help="Coin Age: a shipped map's name or a map file.")
@click.option("--paper", type=click.Choice(["a4", "a3", "letter", "tabloid"]), default="a3", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True)
def print_mat(name: str, map_name: str | None, paper: str, output: Path) -> None:
    """Draw the mat NAME to scale into a .pdf, .svg or .png file. A PDF is tiled where the mat exceeds the paper."""
    from tablecoin.mat.plan import MatError
    from tablecoin.mat.printing import save

    _know_own_maps()
    try:
        said = save(name, map_name, paper, output)
    except MatError as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"{output} cannot be written ({error.strerror}): give another place with -o.") from None
    click.echo(said, err=True)


@main.command()
@click.argument("game")
@click.option("--options", help="The house rules as a JSON object; `tablecoin games` lists them.")
@click.option("--from", "position", type=click.Path(path_type=Path), help="Start from the state in this file.")
def judge(game: str, options: str | None, position: Path | None) -> None:
    """Referee GAME from a list of actions: one JSON object a line in, one ruling a line out, no camera."""
    from tablecoin.judge import judge as rulings
    from tablecoin.judge import read_start, short
    from tablecoin.rules import load
    from tablecoin.rules.game import InputError

    _know_own_maps()
    try:
        rules = load(game)
        state = read_start(rules, options, position.read_bytes() if position else None)
    except InputError as error:
        raise UserError(short(error)) from None
    except OSError as error:
        raise UserError(
            f"{position} cannot be read ({error.strerror}): give a file with a state after --from."
        ) from None
    for ruling in rulings(rules, state, sys.stdin.buffer):
        _print_json(ruling)


@main.command()
@click.argument("game", required=False)
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="The rulebook's.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game.")
def games(game: str | None, lang: str, as_json: bool) -> None:
    """The games, and every house rule with its default; or the rulebook of one GAME."""
    from tablecoin.judge import describe_all
    from tablecoin.rules import NAMES
    from tablecoin.rules.rulebook import clauses

    if game is not None:
        if game not in NAMES:
            raise UserError(f"there is no game {game[:40]!r}; the games are {', '.join(NAMES)}")
        for clause in clauses(game):
            click.echo(f"{clause.number:>5}  {clause.zh if lang == 'zh' else clause.en}")
        return
    for described in describe_all():
        if as_json:
            _print_json(described)
            continue
        click.echo(f"{described['game']}: {described['title']['en']}, {described['title']['zh']}")
        for name, option in described["options"].items():
            click.echo(f"    {name} = {json.dumps(option['default'])}\n        {option['description']}")


@main.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line of the record.")
def replay(record: Path, as_json: bool) -> None:
    """Play a game's RECORD through the rules, and say at which line it departs from them."""
    from tablecoin.journal.record import RecordError, read_record, write_step
    from tablecoin.journal.record import replay as steps

    try:
        with record.open("rb") as lines:
            played = read_record(lines)
        for step in steps(played):
            if as_json:
                _print_json(write_step(played, step))
            else:
                click.echo(f"{step.line}: {'' if step.ok else 'refused: '}{step.said}")
    except RecordError as error:
        raise UserError(f"{record} {error}") from None
    except OSError as error:
        raise UserError(f"{record} cannot be read ({error.strerror}): give the file of a game's record.") from None


def _print_json(value: object) -> None:
    """One JSON object a line, at once: whoever reads a pipe waits for it."""
    click.echo(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


@main.command("look")
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a picture on standard output.")
@click.option(
    "--annotate", type=click.Path(path_type=Path), help="Draw what was read: a file, or a folder for several."
)
@click.option("--mat", default="auto", show_default=True, metavar="NAME|auto|none", help="The mat in the pictures.")
def look_at(images: tuple[Path, ...], as_json: bool, annotate: Path | None, mat: str) -> None:
    """Read the coins in pictures: which they are and which face lies up."""
    import msgspec

    from tablecoin.look import look, sentence
    from tablecoin.mat import MatError
    from tablecoin.vision.camera import CameraError
    from tablecoin.vision.reader import Reader

    if annotate and len(images) > 1 and not annotate.is_dir():
        raise UserError(f"{annotate} is no folder: several pictures need an existing folder for --annotate.")
    if annotate and not annotate.is_dir():
        _check_drawable(annotate)
    for path in images:
        try:
            record, reading = look(path, Reader(mat))  # a reader each: a picture knows nothing of the one before
        except (CameraError, MatError) as error:
            raise UserError(str(error)) from None
        if as_json:
            click.echo(msgspec.json.encode(record))
        click.echo(sentence(record), err=True)
        for warning in record.warnings:
            click.echo(f"  {warning}", err=True)
        if annotate:
            _draw(annotate / f"{path.stem}.jpg" if annotate.is_dir() else annotate, reading)


def _know_own_maps(data: str | None = None) -> None:
    """Maps that were taught are known by their names from here on. UserError for a broken tablecoin.toml."""
    from tablecoin import mapfiles
    from tablecoin.settings import SettingsError, load, with_flags

    try:
        mapfiles.look_also_in(with_flags(load(), data=data).maps_dir)
    except SettingsError as error:
        raise UserError(str(error)) from None


def _check_drawable(target: Path) -> None:
    """UserError when the name's ending is not a picture's: said before the work, not after it."""
    import cv2

    if not cv2.haveImageWriter(str(target)):
        raise UserError(f"{target} is not a kind of picture that can be written: end it in .jpg or .png.")


def _draw(target: Path, reading: Reading) -> None:
    """Write the annotated picture."""
    import cv2

    from tablecoin.vision.annotate import annotate

    if not cv2.imwrite(str(target), annotate(reading)):
        raise UserError(f"{target} cannot be written: give another place with --annotate.")


@main.command("score")
@click.argument("image", type=click.Path(path_type=Path))
@click.option("--map", "map_name", help="The map's name; without it the markers tell.")
@click.option(
    "--bank", "banks", multiple=True, metavar="SIDE=HEAP", help='A bank not in the picture: heads={"dime": 1}'
)
@click.option("--json", "as_json", is_flag=True, help="The whole score as one JSON object.")
@click.option("--annotate", type=click.Path(dir_okay=False, path_type=Path), help="Draw what was read into this file.")
@click.option("--data", type=click.Path(file_okay=False), help="The data folder, where maps that were taught lie.")
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
    from tablecoin.rules.game import InputError
    from tablecoin.score import ScoreError, score, sentence
    from tablecoin.vision.camera import CameraError
    from tablecoin.vision.cameras.picture import load_picture

    _know_own_maps(data)
    if annotate:
        _check_drawable(annotate)
    given = {}
    for bank in banks:
        side, _, heap = bank.partition("=")
        try:
            given[Face(side)] = msgspec.json.decode(heap, type=Heap)
        except (ValueError, msgspec.DecodeError):
            raise UserError(f'--bank {bank[:40]!r} is not a bank: write it like heads={{"dime": 1}}.') from None
    try:
        result, reading = score(load_picture(image), map_name, given)
    except (CameraError, MatError, InputError, ScoreError) as error:
        raise UserError(str(error)) from None
    if as_json:
        click.echo(msgspec.json.encode(result))
    click.echo(sentence(result), err=True)
    for warning in result.warnings:
        click.echo(f"  {warning}", err=True)
    if annotate:
        _draw(annotate, reading)


@main.command()
@click.argument("labels", type=click.Path(path_type=Path))
@click.option(
    "--images", type=click.Path(file_okay=False, path_type=Path), help="Where the pictures are; else beside LABELS."
)
@click.option(
    "--enrolled",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file of enrolled coins: also counted as the network comes, before them.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def scorecard(labels: Path, images: Path | None, enrolled: Path | None, as_json: bool) -> None:
    """Read labelled photos and count what was read rightly and wrongly."""
    import msgspec

    from calibration.labels import LabelError, read_labels
    from calibration.scorecard import as_record, compile_card, read_from, table
    from tablecoin.vision.camera import CameraError
    from tablecoin.vision.enrol import EnrolError, Enrolment
    from tablecoin.vision.identify import Identifier

    try:
        photos, own = read_labels(labels), Enrolment.load(enrolled) if enrolled else None
        identifier = Identifier(enrolled=own)
        if own and identifier.enrolled is None:
            raise EnrolError(f"{enrolled} was learned for another network than this one: enrol the coins again.")
        if own:
            plain = table(compile_card(photos, read_from(images or labels.parent)))
            click.echo(f"before the coins were enrolled:\n{plain}\n", err=as_json)
            click.echo(
                f"after ({own.coins} sides shown, {own.before.right} of them right before, {own.after.right} after):",
                err=as_json,
            )
        card = compile_card(photos, read_from(images or labels.parent, identifier))
    except (LabelError, CameraError, EnrolError) as error:
        raise UserError(str(error)) from None
    click.echo(table(card), err=as_json)
    if as_json:
        click.echo(msgspec.json.encode(as_record(card)))


class _OrTeach(click.Command):
    """A command whose first word may be `teach`, which is a command of its own."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] == ["teach"]:
            return teach.make_context(f"{info_name} teach", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@main.command(cls=_OrTeach)
@click.argument("steps", nargs=-1, metavar="[aim|markers|lens|light|sizes|pass|show]...")
@click.option("--camera", metavar="auto|pi|usb:N|file:PATH|virtual", help="Where pictures come from.")
@click.option("--mat", "mat_name", default="auto", show_default=True, help="The mat that lies under the camera.")
@click.option("--data", type=click.Path(file_okay=False), help="The folder of the calibration.")
@click.option("--config", type=click.Path(path_type=Path), help="The tablecoin.toml to go by.")
@click.option("--pictures", type=click.Path(file_okay=False, path_type=Path), help="Keep what each step saw there.")
@click.option("--script", type=click.Path(path_type=Path), help="What hands do at the virtual table before the steps.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a step on standard output.")
def calibrate(
    steps: tuple[str, ...],
    camera: str | None,
    mat_name: str,
    data: str | None,
    config: Path | None,
    pictures: Path | None,
    script: Path | None,
    as_json: bool,
) -> None:
    """Set the table up: all the wizard's steps one after the other, or those named; `show` says what is known."""
    from calibration.command import CalibrationError, Choice, open_wizard, walk
    from tablecoin.mat import MatError
    from tablecoin.settings import SettingsError
    from tablecoin.vision.camera import CameraError

    try:
        choice = Choice(camera, mat_name, data, config, script)
        with open_wizard(choice) as wizard:
            ask = sys.stdin.isatty() and not steps
            ok = walk(wizard, steps, ask=ask, pictures=pictures, out=_print_json if as_json else None)
    except (CalibrationError, CameraError, MatError, SettingsError) as error:
        raise UserError(str(error)) from None
    except OSError as error:
        where = error.filename or pictures
        raise UserError(f"{where} cannot be used ({error.strerror}): give another place.") from None
    if not ok:
        sys.exit(1)


@click.command("teach")
@click.argument("photo", type=click.Path(path_type=Path))
@click.option("--spaces", "lesson", type=click.Path(path_type=Path), required=True, help="The lesson, .toml or .json.")
@click.option("--corners", metavar='"X,Y X,Y X,Y X,Y"', help="The card's corners in the photo, in pixels.")
@click.option("--data", type=click.Path(file_okay=False), help="The data folder; the map is saved in its maps.")
@click.option("--config", type=click.Path(path_type=Path), help="The tablecoin.toml to go by.")
@click.option("--json", "as_json", is_flag=True, help="What was learnt as one JSON object.")
def teach(photo: Path, lesson: Path, corners: str | None, data: str | None, config: Path | None, as_json: bool) -> None:
    """Learn a Coin Age map from a PHOTO of a card of your own, to play on it and score it."""
    import msgspec

    from calibration.teach.lesson import TeachError, read_file
    from calibration.teach.teach import teach as learn
    from tablecoin.settings import SettingsError, load, with_flags
    from tablecoin.vision.camera import CameraError
    from tablecoin.vision.cameras.picture import load_picture

    try:
        settings = with_flags(load(config), data=data)
        learnt = learn(load_picture(photo), read_file(lesson, corners), settings.maps_dir)
    except (CameraError, SettingsError, TeachError) as error:
        raise UserError(str(error)) from None
    if as_json:
        click.echo(msgspec.json.encode(learnt))
    said = f"{learnt.map}: {learnt.spaces} spaces, known by {learnt.points} points"
    click.echo(f"{said}; saved as {learnt.path}", err=True)


@main.command()
@click.option("--config", type=click.Path(path_type=Path), help="The tablecoin.toml to go by.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line of the report.")
def doctor(config: Path | None, as_json: bool) -> None:
    """Is everything there? Camera, mat, calibration, buttons, disk, versions, each with what to do."""
    import msgspec

    from tablecoin.doctor import examine, line
    from tablecoin.settings import SettingsError, load

    try:
        settings = load(config)
    except SettingsError as error:
        raise UserError(str(error)) from None
    for finding in examine(settings):
        if as_json:
            click.echo(msgspec.json.encode(finding))
        else:
            click.echo(line(finding))


@main.command()
@click.option("--seconds", type=click.FloatRange(0.01, 60), default=1.0, show_default=True, help="For each number.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def bench(seconds: float, as_json: bool) -> None:
    """Measure this machine on the virtual table: milliseconds a frame, games a second, settled to page."""
    import msgspec

    from tablecoin.bench import bench as measure
    from tablecoin.bench import lines

    measured = measure(seconds)
    for said in lines(measured):
        click.echo(said, err=as_json)
    if as_json:
        click.echo(msgspec.json.encode(measured))


if __name__ == "__main__":
    sys.exit(main())
