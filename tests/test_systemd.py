"""The unit files pass systemd's own checks, and the scripts those of shellcheck.

`tests/texts/units.py` compares what they say with the program.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1] / "systemd"
UNITS = ["tablecoin.service", "tablecoin-kiosk.service"]


def text_of(name: str) -> str:
    return (HERE / name).read_text("utf-8")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_nothing_to_complain_of(name: str, tmp_path: Path) -> None:
    """The programs named in the unit are not installed here, so something that is takes their place.

    Before version 254 systemd ignores the two keys that make restarts later and later, and says so.
    """
    text = re.sub(r"(?m)^(Exec\w+=\+?)\S+", rf"\1{shutil.which('true')}", text_of(name))
    (tmp_path / name).write_text(text, "utf-8")
    for other in UNITS:
        if other != name:  # the kiosk wants the referee
            (tmp_path / other).write_text("[Service]\nExecStart=/bin/true\n")
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / name)], capture_output=True, text=True, timeout=60
    )
    newer = "Unknown key 'RestartSteps'", "Unknown key 'RestartMaxDelaySec'"
    complaints = [
        line for line in checked.stderr.splitlines() if name in line and not any(key in line for key in newer)
    ]
    assert (checked.returncode, complaints) == (0, [])


@pytest.mark.parametrize(
    ("settings", "at", "allowed"),
    [
        ("", "127.0.0.1:8000", "localhost"),
        ("[web]\nport = 80", "127.0.0.1:80", "localhost"),
        ('[web]\nhost = "0.0.0.0"\nport = 8001', "127.0.0.1:8001", "localhost"),
        ('[web]\nhost = "192.0.2.7"', "192.0.2.7:8000", "localhost 192.0.2.7"),
        ('[web]\nhost = "2001:db8::7"', "[2001:db8::7]:8000", "localhost 2001:db8::7"),
        ('[web]\nhost = "coins.example"', "coins.example:8000", "localhost"),
    ],
)
def test_screen_and_phones_are_told_the_address_of_the_settings(
    settings: str, at: str, allowed: str, tmp_path: Path
) -> None:
    """As install.sh puts the files in their places, and as an update or rollback puts the unit there again."""
    shutil.copytree(HERE, tmp_path / "opt" / "1.0" / "systemd")
    (tmp_path / "tablecoin.toml").write_text(settings, "utf-8")
    (tmp_path / "units").mkdir()
    (tmp_path / "units" / "tablecoin-kiosk.service").write_text("of the release before", "utf-8")
    script = f"""
        set -euo pipefail
        here={HERE}; . "$here/steps.sh"
        systemctl() {{ :; }}
        python3() {{ [ -s {tmp_path}/at ] || command python3 "$@" >{tmp_path}/at; cat {tmp_path}/at; }}  # starts once
        settings={tmp_path}/tablecoin.toml opt={tmp_path}/opt units={tmp_path}/units
        kiosk_unit=$units/tablecoin-kiosk.service
        put_addressed "$here/tablecoin-kiosk.desktop" "{tmp_path}/made/autostart.desktop"
        put_addressed "$here/avahi/tablecoin.service" "{tmp_path}/avahi.service"
        start_release 1.0
    """
    subprocess.run(["bash", "-c", script], check=True, timeout=60)
    desktop, kiosk = tmp_path / "made" / "autostart.desktop", tmp_path / "units" / "tablecoin-kiosk.service"
    for shown in (desktop, kiosk):
        assert re.findall(r"http://(\S+)/kiosk$", shown.read_text("utf-8"), re.MULTILINE) == [at]
        assert shown.stat().st_mode & 0o777 == 0o644
    assert f"\nIPAddressAllow={allowed}\n" in kiosk.read_text("utf-8")
    assert ET.parse(tmp_path / "avahi.service").getroot().findtext("service/port") == at.rpartition(":")[2]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize(("name", "most"), [("tablecoin.service", 2.0), ("tablecoin-kiosk.service", 3.0)])
def test_systemd_calls_the_units_well_locked_up(name: str, most: float) -> None:
    """0 is best, 10 worst; below 5 systemd says OK."""
    analyze = ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(HERE / name)]
    told = subprocess.run(analyze, capture_output=True, text=True, timeout=60)
    (figure,) = re.findall(rf"Overall exposure level for {name}: ([0-9.]+) OK", told.stdout)
    assert float(figure) <= most


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
@pytest.mark.parametrize("script", sorted(path.name for path in HERE.glob("*.sh")))
def test_shellcheck_finds_nothing_in_a_script(script: str) -> None:
    check = ["shellcheck", "--severity=warning", "--external-sources", script]
    told = subprocess.run(check, cwd=HERE, capture_output=True, text=True, timeout=60)
    assert (told.returncode, told.stdout) == (0, "")


@pytest.mark.parametrize("name", ["install.sh", "rollback.sh", "uninstall.sh"])
@pytest.mark.parametrize(
    ("option", "status", "words"), [("--help", 0, "sudo systemd/{name}"), ("--hepl", 1, "--hepl is no")]
)
def test_who_asks_a_script_for_help_gets_it_and_nothing_is_changed(
    name: str, option: str, status: int, words: str
) -> None:
    """Each is asked before it looks at the computer: no root and no systemd are needed to read its help."""
    asked = subprocess.run(["bash", str(HERE / name), option], capture_output=True, text=True, timeout=60)
    assert asked.returncode == status
    assert words.format(name=name) in asked.stdout + asked.stderr
    assert "==" not in asked.stdout, "it began to work"
