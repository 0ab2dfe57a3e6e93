"""Progress of long work: a bar on standard error at a terminal, nothing in a pipe; standard output stays clean."""

from __future__ import annotations

import contextlib
import io
import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.teach.teach import STAGES as TEACH_STAGES
from calibration.teach.teach import Taught
from lab.front import main as lab
from lab.reading import measure
from tablecoin.checks.bench import STAGES as BENCH_STAGES
from tablecoin.checks.bench import Bench
from tablecoin.checks.bench.timing import Spread
from tablecoin.cli import main

Begin = Callable[[str], None]


def at_a_terminal(command: click.Command, *words: str) -> tuple[str, str]:
    """(standard output, standard error) of a command whose standard error is a terminal."""
    master, terminal = os.openpty()
    shown, out = list[bytes](), io.TextIOWrapper(io.BytesIO(), "utf-8")
    reader = threading.Thread(target=lambda: shown.extend(iter(lambda: read(master), b"")))
    reader.start()  # a terminal holds a few kilobytes, then it makes the writer wait
    with os.fdopen(terminal, "w") as error, contextlib.redirect_stderr(error), contextlib.redirect_stdout(out):
        command.main(words, standalone_mode=False)
    reader.join()
    os.close(master)
    out.seek(0)
    return out.read(), b"".join(shown).decode()


def read(terminal: int) -> bytes:
    """What comes next; nothing once the other side is closed, which Linux reports as an error."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def in_a_pipe(command: click.Command, *words: str) -> tuple[str, str]:
    done = CliRunner().invoke(command, words, catch_exceptions=False)
    return done.stdout, done.stderr


@pytest.fixture
def pictures(tmp_path: Path) -> list[str]:
    """Three pictures of nothing, with a labels file beside them."""
    names = [f"{k}.png" for k in range(3)]
    for name in names:
        cv2.imwrite(str(tmp_path / name), np.full((60, 80, 3), 128, np.uint8))
    head = "image,cx_px,cy_px,r_px,denomination,face,complete\n"
    (tmp_path / "labels.csv").write_text(head + "".join(f"{name},20,20,9,dime,heads,yes\n" for name in names))
    return [str(tmp_path / name) for name in names]


def test_looking_at_many_pictures_shows_how_many_are_done(pictures: list[str]) -> None:
    out, shown = at_a_terminal(main, "look", "--json", *pictures)
    piped, quiet = in_a_pipe(main, "look", "--json", *pictures)
    assert [json.loads(line)["image"] for line in out.splitlines()] == pictures
    assert [json.loads(line)["image"] for line in piped.splitlines()] == pictures
    assert "3/3" in shown
    assert quiet.splitlines() == [f"{picture}: no coins." for picture in pictures]


def test_one_picture_gets_no_bar(pictures: list[str]) -> None:
    _, shown = at_a_terminal(main, "look", pictures[0])
    assert "1/1" not in shown
    assert "no coins" in shown


def test_the_scorecard_shows_how_many_photos_are_read(pictures: list[str]) -> None:
    words = ["scorecard", str(Path(pictures[0]).with_name("labels.csv")), "--json"]
    out, shown = at_a_terminal(main, *words)
    assert json.loads(out)["folders"]["all"]["pictures"] == 3
    assert "3/3" in shown
    assert "/3" not in in_a_pipe(main, *words)[1].replace("0/3", "")  # 0 of 3 pictures are exact


def names(count: int) -> Sequence[str]:
    return [f"stage {number}" for number in range(1, count + 1)]


def test_teaching_a_map_names_each_stage(tmp_path: Path, pictures: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What the stages are is tested where a map is taught (tests/calibration/test_teach.py)."""

    def teach(photo: object, lesson: object, folder: Path, begin: Begin) -> Taught:
        for name in names(TEACH_STAGES):
            begin(name)
        return Taught("isle", str(folder), 10, 300)

    monkeypatch.setattr("calibration.teach.teach.teach", teach)
    monkeypatch.setattr("calibration.teach.lesson.read_file", lambda path, corners: None)
    monkeypatch.setattr("calibration.teach.lesson.smaller", lambda lesson, shrunk: None)
    words = ["calibrate", "teach", pictures[0], "--json", "--data", str(tmp_path), "--spaces", "lesson.json"]
    out, shown = at_a_terminal(main, *words)
    assert json.loads(out)["spaces"] == 10
    for name in (*names(TEACH_STAGES), f"{TEACH_STAGES}/{TEACH_STAGES}"):
        assert name in shown
    assert in_a_pipe(main, *words)[1].splitlines() == [shown.splitlines()[-1]]


def test_the_bench_names_each_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it measures is tested in tests/checks/test_bench.py."""

    def bench(running: object, seconds: float, begin: Begin) -> Bench:
        for name in names(BENCH_STAGES):
            begin(name)
        return Bench((1280, 960), (), None, 12.5, {}, {}, {}, Spread.of([0.1]))

    monkeypatch.setattr("tablecoin.checks.bench.bench", bench)
    out, shown = at_a_terminal(main, "bench", "--json", "--seconds", "0.01")
    assert json.loads(out)["frames_per_second"] == 12.5
    for name in (*names(BENCH_STAGES), f"{BENCH_STAGES}/{BENCH_STAGES}"):
        assert name in shown


def test_a_measure_of_the_lab_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def invented(count: int, *_: object) -> Iterator[tuple[str, int, int]]:
        yield from [("noise", 0, 0), ("text", 0, 0)][:count]

    monkeypatch.setattr(measure, "invented", invented)
    words = ["read", "nothing", "--count", "2"]
    out, shown = at_a_terminal(lab, *words)
    assert len(out.splitlines()) == 2
    assert "2/2" in shown
    assert in_a_pipe(lab, *words) == (out, "")
