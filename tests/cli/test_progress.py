"""Progress of long work: a bar on standard error at a terminal, nothing in a pipe; standard output stays clean."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from lab.reading import drawn_card

ROOT = Path(__file__).parents[2]


def at_a_terminal(words: list[str]) -> tuple[str, str]:
    """(standard output, standard error) of a command whose standard error is a terminal."""
    master, terminal = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=terminal, stdin=subprocess.DEVNULL
    ) as program:
        os.close(terminal)
        shown = b""
        while part := read(master):
            shown += part
        assert program.stdout is not None
        out = program.stdout.read()
    os.close(master)
    return out.decode(), shown.decode()


def read(terminal: int) -> bytes:
    """What comes next; nothing once the other side is closed, which Linux reports as an error."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def in_a_pipe(words: list[str]) -> tuple[str, str]:
    done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, timeout=60)
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
    words = ["tablecoin", "look", "--json", *pictures]
    out, shown = at_a_terminal(words)
    piped, quiet = in_a_pipe(words)
    assert [json.loads(line)["image"] for line in out.splitlines()] == pictures
    assert [json.loads(line)["image"] for line in piped.splitlines()] == pictures
    assert "3/3" in shown
    assert quiet.splitlines() == [f"{picture}: no coins." for picture in pictures]


def test_one_picture_gets_no_bar(pictures: list[str]) -> None:
    _, shown = at_a_terminal(["tablecoin", "look", pictures[0]])
    assert "1/1" not in shown
    assert "no coins" in shown


def test_the_scorecard_shows_how_many_photos_are_read(pictures: list[str]) -> None:
    words = ["tablecoin", "scorecard", str(Path(pictures[0]).with_name("labels.csv")), "--json"]
    out, shown = at_a_terminal(words)
    assert json.loads(out)["folders"]["all"]["pictures"] == 3
    assert "3/3" in shown
    assert "/3" not in in_a_pipe(words)[1].replace("0/3", "")  # 0 of 3 pictures are exact


@pytest.mark.slow
def test_teaching_a_map_names_each_stage(tmp_path: Path) -> None:
    photo, to_px = drawn_card.photo()
    cv2.imwrite(str(tmp_path / "card.png"), photo)
    (tmp_path / "lesson.json").write_bytes(msgspec.json.encode(drawn_card.lesson("isle", to_px)))
    words = ["tablecoin", "calibrate", "teach", str(tmp_path / "card.png"), "--json", "--data", str(tmp_path)]
    words += ["--spaces", str(tmp_path / "lesson.json")]
    out, shown = at_a_terminal(words)
    assert json.loads(out)["spaces"] == 10
    for stage in ("learning its features", "finding it again at an angle, 2 of 2", "4/4"):
        assert stage in shown
    assert in_a_pipe(words)[1].splitlines() == [shown.splitlines()[-1]]


@pytest.mark.slow
def test_the_bench_names_each_stage() -> None:
    words = ["tablecoin", "bench", "--json", "--seconds", "0.01"]
    out, shown = at_a_terminal(words)
    assert json.loads(out)["read_ms"]
    for stage in ("frames of 20 coins", "random games", "settled to page", "chances of a state", "9/9"):
        assert stage in shown


@pytest.mark.slow
def test_a_measure_of_the_lab_shows_how_far_it_is() -> None:
    words = ["lab", "read", "nothing", "--count", "2"]
    out, shown = at_a_terminal(words)
    assert len(out.splitlines()) == 2
    assert "2/2" in shown
    assert in_a_pipe(words) == (out, "")
