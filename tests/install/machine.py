"""A Debian of its own with its own systemd as process 1, on no network: what install.sh meets on a Raspberry Pi.

A root folder made by mmdebstrap is laid under an overlay, so that every machine starts clean and `changed` tells what
was left behind. Only the kernel is shared: process, network, mount and control group namespaces are the machine's own.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

START_S = 90.0

# What systemd expects of whoever starts it, in the order in which it is mounted. $1: the root folder.
_ENTER = r"""
set -e
cd "$1"
mount -t proc proc proc
mount --bind proc/sys proc/sys && mount -o remount,bind,ro proc/sys   # sysctl reaches the kernel that we share
mount -t sysfs -o ro sys sys
mount -t cgroup2 none sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero full random urandom tty; do touch dev/$node; mount --bind /dev/$node dev/$node; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ip link set lo up
mkdir -p .host
pivot_root . .host
umount -l /.host
rmdir /.host
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=multi-user.target
"""


def why_not() -> str:
    """Why no machine can run here; empty when one can."""
    if os.geteuid() != 0:
        return "only root can start a machine"
    missing = [tool for tool in ("mmdebstrap", "unshare", "nsenter", "dpkg-deb", "ip") if shutil.which(tool) is None]
    return f"not installed: {', '.join(missing)}" if missing else ""


def _cgroups() -> Path:
    """The version 2 hierarchy of control groups; beside version 1 it has a folder of its own."""
    beside = Path("/sys/fs/cgroup/unified")
    return beside if beside.is_dir() else Path("/sys/fs/cgroup")


def _remove_group(group: Path) -> None:
    """Remove a control group, whose processes the kernel may still be ending."""
    for _ in range(40):
        try:
            return group.rmdir()
        except OSError:
            time.sleep(0.25)
    raise TimeoutError(f"{group} still has processes")


@dataclass
class Machine:
    """Starts on entering, ends on leaving. `base` is a root folder, which stays as it is."""

    base: Path
    work: Path
    _pid: int = field(default=0, init=False)  # of its process 1, as seen from outside

    @property
    def root(self) -> Path:
        return self.work / "root"

    def __enter__(self) -> Machine:
        for name in ("upper", "scratch", "root"):
            (self.work / name).mkdir(parents=True)
        layers = f"lowerdir={self.base},upperdir={self.work / 'upper'},workdir={self.work / 'scratch'}"
        subprocess.run(["mount", "-t", "overlay", "-o", layers, "overlay", str(self.root)], check=True)
        self._group = _cgroups() / f"tablecoin-{os.getpid()}-{self.work.name}"
        self._group.mkdir()
        own = "--mount --propagation private --uts --ipc --net --pid --cgroup --fork"
        enter = f'echo $$ >"{self._group}/cgroup.procs"; exec unshare {own} bash -c "$0" - "$1"'
        self._outside = subprocess.Popen(
            ["bash", "-c", enter, _ENTER, str(self.root)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            time.sleep(0.5)
            self._pid = self._pid or self._first_child()
            if self._pid and self.run("systemctl is-system-running")[1].strip() in ("running", "degraded"):
                return self
        self.__exit__(None, None, None)
        raise TimeoutError("systemd did not come up in its machine")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)  # the kernel ends everything else in its process namespace
        self._outside.kill()
        self._outside.wait(20)
        for _ in range(20):
            if subprocess.run(["umount", str(self.root)], capture_output=True).returncode == 0:
                break
            time.sleep(0.5)
        groups = [self._group, *(path for path in self._group.rglob("*") if path.is_dir())]
        for group in sorted(groups, reverse=True):
            _remove_group(group)

    def _first_child(self) -> int:
        told = Path(f"/proc/{self._outside.pid}/task/{self._outside.pid}/children").read_text().split()
        return int(told[0]) if told else 0

    def run(self, command: str, timeout_s: float = 300.0) -> tuple[int, str]:
        """(exit status, standard output and error together) of a shell command as root in the machine."""
        clean = ["env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"]
        done = subprocess.run(
            ["nsenter", "-t", str(self._pid), "-a", *clean, "bash", "-c", f"cd /; {command}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout_s,
        )
        return done.returncode, done.stdout

    def told(self, command: str) -> str:
        """What a command prints that must succeed."""
        status, said = self.run(command)
        assert status == 0, f"{command}: {status}\n{said}"
        return said.strip()

    def copy(self, what: Path, to: str) -> None:
        """Put a folder of this computer into the machine."""
        shutil.copytree(what, self.root / to.lstrip("/"), symlinks=True)

    def changed(self) -> set[str]:
        """Every file and link outside Debian's own folders that was not in the base, or is another one now."""
        upper = self.work / "upper"
        found = {f"/{path.relative_to(upper)}" for path in upper.rglob("*") if path.is_symlink() or not path.is_dir()}
        return {path for path in found if not _DEBIANS.match(path)}


# What packages and systemd itself write: nothing of ours belongs there.
_DEBIANS = re.compile(
    r"/usr/(?!local/)|/var/(log|cache|tmp)/|/var/lib/(apt|dpkg|systemd|dbus|private|pam)/"
    r"|/etc/(alternatives/|machine-id$|ld\.so\.cache$|\.pwd\.lock$|.*-$)"
)
