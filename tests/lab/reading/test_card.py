"""The model card: written from figures that belong to the shipped network, and fresh."""

from __future__ import annotations

import datetime
import tomllib
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.scorecard import POOLED, Card, Score
from lab import held_out
from lab.front import main
from lab.reading import card, photographers
from tablecoin.coins import Denomination, Face
from tablecoin.virtual.art import draw_coin
from tablecoin.vision.coins.network import Networks


def test_the_page_in_docs_is_what_the_command_writes() -> None:
    assert card.PAGE.read_text("utf-8") == card.page(card.read_figures())


def test_the_figures_belong_to_the_network_that_ships() -> None:
    assert card.read_figures().network == Networks.shipped().name


def test_real_coins_stand_before_drawn_ones() -> None:
    page = card.page(card.read_figures())
    assert 0 < page.index("never met") < page.index("real coins on tables") < page.index("## Drawn coins")


def test_the_kept_networks_read_the_photographers_as_the_card_tells() -> None:
    try:
        name = held_out.name()
    except held_out.NotTrained as missing:
        pytest.skip(str(missing))
    assert card.read_figures().held_out.networks == name, "run `python -m lab read held-out --write`"


def test_the_folders_are_rewritten_and_all_else_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_out, "name", lambda: "0123abcd")
    before = card.FIGURES.read_text("utf-8")
    after = photographers.rewritten(before, {"somebody": Score(pictures=2, coins=3, found=3)})
    one = Score(pictures=1, coins=2, found=1)
    cards = [Card({"somebody": one, POOLED: one}, (), {}, ()) for _ in range(2)]
    assert photographers.together(cards).folders == {"somebody": one + one, POOLED: one + one}
    read = msgspec.convert(tomllib.loads(after), card.Figures)
    (folder,) = read.folder
    assert (folder.name, folder.pictures, folder.coins, folder.missed) == ("somebody", 2, 3, 0)
    assert (read.held_out.networks, read.held_out.measured) == ("0123abcd", datetime.date.today())
    assert read.measure == card.read_figures().measure
    assert read.nested == card.read_figures().nested


def test_each_folder_adds_up() -> None:
    for folder in card.read_figures().folder:
        assert folder.found + folder.missed == folder.coins
        assert folder.sure + folder.not_sure == folder.found
        assert folder.wrong_and_sure <= folder.sure
        assert folder.exact_pictures <= folder.complete_pictures <= folder.pictures


def test_every_table_has_a_cell_for_each_column() -> None:
    for measure in card.read_figures().measure:
        assert {len(row) for row in measure.rows} == {len(measure.columns)}, measure.title


def test_every_figure_names_its_day() -> None:
    figures = card.read_figures()
    written = card.page(figures)
    for run in (figures.held_out, figures.nested, *figures.measure):
        assert f"*Measured on {run.measured:%-d %B %Y}: {run.how}.*" in written


def test_photos_of_one_s_own_are_counted_in_a_section_of_their_own(
    tmp_path: Path,
) -> None:
    scenes = tmp_path / "scenes"
    (scenes / "mine").mkdir(parents=True)
    coin = draw_coin(Denomination.PENNY, Face.HEADS, 0, 120)  # (120, 120, 4) BGRA
    picture = np.full((240, 240, 3), 240, np.uint8)
    inside = coin[..., 3] > 0
    picture[60:180, 60:180][inside] = coin[..., :3][inside]
    cv2.imwrite(str(scenes / "mine" / "one.png"), picture)
    (scenes / "labels.csv").write_text(
        "image,cx_px,cy_px,r_px,denomination,face,complete\nmine/one.png,120,120,60,penny,heads,yes\n"
    )
    printed = CliRunner().invoke(main, ["read", "card", "--photos", str(tmp_path)]).stdout
    assert "## Counted on this machine" in printed
    assert "| mine | 1 | 1 of 1 (100.0%)" in printed
    assert card.PAGE.read_text("utf-8") != printed


def test_pooled_counts_are_the_sums_of_the_folders() -> None:
    figures = card.read_figures()
    total = sum(folder.coins for folder in figures.folder)
    assert f"of {total:,} (" in card.page(figures)
