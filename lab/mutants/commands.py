"""`python -m lab mutants draw` and `run`: how many planted faults the tests find."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import Empty, Queue

import click
import msgspec

from lab.mutants.sample import Mutant, Result, Task, draw

Tests = Mapping[str, float]  # seconds of each test


@click.group()
def mutants() -> None:
    """Plant small faults in the code and see whether the tests find them."""


@mutants.command("draw")
@click.option("--seed", default=45, show_default=True)
@click.option("--each", default=64, show_default=True, help="Mutants of each room.")
@click.argument("out", type=click.Path(path_type=Path))
def draw_(seed: int, each: int, out: Path) -> None:
    """Draw a sample of mutants of rules, referee, journal, reader and web into the file OUT, one a line."""
    drawn = draw(Path(), seed, each)
    out.write_bytes(msgspec.json.Encoder().encode_lines(drawn))
    click.echo(f"{len(drawn)} mutants in {out}")


@mutants.command("run")
@click.argument("drawn", type=click.Path(exists=True, path_type=Path))
@click.option("--coverage", default=".coverage", type=click.Path(exists=True, path_type=Path), show_default=True)
@click.option("--durations", type=click.Path(exists=True, path_type=Path), required=True, help="pytest's --junitxml.")
@click.option("--only", type=click.Path(exists=True, path_type=Path), help="Results: run the mutants caught in them.")
@click.option("--processes", default=2, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Results; a file that exists is continued.")
def run_(drawn: Path, coverage: Path, durations: Path, only: Path | None, processes: int, out: Path) -> None:
    """Run the tests that reach each mutant of the file DRAWN, fastest first, until one fails.

    Needs a run of the tests before: pytest --cov --cov-context=test --junitxml=FILE.
    """
    sample = msgspec.json.Decoder(Mutant).decode_lines(drawn.read_bytes())
    done = {result.number for result in _results(out)}
    caught = {result.number for result in _results(only) if result.end == "caught"} if only else None
    reached = _reached(coverage, sorted({each.path for each in sample}), _seconds(durations))
    todo = Queue[Task]()
    for number, mutant in enumerate(sample):
        if number not in done and (caught is None or number in caught):
            row = mutant.row(Path(mutant.path).read_text("utf-8"))
            lines = reached[mutant.path]
            found = lines.get(row + 1, []) if row is not None else []
            todo.put(Task(number, mutant, tuple(found or lines.get(0, []))))
    lock = threading.Lock()
    threads = [threading.Thread(target=_work, args=[todo, out, lock]) for _ in range(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for room, ends in sorted(_counts(sample, _results(out)).items()):
        click.echo(f"{room:10}{', '.join(f'{count} {end}' for end, count in sorted(ends.items()))}")


def _counts(sample: Sequence[Mutant], results: Sequence[Result]) -> Mapping[str, Counter[str]]:
    ends = defaultdict[str, Counter[str]](Counter)
    for result in results:
        for room in (sample[result.number].room, "all"):
            ends[room][result.end] += 1
    return ends


def _results(path: Path) -> list[Result]:
    return msgspec.json.Decoder(Result).decode_lines(path.read_bytes()) if path.exists() else []


def _seconds(junit: Path) -> Tests:
    """Seconds of each test by its node id, from pytest's XML."""
    found = dict[str, float]()
    for case in ET.parse(junit).iter("testcase"):
        if case.find("skipped") is None:
            found[f"{case.get('classname', '')}::{case.get('name', '')}"] = float(case.get("time", 0))
    return found


def _reached(data: Path, paths: Sequence[str], seconds: Tests) -> dict[str, dict[int, list[str]]]:
    """For each file and line the node ids of the tests that reach it, fastest first. Line 0: any line of the file.

    A line that runs only while its module is loaded has no test of its own: then those of the file are meant.
    """
    from coverage import CoverageData  # of the dev group

    covered = CoverageData(str(data))
    covered.read()
    found = dict[str, dict[int, list[str]]]()

    def order(contexts: set[str]) -> list[str]:
        tests = {context.rpartition("|")[0] for context in contexts} - {""}
        timed = {test: seconds.get(_junit_name(test)) for test in tests}
        return sorted((test for test in tests if timed[test] is not None), key=lambda test: (timed[test] or 0.0, test))

    for path in paths:
        by_line = covered.contexts_by_lineno(path)
        found[path] = {line: order(set(contexts)) for line, contexts in by_line.items()}
        found[path][0] = order({context for contexts in by_line.values() for context in contexts})
    return found


def _junit_name(test: str) -> str:
    """The key of `_seconds` for a node id."""
    path, _, name = test.partition("::")
    return f"{path.removesuffix('.py').replace('/', '.')}::{name}"


def _work(todo: Queue[Task], out: Path, lock: threading.Lock) -> None:
    """Feed one worker, in a copy of the checkout of its own."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        checkout = Path(folder) / "checkout"
        _copy(checkout)
        environment = os.environ | {"PYTHONPATH": str(checkout), "CI": "true"}
        command = [sys.executable, "-m", "lab.mutants.worker"]
        with subprocess.Popen(
            command, cwd=checkout, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as worker:
            assert worker.stdin
            assert worker.stdout
            while True:
                try:
                    task = todo.get_nowait()
                except Empty:
                    break
                worker.stdin.write(msgspec.json.encode(task) + b"\n")
                worker.stdin.flush()
                answer = worker.stdout.readline()
                with lock, out.open("ab") as results:
                    results.write(answer)
            worker.stdin.close()


def _copy(checkout: Path) -> None:
    """Copy the files of the checkout that git knows or does not ignore, and link what lies beside them."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        if Path(name).is_file():
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(name, checkout / name)
    for beside in (Path("node_modules"), Path("../shared")):
        if beside.exists():
            (checkout / beside).symlink_to(beside.resolve())
