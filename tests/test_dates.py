"""A date or a time in the place of any value of any TOML file is refused in a sentence: none has a use for one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from calibration.teach.lesson import TeachError, read_lesson
from tablecoin import settings
from tablecoin.club import settings as club
from tablecoin.mat import MatError
from tablecoin.mat.coin_age import parse as parse_mat
from tablecoin.rules.coin_age import maps
from tablecoin.storage import mapfiles
from tests.fuzzing import seeds
from tests.saved.test_saved import SAVED
from tests.storage.test_documents import DATES

_VALUE = re.compile(r'(?<== )("[^"\n]*"|-?[\d.]+|true|false)')


def dated(text: str) -> Iterator[str]:
    """The document with each of its values in turn replaced by each kind of date."""
    for found in _VALUE.finditer(text):
        for date in DATES.values():
            yield text[: found.start()] + date + text[found.end() :]


CLUB = """name = "Coin club"
data = "club"
language = "en"
[mqtt]
broker = "192.168.1.20"
user = "club"
password = "secret"
ca = "/etc/club/ca.crt"
[web]
host = "127.0.0.1"
port = 8100
"""


def every_setting() -> str:
    """The page of the settings names every key; those without a default stand there behind a #."""
    page = Path(__file__).parents[1].joinpath("docs", "settings.md").read_text("utf-8")
    return re.sub(r"(?m)^# ", "", page.partition("```toml\n")[2].partition("```")[0])


def kept(file: Path) -> None:
    """What the page keeps must not stop the program: it is left out instead."""
    base = settings.Settings(data=str(file.parent))
    file.replace(file.with_name(settings.KEPT_FILE))
    if settings.left_out(base):
        assert settings.with_kept(base) == base
        raise settings.SettingsError("left out: is a date or a time")


Read = Callable[[Path], object]
FILES: dict[str, tuple[str, Read, type[Exception]]] = {
    "tablecoin.toml": (every_setting(), settings.load, settings.SettingsError),
    "settings.toml": ((SAVED / "data" / "settings.toml").read_text(), kept, settings.SettingsError),
    "club.toml": (CLUB, club.load, club.SettingsError),
    "a map, by the rules": (mapfiles.text("classic"), lambda file: maps.parse(file.read_text(), "m"), maps.MapError),
    "a map, by the mat": (
        mapfiles.text("classic"),
        lambda file: parse_mat.__wrapped__(file.read_text(), "m"),
        MatError,
    ),
    "a taught map": (
        (SAVED / "data" / "maps" / "isle-of-change.toml").read_text(),
        lambda file: maps.parse(file.read_text(), "m"),
        maps.MapError,
    ),
    "a lesson": (seeds.LESSON_TOML.decode(), lambda file: read_lesson(file.read_bytes(), "toml"), TeachError),
}


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.long] if "map" in n else []) for n in FILES])
def test_a_date_in_the_place_of_any_value_is_refused(name: str, tmp_path: Path) -> None:
    text, read, refuses = FILES[name]
    file = tmp_path / "file.toml"
    file.write_text(text)
    read(file)
    many = 0
    for document in dated(text):
        file.write_text(document)
        with pytest.raises(refuses, match="is a date or a time"):
            read(file)
        many += 1
    assert many >= 4 * len(DATES)
