"""`python -m lab endure`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import msgspec

from lab.enduring import graph, soak
from lab.enduring.served import NotServed
from tablecoin.cli.sentences import UserError

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option("--minutes", type=click.FloatRange(min=0.1), default=120.0, show_default=True, help="How long.")
@click.option("--every", type=click.FloatRange(min=5), default=60.0, show_default=True, help="Seconds a fault.")
@click.option("--at-rest", type=click.IntRange(min=1), help="Instead, so often each: a toss at rest on a failing disk.")
@click.option("--log", type=_FILE, default=Path("endure.jsonl"), show_default=True, help="One line a measure.")
@click.option("--graph", "picture", type=_FILE, default=Path("endure.svg"), show_default=True)
def endure(minutes: float, every: float, log: Path, picture: Path) -> None:
    """Play games for hours with one fault after the other: recovery, memory, rulings; draws a graph."""
    lines: list[soak.Line] = []
    try:
        with TemporaryDirectory() as folder, log.open("wb") as file:
            for line in soak.Soak(Path(folder), minutes, every).run():
                lines.append(line)
                file.write(msgspec.json.encode(line) + b"\n")
                file.flush()
                if isinstance(line, soak.Passed):
                    click.echo(_told(line))
    except NotServed as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"{log} cannot be written ({error.strerror}): choose another with --log.") from None
    picture.write_text(graph.svg(lines), "utf-8")
    for said in summary(lines):
        click.echo(said)


def _told(fault: soak.Passed) -> str:
    after = "no ruling came any more" if fault.ruled_after_s is None else f"ruled {fault.ruled_after_s:5.1f} s after it"
    return f"{fault.began_s / 60:6.1f} min  {fault.name:<14} {after}"


def summary(lines: Sequence[soak.Line]) -> list[str]:
    """What came of a run, in a few lines."""
    samples = [line for line in lines if isinstance(line, soak.Sample)]
    faults = [line for line in lines if isinstance(line, soak.Passed)]
    kept = [line for line in lines if isinstance(line, soak.Kept)]
    late = samples[len(samples) // 2 :]
    told = [
        f"games {samples[-1].games}, rulings {samples[-1].rulings}, processor {samples[-1].cpu_s:.0f} s "
        f"in {samples[-1].at_s:.0f} s",
        f"memory: {samples[0].resident_mb:.0f} MB at the start, at most {max(s.resident_mb for s in samples):.0f}; "
        f"second half {min(s.resident_mb for s in late):.0f} to {max(s.resident_mb for s in late):.0f}",
        f"faults {len(faults)}, recovered {sum(f.ruled_after_s is not None for f in faults)}",
    ]
    return told + [f"rulings shown {one.shown}, lost {len(one.lost)}" for one in kept]
