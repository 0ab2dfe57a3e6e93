"""What the owner's page of the settings does at the running program: keep, tell, restart, switch off, report."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tablecoin import __version__
from tablecoin.checks import bundle
from tablecoin.checks.finding import Finding
from tablecoin.live.power import may_power_off, power_off
from tablecoin.live.service import check_camera
from tablecoin.rules.rulebook import Message
from tablecoin.settings import Settings, keep, with_kept

LOG_LINES = 100  # that the page shows


class Owning:
    """The running program in its owner's hands. Every method may be called from any thread."""

    version = __version__

    def __init__(
        self,
        settings: Settings,
        stop: Callable[[], None],
        findings: Callable[[], Sequence[Finding]],
        supervised: bool,
    ) -> None:
        """`settings`: as the program runs with them. `stop` ends it; `supervised`: something then starts it again."""
        self._settings, self._stop, self._findings, self.supervised = settings, stop, findings, supervised
        self._writing = threading.Lock()

    def values(self) -> dict[str, Any]:
        """The settings of the next start, key by key, and nothing that is a secret."""
        return bundle.shown_settings(with_kept(self._settings))

    @property
    def waits(self) -> bool:
        """Whether what is kept holds only from the next start on."""
        return with_kept(self._settings) != self._settings

    def keep(self, changes: Mapping[str, Mapping[str, Any]]) -> None:
        """Keep these settings by section and key. Raises SettingsError with one sentence, and OSError."""
        with self._writing:
            keep(self._settings, changes, check_camera)

    def log(self) -> list[str]:
        """The log's newest lines without secrets; empty where there is no service with a log."""
        return bundle.newest_log(self._settings, LOG_LINES)

    def report(self) -> bytes:
        """A bug report as a .zip file. Raises OSError."""
        packed, _ = bundle.report(self._settings, self._findings())
        return packed

    def may_switch_off(self) -> bool:
        """Whether the owner of the computer lets this program switch it off."""
        return may_power_off() == "yes"

    def restart(self) -> None:
        """End the program, so that what supervises it starts it anew."""
        self._stop()

    def switch_off(self) -> Message | None:
        """Switch the computer off; why not, or None when it goes down."""
        return power_off()
