"""The unit files stand up to systemd's own checks, and say what the program says."""

from __future__ import annotations

import configparser
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tablecoin.settings import Settings

HERE = Path(__file__).parents[1] / "systemd"
UNITS = ["tablecoin.service", "tablecoin-kiosk.service"]


def unit(name: str) -> configparser.ConfigParser:
    parsed = configparser.ConfigParser(strict=False, interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment, method-assign]
    parsed.read(HERE / name, encoding="utf-8")
    return parsed


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_nothing_to_complain_of(name: str, tmp_path: Path) -> None:
    """The programs named in the unit are not installed here, so something that is takes their place."""
    text = (HERE / name).read_text("utf-8")
    program = unit(name)["Service"]["ExecStart"].split()[0]
    (tmp_path / name).write_text(text.replace(f"ExecStart={program}", f"ExecStart={shutil.which('true')}"))
    for other in UNITS:
        if other != name:  # the kiosk wants the referee
            (tmp_path / other).write_text("[Service]\nExecStart=/bin/true\n")
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / name)], capture_output=True, text=True, timeout=60
    )
    complaints = [line for line in checked.stderr.splitlines() if name in line]
    assert (checked.returncode, complaints) == (0, [])


def test_the_service_has_a_user_of_its_own_and_a_watchdog() -> None:
    service = unit("tablecoin.service")["Service"]
    assert service["User"] == "tablecoin"
    assert "u tablecoin " in (HERE / "sysusers.conf").read_text("utf-8")
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) >= 10
    assert service["WorkingDirectory"] == f"/var/lib/{service['StateDirectory']}"


def test_the_data_folder_is_the_services_also_at_a_terminal() -> None:
    """systemd tells the service alone where its state lies, so the file the notes write names the folder."""
    folder = unit("tablecoin.service")["Service"]["WorkingDirectory"]
    assert f"echo 'data = \"{folder}\"' | sudo tee /etc/tablecoin/tablecoin.toml" in (HERE / "INSTALL.md").read_text(
        "utf-8"
    )


def test_the_port_announced_to_phones_is_the_default_one() -> None:
    announced = ET.parse(HERE / "avahi" / "tablecoin.service").getroot()
    assert announced.findtext("service/port") == str(Settings().web.port)
    assert f":{Settings().web.port}/" in unit("tablecoin-kiosk.service")["Service"]["ExecStart"]


def test_the_install_compiles_the_code_that_the_service_may_not_write_beside() -> None:
    root = HERE.parent
    recipe = (root / "Makefile").read_text("utf-8").split("$(VENV)/.installed:")[1].split("$(VENV)/.dev:")[0]
    compiled = next(line for line in recipe.splitlines() if "compileall" in line).partition("#")[0].split()
    assert {"tablecoin", "calibration", "web"} <= set(compiled)
    assert "sudo make .venv/.installed" in (HERE / "INSTALL.md").read_text("utf-8")
    assert unit("tablecoin.service")["Service"]["ProtectSystem"] == "strict"


def test_the_service_user_reaches_camera_and_pins_outside_the_service_too() -> None:
    """`sudo -u tablecoin tablecoin doctor` has the user's own groups, not those of the unit."""
    groups = unit("tablecoin.service")["Service"]["SupplementaryGroups"].split()
    lines = [line.split() for line in (HERE / "sysusers.conf").read_text("utf-8").splitlines()]
    assert {group for kind, user, group in (line for line in lines if len(line) == 3) if user == "tablecoin"} >= set(
        groups
    )
