"""`python -m lab endure`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import msgspec

from lab.enduring import graph, soak
from lab.enduring.memory import WARM, Grown, grown
from lab.enduring.resting import SOON_S, Rested, rested
from lab.enduring.served import NotServed
from tablecoin.cli.sentences import UserError

Line = soak.Line | Rested | Grown

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option("--minutes", type=click.FloatRange(min=0.1), default=120.0, show_default=True, help="How long.")
@click.option("--every", type=click.FloatRange(min=5), default=60.0, show_default=True, help="Seconds a fault.")
@click.option("--at-rest", type=click.IntRange(min=1), help="Instead, N times: a toss at rest on each failing disk.")
@click.option("--memory", type=click.IntRange(min=2), help="Instead, memory over N lessons, N photos and N replays.")
@click.option("--log", type=_FILE, default=Path("endure.jsonl"), show_default=True, help="One line a measure.")
@click.option("--graph", "picture", type=_FILE, default=Path("endure.svg"), show_default=True)
def endure(minutes: float, every: float, at_rest: int | None, memory: int | None, log: Path, picture: Path) -> None:
    """Play games for hours with one fault after the other: recovery, memory, rulings; draws a graph."""
    lines: list[Line] = []
    try:
        with TemporaryDirectory() as folder, log.open("wb") as file:
            data = Path(folder) / "data"
            measured: Iterator[Line] = soak.Soak(data, minutes, every).run()
            if at_rest:
                measured = rested(data, at_rest)
            elif memory:
                measured = grown(data, memory)
            for line in measured:
                lines.append(line)
                file.write(msgspec.json.encode(line) + b"\n")
                file.flush()
                if said := _told(line):
                    click.echo(said)
    except NotServed as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"{log} cannot be written ({error.strerror}): choose another with --log.") from None
    if at_rest:
        click.echo(summary_at_rest([line for line in lines if isinstance(line, Rested)]))
    elif not memory:
        soaked = [line for line in lines if not isinstance(line, Rested | Grown)]
        picture.write_text(graph.svg(soaked), "utf-8")
        for said in summary(soaked):
            click.echo(said)


def _told(line: Line) -> str | None:
    match line:
        case soak.Passed():
            after = (
                "no ruling came any more"
                if line.ruled_after_s is None
                else f"ruled {line.ruled_after_s:5.1f} s after it"
            )
            return f"{line.began_s / 60:6.1f} min  {line.name:<14} {after}"
        case Rested():
            after = (
                f"never ruled on: {line.left}"
                if line.ruled_after_s is None
                else f"ruled on {line.ruled_after_s:4.1f} s after it"
            )
            return f"{line.name:<14} {after}; a command waited {line.answered_s:.2f} s at most"
        case Grown():
            flat = "flat" if line.is_flat else "NOT flat"
            return (
                f"{line.calls} {line.kind}: {flat}, at most {line.warm_mb:.0f} MB over the first {WARM}, "
                f"{line.most_mb:.0f} MB later, {line.end_mb:.0f} MB at the end; {line.refused} refused"
            )
    return None


def summary_at_rest(trials: Sequence[Rested]) -> str:
    """What came of tosses that lay at rest."""
    soon = sum(not each.early and each.ruled_after_s is not None and each.ruled_after_s <= SOON_S for each in trials)
    waited_s = max(each.answered_s for each in trials)
    return f"ruled on within {SOON_S:.0f} s: {soon} of {len(trials)}; a command waited {waited_s:.2f} s at most"


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
