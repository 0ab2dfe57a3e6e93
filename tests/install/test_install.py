"""install.sh, rollback.sh and uninstall.sh on Debian 12 and 13 under their own systemd, without a network."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.install.conftest import Wheels
from tests.install.machine import Machine

ROOT = Path(__file__).parents[2]
STEPS = ROOT / "systemd" / "steps.sh"
VIRTUAL = 'data = "/var/lib/tablecoin"\n[camera]\nsource = "virtual"\n'
SETTINGS = "/etc/tablecoin/tablecoin.toml"
ACTIVE = "systemctl --quiet is-active tablecoin"
# Prints the page that refuses, and fails where there is none.
NO_START = """python3 -c 'if 1:
    import urllib.request
    try:
        urllib.request.urlopen("http://127.0.0.1:8000/kiosk")
        raise SystemExit(1)
    except urllib.error.HTTPError as error:
        print(error.code, error.read().decode())
' 2>/dev/null"""

# What goes wrong with a release -> (the change that does it, what install.sh then says).
BROKEN = {
    "9.0.1": ({"web/app.py": ("import time\n", "import time\nimport no_such_module\n")}, "nothing was changed"),
    "9.0.2": ({"tablecoin/live/watchdog.py": ('f"READY=1', 'f"NEARLY=1')}, "so 0.1.0-"),
    "9.0.3": ({"tablecoin/live/eye.py": ("self._frames += 1", "pass")}, "no frame came from the camera"),
    "9.0.4": (
        {"tablecoin/cli/running.py": ("        import logging\n", "        import os\n        os._exit(7)\n")},
        "so 0.1.0-",
    ),
}

pytestmark = pytest.mark.timeout(3000)
Bring = Callable[[Path], str]


def running(machine: Machine) -> tuple[str, str]:
    """(release, process number) of the service that runs."""
    release = machine.told("basename $(readlink -f /opt/tablecoin/current)")
    number = machine.told("systemctl show --property=MainPID --value tablecoin")
    assert machine.told(f"tr '\\0' '\\n' </proc/{number}/cmdline | head -n 1").startswith(
        f"/opt/tablecoin/{release}/venv"
    )
    return release, number


def frames_are_counted(machine: Machine) -> bool:
    said = machine.told("python3 /opt/tablecoin/current/systemd/healthy.py /etc/tablecoin/tablecoin.toml frames")
    return "frames are counted" in said


@pytest.mark.long
def test_the_life_of_an_install(suite: str, machine: Machine, wheels: Wheels, bring: Bring) -> None:
    accounts = machine.told("cat /etc/passwd /etc/group")
    first = bring(wheels.version("0.1.0"))
    machine.told("mkdir -p /etc/avahi/services")
    fresh = machine.changed()

    # On a fresh card, with no camera plugged in and no settings.
    said = machine.told(first)
    assert "installing python3-venv python3-picamera2 python3-lgpio polkitd" in said
    assert "no frame has come from the camera yet" in said
    assert machine.told("systemctl is-enabled tablecoin") == "enabled"
    assert set(machine.told("id -nG tablecoin").split()) == {"tablecoin", "video", "gpio", "render", "systemd-journal"}
    numpy = machine.told("/opt/tablecoin/current/venv/bin/python -c 'import numpy; print(numpy.__file__)'")
    assert numpy.startswith("/usr/lib/python3/dist-packages/")  # the one that picamera2 is built for
    sources = machine.told(
        "cd /opt/tablecoin/current/venv/lib/python3*/site-packages && find tablecoin web calibration -name '*.py'"
    )
    compiled = machine.told(
        "cd /opt/tablecoin/current/venv/lib/python3*/site-packages && find tablecoin web calibration -name '*.pyc'"
    )
    assert len(compiled.split()) == len(sources.split()) > 100

    # With settings of its owner: they stay, and the second run changes nothing.
    machine.told(f"printf '%s' '{VIRTUAL}' >/etc/tablecoin/tablecoin.toml; systemctl restart tablecoin")
    assert frames_are_counted(machine)
    before = running(machine)
    machine.told("systemctl disable tablecoin")  # as where the first run gave up and the service came up later
    said = machine.told(first)
    assert machine.told("systemctl is-enabled tablecoin") == "enabled"
    assert "already there" in said
    assert "already built" in said
    assert "runs already" in said
    assert running(machine) == before
    assert machine.told("cat /etc/tablecoin/tablecoin.toml") == VIRTUAL.strip()

    # The doctor as the service's user, outside the service.
    doctor = "tablecoin doctor --config /etc/tablecoin/tablecoin.toml"
    machine.told("systemctl stop tablecoin")
    told = machine.told(f"cd /var/lib/tablecoin; setpriv --reuid tablecoin --regid tablecoin --init-groups {doctor}")
    wanting = [line for line in told.splitlines() if not line.startswith("ok")]
    assert [
        line for line in wanting if not line.startswith(("warn  clock", "warn  network"))
    ] == []  # there is no network
    machine.told("systemctl start tablecoin")

    # With a wrong line in its settings it says why to this computer alone, and it comes back without a command.
    machine.told(f"printf 'sauce = 1' >{SETTINGS}; systemctl restart --no-block tablecoin")
    shown = machine.told(f"for _ in $(seq 60); do {NO_START} && exit 0; sleep 1; done; exit 1")
    assert "there is no key sauce" in shown
    assert machine.told("systemctl show --property=ActiveState --value tablecoin") == "activating"
    assert "there is no key sauce" in machine.told("systemctl show --property=StatusText --value tablecoin")
    machine.told(f"printf '%s' '{VIRTUAL}' >{SETTINGS}")
    machine.told(f"for _ in $(seq 120); do {ACTIVE} && exit 0; sleep 1; done; exit 1")
    assert frames_are_counted(machine)

    # Opened to the network as the same user, from a folder that this user may not read. The running table follows.
    opened = "tablecoin access open --pin-file - --config /etc/tablecoin/tablecoin.toml"
    machine.told(f"cd /root; echo 482913 | setpriv --reuid tablecoin --regid tablecoin --init-groups {opened}")
    everywhere = "00000000:1F40"  # port 8000 of every address, as the kernel writes it
    machine.told(f"for _ in $(seq 60); do grep -q ' {everywhere} ' /proc/net/tcp && exit 0; sleep 1; done; exit 1")

    # An update that works, back to the version before it, forth, and back.
    machine.told(bring(wheels.version("0.2.0")))
    newer = running(machine)
    assert newer[0].startswith("0.2.0-")
    for release in (before[0], newer[0], before[0]):
        machine.told("/opt/tablecoin/current/systemd/rollback.sh")
        assert running(machine)[0] == release
        assert frames_are_counted(machine)

    # Updates that fail: the version before runs on, or runs again.
    tried = BROKEN if suite == "bookworm" else {"9.0.2": BROKEN["9.0.2"]}  # each builds an environment, for a minute
    for version, (change, words) in tried.items():
        status, said = machine.run(bring(wheels.version(version, change)), 900)
        assert status == 1, said
        assert words in said
        assert running(machine)[0] == before[0]
        assert frames_are_counted(machine)
        assert machine.told("basename $(readlink -f /opt/tablecoin/before)") == newer[0]  # it can still be gone back to
        assert machine.told(f"ls -d /opt/tablecoin/{version}* 2>/dev/null || true") == ""

    # Uninstalled, the games stay; purged, nothing does. A service that runs without being enabled ends too.
    machine.told("systemctl disable tablecoin")
    machine.told("/opt/tablecoin/current/systemd/uninstall.sh")
    assert machine.run("pgrep -u tablecoin")[0] == 1
    assert machine.run("systemctl cat tablecoin")[0] != 0
    machine.told("test -e /var/lib/tablecoin/journal.sqlite -a ! -e /opt/tablecoin")
    status, said = machine.run("bash /media/0.2.0/systemd/uninstall.sh --purge")
    assert status == 0, said
    assert machine.told("cat /etc/passwd /etc/group") == accounts
    left = {path for path in machine.changed() - fresh if not path.startswith("/media/")}
    assert left <= {"/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow", "/etc/subuid", "/etc/subgid"}


def instead(program: str, prints: str) -> str:
    """A command that makes `program` print this and nothing else."""
    return f"printf '#!/bin/sh\\necho {prints}\\n' >/usr/local/bin/{program}; chmod +x /usr/local/bin/{program}"


# Somebody holds the lock of the scripts, from when this command is done.
LOCKED = """flock /run/lock/tablecoin-install sleep 600 >/dev/null 2>&1 &
while flock --nonblock /run/lock/tablecoin-install true; do sleep 0.1; done"""


@pytest.mark.parametrize(
    ("before", "options", "words"),
    [
        ("", "--wheel /media", "--wheel is no option"),
        ("", "--screen maybe", "--screen is auto, yes or no"),
        ("", "--wheels", "--wheels needs a value"),
        ("", "--wheels /srv", "must hold one file tablecoin-"),
        ("exec setpriv --reuid 65534 --regid 65534 --clear-groups \\", "", "run it with sudo"),
        ("mv /usr/bin/apt-get /usr/bin/apt-got", "", "there is no apt here"),
        (instead("dpkg", "armhf"), "", "write the 64-bit Raspberry Pi OS"),
        (instead("python3", "309"), "", "Python 3.11 or newer is needed"),
        ("mkdir -p /opt/tablecoin/.git", "", "holds an install by hand"),
        ("mount -t tmpfs -o size=50m tmpfs /opt", "", "700 MB must be free below /opt/tablecoin"),
        (LOCKED, "", "another install or uninstall is at work"),
    ],
)
@pytest.mark.long
@pytest.mark.parametrize("suite", ["bookworm"], indirect=True)
def test_what_cannot_be_installed_is_refused_in_one_sentence(
    machine: Machine, before: str, options: str, words: str
) -> None:
    for name in ("tablecoin", "calibration", "web", "systemd", "pyproject.toml"):
        part = ROOT / name
        (machine.root / "srv/checkout").mkdir(exist_ok=True)
        subprocess.run(["cp", "-R", str(part), str(machine.root / "srv/checkout")], check=True)
    status, said = machine.run(f"{before}\nbash /srv/checkout/systemd/install.sh {options}")
    assert status == 1
    assert [line for line in said.splitlines() if not line.startswith("== ")] == [
        line for line in said.splitlines() if line.startswith("tablecoin: ") and words in line
    ]
    assert words in said


@pytest.mark.long
@pytest.mark.parametrize("suite", ["bookworm"], indirect=True)
def test_the_screen_is_the_kiosk_s_without_a_desktop_and_else_the_desktop_s(
    machine: Machine, wheels: Wheels, bring: Bring
) -> None:
    install = bring(wheels.version("0.1.0"))
    desktop_file = "/etc/xdg/autostart/tablecoin-kiosk.desktop"
    assert "no screen is plugged in" in machine.told(install)
    machine.told(f"{install} --screen yes")
    assert machine.told("systemctl is-enabled tablecoin-kiosk") == "enabled"
    assert machine.told(f"test ! -e {desktop_file}; echo $?") == "0"
    machine.told(install)  # what was chosen once stays
    assert machine.told("systemctl is-enabled tablecoin-kiosk") == "enabled"
    machine.told("ln -s /dev/null /etc/systemd/system/display-manager.service")
    assert "at the next login" in machine.told(f"{install} --screen yes")
    machine.told(f"test -e {desktop_file} -a ! -e /etc/systemd/system/tablecoin-kiosk.service")
    machine.told(f"{install} --screen no")
    machine.told(f"test ! -e {desktop_file}")


@pytest.mark.parametrize(
    ("connectors", "plugged_in"),
    [
        ({}, False),
        ({"card1-HDMI-A-1": "disconnected"}, False),
        ({"card0-HDMI-A-1": "disconnected", "card1-DSI-1": "connected"}, True),
    ],
)
def test_a_plugged_in_screen_is_seen(connectors: dict[str, str], plugged_in: bool, tmp_path: Path) -> None:
    for name, status in connectors.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(f"{status}\n", "utf-8")
    asked = subprocess.run(["bash", "-c", f'. "{STEPS}"; screen_in "{tmp_path}"'])
    assert (asked.returncode == 0) is plugged_in
