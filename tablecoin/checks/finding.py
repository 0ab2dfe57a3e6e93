"""What a check finds: one line for people, in every language, with what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from tablecoin.rules.rulebook import Message, sentence

Status = Literal["ok", "warn", "fail"]


class Finding(msgspec.Struct, frozen=True):
    """One line of the report. `warn`: works, but should be corrected; `fail`: does not work."""

    what: str
    status: Status
    message: Message
    advice: Message | None = None

    @property
    def said(self) -> str:
        """What was found, in English."""
        return sentence(self.message)

    @property
    def todo(self) -> str:
        """What to do about it, in English; empty where there is nothing to do."""
        return sentence(self.advice) if self.advice else ""

    @property
    def title(self) -> Message:
        """What was looked at, for people."""
        return Message(f"check.name.{self.what}")


def found(what: str, status: Status, key: str, advice: str | None = None, **facts: object) -> Finding:
    """A finding with the sentence `check.KEY`, and what to do from `check.ADVICE`; both get the facts."""
    return Finding(what, status, Message(f"check.{key}", facts), Message(f"check.{advice}", facts) if advice else None)


def line(finding: Finding) -> str:
    """The finding at a terminal, in English."""
    mark = {"ok": "ok  ", "warn": "warn", "fail": "FAIL"}[finding.status]
    todo = f" → {finding.todo}" if finding.todo else ""
    return f"{mark}  {finding.what}: {finding.said}{todo}"


def as_json(finding: Finding) -> dict[str, str]:
    """The finding as `doctor --json` prints it."""
    return {"what": finding.what, "status": finding.status, "said": finding.said, "todo": finding.todo}


def each(what: str, check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """The findings of a check. One that fails itself is a finding too."""
    try:
        yield from check()
    except Exception as error:
        said = f"{type(error).__name__}: {error}".splitlines()[0]
        yield found(what, "fail", "broken", "broken.do", error=said)
