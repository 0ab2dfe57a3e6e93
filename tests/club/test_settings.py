"""club.toml: what it may hold, and one sentence for what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablecoin.club.settings import ClubSettings, SettingsError, load, with_flags


def written(folder: Path, text: str) -> Path:
    file = folder / "club.toml"
    file.write_text(text)
    return file


def test_without_a_file_the_tables_of_this_machine_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load() == ClubSettings()
    assert load().mqtt.address is None
    assert load().tables == ("http://127.0.0.1:8000",)


def test_a_whole_file(tmp_path: Path) -> None:
    told = load(written(tmp_path, 'name = "Ours"\n[mqtt]\nbroker = "mqtts://hub"\nuser = "club"\n[web]\nport = 9000\n'))
    assert (told.name, told.web.port) == ("Ours", 9000)
    assert str(told.mqtt.address) == "hub:8883"


def test_flags_win(tmp_path: Path) -> None:
    told = with_flags(load(written(tmp_path, "[web]\nport = 9000\n")), port=0, data="/srv/club")
    assert (told.web.port, told.web.host, told.data_dir) == (0, "127.0.0.1", Path("/srv/club"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name = ", "is not TOML"),
        ('name = ""', "name"),
        ("colour = 1", "colour"),
        ("[web]\nport = 70000", "port"),
        ('tables = ["kitchen"]', "no table's address"),
        ('tables = ["http://[::1"]', "no table's address"),
        ('[mqtt]\nbroker = "two words"', 'must be HOST, HOST:PORT or mqtts://HOST:PORT, .* not "two words"'),
        ('[mqtt]\nbroker = "home:0"', 'must be HOST, HOST:PORT or mqtts://HOST:PORT, .* not "home:0"'),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence) as caught:
        load(written(tmp_path, text))
    assert set(caught.value.texts) == {"en", "zh"}


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load(tmp_path / "club.toml")
