"""What the journal tells everybody: the record, what a ruling rests on, and every toss."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from tablecoin.journal.evidence import Evidence, NoEvidence
from tablecoin.journal.export import NoGame, record_of
from tablecoin.journal.journal import Journal
from tablecoin.journal.record import write_record
from tablecoin.journal.tosses import summary, tosses
from tablecoin.referee.events import Event, Rejected
from tablecoin.rules.game import RulesError
from tablecoin.rules.rulebook import clause_of


class Archive:
    """Reads a journal, from any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def record(self) -> str:
        """The newest game's record, JSON lines. Raises NoGame before the first, and for one that cannot be taken up."""
        try:
            return "".join(write_record(record_of(self._journal.newest_game(), self._journal.digests())))
        except RulesError as error:
            raise NoGame(f"the newest game departs from today's rules ({error}), so it has no record") from None

    def evidence(self, number: int) -> dict[str, Any]:
        """What was kept with ruling `number`: {"number", "accepted", "said": {language: sentence}, "clause", "before",
        "after", "pictures", "digest"}.

        `clause` is the rule it went by with its text, or null; `before` and `after` are the coins read, as in the
        snapshot (`before` is null for the first ruling); `pictures` where the JPEGs are. Raises NoEvidence.
        """
        event, kept = self._evidence(number)
        clause = clause_of(event.clause) if isinstance(event, Rejected) else None
        files = {"before": kept.before, "after": kept.after}
        return {
            "number": number,
            "accepted": not isinstance(event, Rejected),
            "clause": clause and {"id": clause.id, "number": clause.number, "en": clause.en, "zh": clause.zh},
            **msgspec.json.decode(kept.body),
            "pictures": {name: f"/api/evidence/{number}/{name}.jpg" if file else None for name, file in files.items()},
            "digest": kept.digest,
        }

    def evidence_jpeg(self, number: int, when: Literal["before", "after"]) -> bytes:
        """The picture kept with ruling `number`, its coins marked. Raises NoEvidence when there is none."""
        _, kept = self._evidence(number)
        jpeg = kept.before if when == "before" else kept.after
        if jpeg is None:
            raise NoEvidence(f"There is no picture of the table before ruling {number}.")
        return jpeg

    def flips(self) -> dict[str, Any]:
        """Every toss there ever was, and heads by player and coin, with a test of fairness (journal.tosses)."""
        return summary(tuple(tosses(self._journal.games())))

    def _evidence(self, number: int) -> tuple[Event, Evidence]:
        found = self._journal.evidence(number)
        if found is None:
            raise NoEvidence(f"No pictures were kept with ruling {number}: no camera made it, or the disk was full.")
        return found
