"""The analysis of a game, as `tablecoin analyse --json` prints it, read with care: chances, luck and skill."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tablecoin.analysis.analysis import Analysis
from tablecoin.journal.record import Record
from tablecoin.replay.steps import Texts, better_acts
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.storage.documents import DocumentError, read_json

MOST_BYTES = 4 << 20  # of a file that is read


class ReportError(Complaint, ValueError):
    """This is no analysis, or it is one of another game."""


class Report(Analysis, frozen=True):
    """The analysis of one game; `better` says each `best` in words, by its line."""

    better: Mapping[str, Texts] = {}


def read_report(data: bytes, record: Record) -> Report:
    """The report in this JSON, its better acts put into words. Raises ReportError; RecordError for a bad record."""
    try:
        report = msgspec.convert(read_json(data), Report)
    except (DocumentError, msgspec.ValidationError) as error:
        raise ReportError(Message("analysis.unread", {"why": str(error)})) from None
    if report.game != record.game:
        raise ReportError(Message("analysis.other", {"game": repr(report.game[:40])}))
    best = {event.n: event.best for event in report.events if event.best is not None}
    better = {str(line): said for line, said in better_acts(record, best).items()}
    return msgspec.structs.replace(report, better=better)
