"""Set-up commands: print a mat, calibrate the table, teach a map."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from tablecoin.cli.sentences import GivenPath, Range, UserError, know_own_maps, print_json


@click.command("mat")
@click.argument("name")
@click.option("--map", "map_name", help="Coin Age: the name of a map, or its .toml file.")
@click.option("--paper", type=click.Choice(["a4", "a3", "letter", "tabloid"]), default="a3", show_default=True)
@click.option("-o", "--output", type=GivenPath(dir_okay=False, path_type=Path), required=True)
def print_mat(name: str, map_name: str | None, paper: str, output: Path) -> None:
    """Draw the mat NAME to scale into a .pdf, .svg or .png file. A mat larger than the paper is tiled in a PDF."""
    from tablecoin.mat.plan import MatError
    from tablecoin.mat.printing import save
    from tablecoin.rules.coin_age import maps

    know_own_maps()
    try:
        kind, _, in_name = name.partition(":")
        if kind == "coin-age" and (wanted := map_name or in_name):
            maps.load(wanted)  # a map that cannot be played on is not printed
        said = save(name, map_name, paper, output)
    except (MatError, maps.MapError) as error:
        wrong = str(error).removesuffix(".")
        raise UserError(f"{wrong[0].upper()}{wrong[1:]}.") from None
    except OSError as error:
        raise UserError(f"{output} cannot be written ({error.strerror}): give another place with -o.") from None
    click.echo(said, err=True)


@click.command("teach")
@click.argument("photo", type=GivenPath(path_type=Path))
@click.option("--spaces", "lesson", type=GivenPath(path_type=Path), required=True, help="The lesson, .toml or .json.")
@click.option("--corners", metavar='"X,Y X,Y X,Y X,Y"', help="The card's corners in the photo, in pixels.")
@click.option("--data", type=GivenPath(file_okay=False), help="The data folder; the map is saved in its folder maps.")
@click.option("--config", type=GivenPath(path_type=Path), help="A tablecoin.toml with the settings.")
@click.option("--json", "as_json", is_flag=True, help="The result as one JSON object.")
def teach(photo: Path, lesson: Path, corners: str | None, data: str | None, config: Path | None, as_json: bool) -> None:
    """Teach a Coin Age map from a PHOTO of your own card, to play on it and score it."""
    from calibration.teach.lesson import TeachError, read_file, smaller
    from calibration.teach.teach import STAGES
    from calibration.teach.teach import teach as learn
    from tablecoin.cli.progress import stages
    from tablecoin.settings import SettingsError, load, with_flags
    from tablecoin.vision.cameras.camera import CameraError
    from tablecoin.vision.cameras.picture import load_scaled

    try:
        settings = with_flags(load(config), data=data)
        with stages(STAGES) as begin:
            image, shrunk = load_scaled(photo)
            learnt = learn(image, smaller(read_file(lesson, corners), shrunk), settings.maps_dir, begin)
    except (CameraError, SettingsError, TeachError) as error:
        raise UserError(str(error)) from None
    if as_json:
        print_json(learnt)
    said = f"{learnt.map}: {learnt.spaces} spaces, {learnt.points} feature points"
    click.echo(f"{said}; saved as {learnt.path}", err=True)


class _OrTeach(click.Command):
    """A command with one subcommand, `teach`."""

    commands = {"teach": teach}  # noqa: RUF012 - as click's own groups name theirs

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] and (inner := self.commands.get(args[0])):
            return inner.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(cls=_OrTeach)
@click.argument("steps", nargs=-1, metavar="[aim|markers|lens|light|sizes|enrol|pass|show]...")
@click.option("--camera", metavar="auto|pi|pi:N|usb:N|file:PATH|URL|virtual", help="Where pictures come from.")
@click.option("--mat", "mat_name", default="auto", show_default=True, help="The mat under the camera.")
@click.option("--data", type=GivenPath(file_okay=False), help="The folder of the calibration.")
@click.option("--config", type=GivenPath(path_type=Path), help="A tablecoin.toml with the settings.")
@click.option(
    "--pictures", type=GivenPath(file_okay=False, path_type=Path), help="A folder for the picture of each step."
)
@click.option("--ring-light", type=Range(0, 1), help="The ring light, 0 to 1, from now on.")
@click.option("--tray", metavar="HEAP", help='The coins to enrol: {"penny": 3, "nickel": 3, ...}.')
@click.option(
    "--script", type=GivenPath(path_type=Path), help="A script of what hands do at the virtual table before the steps."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per step on standard output.")
def calibrate(
    steps: tuple[str, ...],
    camera: str | None,
    mat_name: str,
    data: str | None,
    config: Path | None,
    pictures: Path | None,
    ring_light: float | None,
    tray: str | None,
    script: Path | None,
    as_json: bool,
) -> None:
    """Run the wizard's steps: all that are required, or those named; `show` prints the calibration so far.

    To teach a Coin Age map from a photo of your own card: `tablecoin calibrate teach --help`.
    """
    from calibration.command import CalibrationError, Choice, open_wizard, read_tray, walk
    from tablecoin.mat import MatError
    from tablecoin.panel.panel import PanelError
    from tablecoin.settings import SettingsError
    from tablecoin.vision.cameras.camera import CameraError

    try:
        shows = steps == ("show",)
        choice = Choice(camera, mat_name, data, config, script, read_tray(tray), ring_light, only_shows=shows)
        with open_wizard(choice) as wizard:
            ask = sys.stdin is not None and sys.stdin.isatty() and not steps
            out = print_json if as_json else None
            ok = walk(wizard, steps, ask=ask, pictures=pictures, out=out, tray=choice.tray)
    except (CalibrationError, CameraError, MatError, PanelError, SettingsError) as error:
        raise UserError(str(error)) from None
    if not ok:
        sys.exit(2)
