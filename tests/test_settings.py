"""tablecoin.toml: values given are used, others have defaults, and errors say what is wrong and what to write."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tablecoin.settings import Settings, SettingsError, load, with_flags


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tablecoin.toml"


def test_without_a_file_everything_has_its_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load()
    assert settings == Settings()
    assert (settings.camera.source, settings.web.host, settings.web.port) == ("auto", "127.0.0.1", 8000)


def test_the_file_in_this_folder_is_found(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("[web]\nport = 8080\n")
    monkeypatch.chdir(file.parent)
    assert load().web.port == 8080


def test_values_in_the_file_are_used_and_the_others_keep_their_defaults(file: Path) -> None:
    file.write_text(
        'data = "/srv/coins"\n[camera]\nsource = "usb:1"\ncolour_gains = [1.9, 1.4]\n'
        '[panel]\nkind = "gpio"\n[panel.pins]\nbuzzer = 22\n[table]\nstill_s = 1\nlanguage = "zh"\n'
    )
    settings = load(file)
    assert settings.camera.source == "usb:1"
    assert settings.camera.colour_gains == (1.9, 1.4)
    assert (settings.panel.kind, settings.panel.pins.buzzer, settings.panel.pins.heads_done) == ("gpio", 22, 5)
    assert (settings.table.still_s, settings.table.language) == (1.0, "zh")
    assert settings.data_dir == Path("/srv/coins")
    assert settings.web == Settings().web


PAGE = Path(__file__).parents[1] / "docs" / "settings.md"


def test_the_page_of_settings_holds_every_key_with_its_default(file: Path) -> None:
    block = PAGE.read_text("utf-8").partition("```toml\n")[2].partition("```")[0]
    file.write_text(block)
    assert load(file) == Settings()
    file.write_text(re.sub(r"(?m)^# ", "", block))  # the keys without a default too
    tables = tomllib.loads(file.read_text())
    every = msgspec.to_builtins(Settings())
    assert tables.keys() == every.keys()
    for name in ("camera", "table", "panel", "web"):
        assert tables[name].keys() == every[name].keys()
    assert tables["panel"]["pins"].keys() == every["panel"]["pins"].keys()
    assert load(file).camera.gain == 1.5


def test_settings_go_to_json_and_back() -> None:
    settings = Settings()
    assert msgspec.convert(msgspec.to_builtins(settings), Settings) == settings


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[web]\nport = 'many'", ["web.port", 'web.port must be a whole number, not "many"', "port = 8000"]),
        ("[web]\nport = 70000", ["web.port must be from 0 to 65535, not 70000", "port = 8000"]),
        ("[web]\nprot = 80", ["no key web.prot", "write port"]),
        ("[wbe]\nport = 80", ["no key wbe", "write web"]),
        (
            "[mqtt]\nbroker = 'my broker'",
            ['mqtt.broker must be HOST, HOST:PORT or mqtts://HOST:PORT, with a port from 1 to 65535, not "my broker";'],
        ),
        (
            "[mqtt]\nbroker = 'home:65536'",
            ['with a port from 1 to 65535, not "home:65536"; write for example broker ='],
        ),
        (
            "[mqtt]\ntable = 'the hall'",
            ["mqtt.table must be at most 40 of the letters A to Z and a to z, digits, _ and -"],
        ),
        ("[lamp]\n", ["no key lamp", "the keys there are camera, table, panel, web, virtual, mqtt, data"]),
        ("web = 80", ["web must be an object, not 80", "[web] on a line of its own"]),
        ("[table]\nstill_s = 0", ["table.still_s must be from 0.1 to 10, not 0", "still_s = 0.6"]),
        ("[table]\nlanguage = 'fr'", ['table.language must be "auto", "en" or "zh", not "fr"', 'language = "auto"']),
        ("[web]\nhosts = 'coins'", ['web.hosts must be a list, not "coins"', 'hosts = ["coins.example"]']),
        (
            "[panel]\nkind = 'piano'",
            ['panel.kind must be "auto", "gpio", "none" or "screen", not "piano"', 'kind = "auto"'],
        ),
        ("[panel.pins]\nbuzzer = 40", ["panel.pins.buzzer must be from 0 to 27, not 40", "buzzer = 12"]),
        ("[panel.pins]\nbuzzer = 5", ["panel.pins.heads_done and panel.pins.buzzer are the same pin"]),
        (
            "[panel.pins]\nbuzzer = 14",
            ["panel.pins.buzzer = 14 is a pin of the Pi's own (UART)"],
        ),
        (
            "[panel.pins]\nreferee = 3",
            ["panel.pins.referee = 3 is a pin of the Pi's own"],
        ),
        ("[mqtt]\nbroker = 'http://x'", ["mqtt.broker must", 'broker = "homeassistant.local"']),
        ("[mqtt]\ntable = 'kitchen table'", ["mqtt.table must"]),
        ("[camera]\ncolour_gains = [1]", ["camera.colour_gains", "colour_gains = [1.9, 1.4]"]),
        ("[camera]\nexposure_us = 'auto'", ["camera.exposure_us", "exposure_us = 8000"]),
        ("data = 5", ["data must be a text, not 5", 'data = "/srv/tablecoin"']),
        ("[web\nport = 80", ["is not TOML", "line 1"]),
        ("\0", ["is not TOML"]),
        (".".join("a" * 20_000) + "=1", ["is not TOML", "nests deeper than 8 tables"]),
        ("web = " + "[" * 50_000, ["is not TOML", "nests deeper than 8 tables"]),
        ("[web]\nport = 1" + "0" * 5000, ["is not TOML", "too many digits"]),
        ("[table]\nmat = 1979-05-27", ["table.mat is a date or a time; put it in quotes"]),
        ('data = "a\\u0000b"', ["data must", 'data = "/srv/tablecoin"']),
        ('[camera]\nsource = "file:\\u0000"', ["camera.source must", 'source = "auto"']),
        ("[camera]\nrotate = 90", ["camera.rotate", "rotate = 180"]),
        ("[camera.controls]\nSharpness = 'high'", ["camera.controls", "controls = { Sharpness = 1.0 }"]),
        ("[camera.controls]\nExposureTime = 9", ["tablecoin sets ExposureTime itself.", "exposure_us = 8000"]),
        ("[camera.controls]\nLensPosition = 9", ["focus_dioptres = 2.5"]),
        ("[camera.controls]\nFrameRate = 9", ["fps = 20.0"]),
        ("[camera.controls]\nAeFlickerPeriod = 9", ["mains_hz = 60"]),
        ('[camera]\nsource = "usb0"', ["There is no camera 'usb0': say pi, pi:1, usb:0"]),
        ("[panel]\nring_light = 2", ["panel.ring_light must", "ring_light = 1.0"]),
    ],
)
def test_an_error_says_what_is_wrong_and_what_to_write(file: Path, text: str, says: list[str]) -> None:
    file.write_text(text)
    with pytest.raises(SettingsError) as told:
        load(file)
    sentence = str(told.value)
    assert "\n" not in sentence
    for words in ["tablecoin.toml", *says]:
        assert words in sentence


def test_a_file_asked_for_must_be_there(file: Path) -> None:
    with pytest.raises(SettingsError, match="There is no file"):
        load(file)


def make_folder(path: Path) -> None:
    path.mkdir()


def make_binary(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\xff")


@pytest.mark.parametrize("make", [make_folder, make_binary])
def test_a_file_that_is_not_text_is_refused(file: Path, make: Callable[[Path], None]) -> None:
    make(file)
    with pytest.raises(SettingsError, match="cannot be read"):
        load(file)


def test_flags_win_over_the_file(file: Path) -> None:
    file.write_text('[web]\nport = 8080\nhost = "0.0.0.0"\n[camera]\nfps = 10\n')
    settings = with_flags(load(file), camera="virtual", port=9000)
    assert (settings.web.host, settings.web.port) == ("0.0.0.0", 9000)
    assert (settings.camera.source, settings.camera.fps) == ("virtual", 10.0)
    assert with_flags(settings) == settings


def test_a_wrong_flag_is_refused_like_a_wrong_file() -> None:
    with pytest.raises(
        SettingsError, match=r"the command line: --port must be from 0 to 65535, not -1; write .* --port 8000\.$"
    ):
        with_flags(Settings(), port=-1)
    with pytest.raises(SettingsError, match=r"--host must not be empty; write .* --host 127\.0\.0\.1\.$"):
        with_flags(Settings(), host="")


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"STATE_DIRECTORY": "/var/lib/tablecoin"}, "/var/lib/tablecoin"),
        ({"STATE_DIRECTORY": "", "XDG_DATA_HOME": "/elsewhere"}, "/elsewhere/tablecoin"),
    ],
)
def test_data_goes_where_the_system_keeps_it(
    env: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert Settings().data_dir == Path(expected)


def test_a_folder_of_an_unknown_user_is_taken_as_it_is_written(file: Path) -> None:
    file.write_text('data = "~nobody-of-this-name/coins"')
    assert load(file).data_dir == Path("~nobody-of-this-name/coins")
