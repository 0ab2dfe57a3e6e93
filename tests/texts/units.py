"""The unit files and scripts of systemd/ agree with each other and with the program's settings."""

from __future__ import annotations

import configparser
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tablecoin.cli.unstarted import SHOWN_S
from tablecoin.settings import Settings
from tests.texts.check import ROOT, Check, Checks, Problem

FOLDER = ROOT / "systemd"


class Fact(NamedTuple):
    """What must hold of a file."""

    file: Path
    holds: bool
    wrong: str
    todo: str


def unit(file: Path) -> configparser.ConfigParser:
    parsed = configparser.ConfigParser(strict=False, interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment, method-assign]
    parsed.read(file, encoding="utf-8")
    return parsed


def facts(folder: Path = FOLDER) -> Iterator[Fact]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    files = {path.relative_to(folder).as_posix(): path for path in found}
    text = {name: path.read_text("utf-8") for name, path in files.items()}
    service, kiosk = (unit(files[f"tablecoin{name}.service"])["Service"] for name in ("", "-kiosk"))

    def fact(name: str, holds: bool, wrong: str, todo: str) -> Fact:
        return Fact(files[name], holds, wrong, todo)

    def of_the_service(key: str, holds: bool, todo: str) -> Fact:
        return fact("tablecoin.service", holds, f"{key} is {service.get(key)}", todo)

    yield of_the_service("User", service["User"] == "tablecoin", "write User=tablecoin")
    yield of_the_service("Type", service["Type"] == "notify", "write Type=notify")
    yield of_the_service("WatchdogSec", int(service["WatchdogSec"]) >= 10, "give it 10 s or more")
    start_s = int(service["TimeoutStartSec"])
    yield of_the_service("TimeoutStartSec", start_s > SHOWN_S, "let it show for a minute why it cannot start")
    for name in ("tablecoin.service", "tablecoin-kiosk.service"):
        never_gives_up = unit(files[name])["Unit"].get("StartLimitIntervalSec") == "0"
        yield fact(name, never_gives_up, "systemd stops starting it again", "write StartLimitIntervalSec=0")
    for key in ("MemoryHigh", "ProcSubset"):
        yield of_the_service(key, key not in service, "leave it out: the unit says why")
    folder_of_data = service["WorkingDirectory"]
    where = f"/var/lib/{service['StateDirectory']}"
    yield of_the_service("WorkingDirectory", folder_of_data == where, f"write {where}")
    groups = service["SupplementaryGroups"].split()
    # journalctl shows nothing to a user who is in none of its groups, and says so only on a terminal.
    yield of_the_service("SupplementaryGroups", "systemd-journal" in groups, "add systemd-journal, to show the log")

    # `sudo -u tablecoin tablecoin doctor` has the user's own groups, not those of the unit.
    users = [line.split() for line in text["sysusers.conf"].splitlines()]
    yield fact(
        "sysusers.conf", "u tablecoin " in text["sysusers.conf"], "it makes no user tablecoin", "add `u tablecoin`"
    )
    for group in groups:
        is_in = ["m", "tablecoin", group] in users
        yield fact("sysusers.conf", is_in, f"tablecoin is not in {group}", f"add `m tablecoin {group}`")

    # systemd tells the service alone where its state lies, so the file that install.sh writes names the folder.
    named = f"\ndata={folder_of_data}\n" in text["steps.sh"]
    yield fact("steps.sh", named, "data is another folder than the service's", f"write data={folder_of_data}")
    written = 'printf \'data = "%s"\\n\' "$data" >"$settings"' in text["install.sh"]
    yield fact("install.sh", written, "it writes no data folder into the settings", "write one")

    port = str(Settings().web.port)
    told = ET.fromstring(text["avahi/tablecoin.service"]).findtext("service/port")
    yield fact(
        "avahi/tablecoin.service", told == port, f"it announces port {told}", f"announce {port}, the default one"
    )
    shown = f":{port}/" in kiosk["ExecStart"]
    yield fact("tablecoin-kiosk.service", shown, "it shows another port than the default one", f"write {port}")
    for name in ("install.sh", "rollback.sh", "steps.sh"):
        copied = re.search(r"\binstall -.*(?:kiosk|avahi)", text[name])
        yield fact(name, not copied, "it copies a file that names the port as it is", "use put_addressed")

    tty = kiosk["TTYPath"]
    yield fact("tablecoin-kiosk.service", tty == "/dev/tty7", f"it takes {tty}", "leave tty1 alone: write /dev/tty7")
    condition = "ConditionPathExists=!/etc/systemd/system/display-manager.service"
    alone = condition in text["tablecoin-kiosk.service"]
    yield fact("tablecoin-kiosk.service", alone, "it starts beside a desktop", f"write {condition}")
    for name in ("tablecoin-kiosk.service", "tablecoin-kiosk.desktop"):
        # After a power cut Chromium would lay a bubble over the table that nobody can click away.
        hidden = "--hide-crash-restore-bubble" in text[name]
        yield fact(name, hidden, "Chromium asks whether to restore pages", "add --hide-crash-restore-bubble")


def broken(fact: Fact) -> Iterator[Problem]:
    if not fact.holds:
        yield Problem(fact.file, 1, fact.wrong, fact.todo)


CHECKS: Checks = (Check("units and scripts of systemd/ agree with the program", facts, broken),)
