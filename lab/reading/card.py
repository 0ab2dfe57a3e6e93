"""The model card: docs/model-card.md, from the words of card.md and the figures of held_out.toml.

The figures come from long measurements on other days; held_out.toml says when and how each was measured.
"""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from calibration.scorecard import Score, compile_card, read_from
from lab import labels
from tablecoin.vision.coins.network import FACE_SHARE, FACE_TEMPERATURE, KIND_SHARE, KIND_TEMPERATURE
from tablecoin.vision.coins.sureness import CLEAR, FACE_SURE, KIND_SURE

FIGURES = Path(__file__).with_name("held_out.toml")
TEMPLATE = Path(__file__).with_name("card.md")
SECTIONS = ("real", "drawn", "none")  # places in the template, by the coins of the measures that stand there
PAGE = Path(__file__).parents[2] / "docs" / "model-card.md"


class Run(msgspec.Struct, frozen=True):
    """When and how something was measured."""

    measured: datetime.date
    how: str


class HeldOut(Run, frozen=True):
    """How each photographer's photos were read by a network that never saw them."""

    networks: str  # the common name of those in lab/held_out/


class Nested(Run, frozen=True):
    """The reader's sureness where thresholds and temperatures were chosen on other photographers."""

    coins: int
    sure: int
    wrong_and_sure: int


class Folder(Score, frozen=True, kw_only=True):
    """The counts of one photographer's folder."""

    name: str


class Measure(Run, frozen=True):
    """A table of its own: rows of cells below `columns`."""

    title: str
    coins: Literal["real", "drawn", "none"]  # real coins of people whom the network never saw; or drawn ones
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in held_out.toml."""

    network: str
    weights: int
    large_weights: int
    fine_weights: int
    held_out: HeldOut
    nested: Nested
    folder: tuple[Folder, ...]
    measure: tuple[Measure, ...]


def read_figures(path: Path = FIGURES) -> Figures:
    """The figures of a file; msgspec.ValidationError where it lacks one."""
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Figures)


def page(figures: Figures, counted_here: str = "") -> str:
    """The whole card as Markdown; `counted_here` is a section more."""
    folders: dict[str, Score] = {folder.name: folder for folder in figures.folder}
    counts = ({name: getattr(folder, name) for name in Score.__struct_fields__} for folder in figures.folder)
    total = sum((Score(**each) for each in counts), Score())
    nested = figures.nested
    return TEMPLATE.read_text("utf-8").format(
        weights=figures.weights,
        large_weights=figures.large_weights,
        fine_weights=figures.fine_weights,
        small_kind=KIND_SHARE,
        small_face=FACE_SHARE,
        network=figures.network[:8],
        kind_temperature=KIND_TEMPERATURE,
        face_temperature=FACE_TEMPERATURE,
        clear=CLEAR,
        kind_sure=KIND_SURE,
        face_sure=FACE_SURE,
        held_out=f"{_when(figures.held_out)}\n\n{_scores(folders | {'**all**': total})}",
        nested_sure=_of(nested.sure, nested.coins),
        nested_wrong=nested.wrong_and_sure,
        nested_when=_when(nested),
        counted_here=counted_here,
        **{coins: "\n".join(_measure(one) for one in figures.measure if one.coins == coins) for coins in SECTIONS},
    )


def count_here(photos: Path) -> str:
    """The section that reads the labelled `photos` with the shipped network, now. LabelError, CameraError."""
    card = compile_card(labels.read(photos), read_from(photos / "scenes"))
    return (
        f"## Counted on this machine, {datetime.date.today():%-d %B %Y}\n\n"
        "The shipped network; where it was trained on these photos, this shows only that the code reads as before.\n\n"
        f"{_scores(card.folders)}\n"
    )


def _scores(folders: Mapping[str, Score]) -> str:
    rows = [
        (
            name,
            f"{s.pictures}",
            _of(s.found, s.coins),
            _of(s.denomination_right, s.denomination_answered),
            _of(s.face_right, s.face_answered),
            _of(s.sure, s.found),
            f"{s.wrong_and_sure}",
            f"{s.invented} ({s.invented_and_sure} sure)",
            f"{s.odd_taken_for_ours} of {s.odd_coins}",
            f"{s.exact_pictures} of {s.complete_pictures}",
        )
        for name, s in folders.items()
    ]
    head = (
        "",
        "photos",
        "found",
        "denomination right",
        "face right",
        "sure",
        "wrong and sure",
        "invented",
        "odd",
        "exact",
    )
    return _table(head, rows)


def _measure(measure: Measure) -> str:
    return f"**{measure.title}.** {_when(measure)}\n\n{_table(measure.columns, measure.rows)}"


def _when(run: Run) -> str:
    return f"*Measured on {run.measured:%-d %B %Y}: {run.how}.*"


def _of(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({part / whole:.1%})" if whole else "none"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
