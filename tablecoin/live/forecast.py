"""The chances that the snapshot shows: which state is valued, when the house rule shows it, and when it is too late.

Used by the referee's thread alone. What it asks is answered beside it, and the answer comes back through its inbox.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from tablecoin.live.thinker import Replied
from tablecoin.live.thinking import Answer, Chances, Course, Question
from tablecoin.referee.events import Started
from tablecoin.referee.hinting import open_state
from tablecoin.referee.match import Match
from tablecoin.referee.snapshot import Odds
from tablecoin.rules.game import State

_THINK_S = 0.6  # after a ruling games are imagined so long...
_LATE_S = 1.0  # ...and what comes later than this is not shown
_START_S = 5.0  # both for the first state asked about, when the process has to be started, and once the game is over
_ROUGH = 0.02  # a greater standard error, of two points, moves the bar visibly...
_FINER_S = 3.0  # ...so then games are imagined for so long again, while nothing newer is asked
_COURSE_S = 20.0  # for all states of a game that is over


@dataclass(frozen=True)
class Thought:
    """An item of the inbox: an answer about the chances."""

    answer: Answer


class Forecast:
    """`odds` at every snapshot, `take` with every Thought."""

    def __init__(
        self,
        ask: Callable[[Question, Replied], None],
        number: Callable[[], int],
        post: Callable[[Thought], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask, self._number, self._post, self._clock = ask, number, post, clock
        self._game: Started | None = None  # the game of...
        self._seen: State | None = None  # ...the state of the newest snapshot
        self._valued: State | None = None  # the state that was asked about: the newest one that hides nothing
        self._open: dict[int, float] = {}  # questions without an answer -> when that is too late
        self._seq = 0  # the last ruling that `_valued` takes in
        self._shown: Odds | None = None
        self._cold = True  # nothing was asked yet
        self._asked: Chances | None = None  # about the state at hand, until it is answered

    def odds(self, match: Match | None, seq: int) -> Odds | None:
        """What is shown now of the match's chances; a new state is asked about. `seq`: the last ruling's number."""
        if match is None or not _are_shown(match):
            self._seen, self._valued, self._shown, self._open = None, None, None, {}
            return None
        if match.state is not self._seen:
            self._follow(match, seq)
        elif self._shown and self._shown.seq == self._seq:
            self._shown = replace(self._shown, seq=seq)  # a refusal, a correction or a hint changed nothing
            self._seq = seq
        self._drop_late()
        return self._shown

    def take(self, thought: Thought) -> None:
        """An answer came. One that is late, or about a state that has passed, is dropped."""
        answer = thought.answer
        late_s = self._open.pop(answer.number, None)
        if late_s is None:
            return
        if answer.course:
            last = answer.course[-1]
            shown = self._shown or Odds(self._seq, last.chance, round(last.error, 4), ())
            self._shown = replace(shown, course=tuple(worth.chance for worth in answer.course))
        elif answer.chances and self._clock() <= late_s:
            course = self._shown.course if self._shown and self._shown.seq == self._seq else ()
            found = answer.chances
            self._shown = Odds(self._seq, found.chance, round(found.error, 4), course, found.lead)
            self._refine(answer.number, found.error)
        elif not answer.course and self._shown and self._shown.seq != self._seq:
            self._shown = None

    def _follow(self, match: Match, seq: int) -> None:
        """The state of play changed: have its chances worked out, unless all that changed is hidden."""
        self._seen, state = match.state, open_state(match)
        self._seq = seq
        if state is self._valued and state is not None:
            self._shown = replace(self._shown, seq=seq) if self._shown else None
            return
        self._valued, self._open = state, {}
        if state is None or match.started is not self._game:
            self._shown = None  # of another game, or of nothing that everybody may see
        self._game = match.started
        if state is None:
            return
        now_s, about, game = self._clock(), match.name, match.game
        over = state is match.state and match.outcome is not None
        think_s, late_s = (_START_S, _START_S) if self._cold or over else (_THINK_S, _LATE_S)
        self._cold = False
        number = self._number()
        self._open[number] = now_s + late_s
        self._asked = Chances(number, about, game.name, now_s + think_s, game.write_state(state))
        self._ask(self._asked, self._answered)
        if over:
            every = (match.beginning, *(ply.after for ply in match.plies))
            states = [each for each in every if game.phase(each) != "create"]  # before, Coin Wars has nothing to win
            number = self._number()
            self._open[number] = now_s + 2 * _COURSE_S
            course = tuple(game.write_state(each) for each in states)
            self._ask(Course(number, about, game.name, now_s + _COURSE_S, course), self._answered)

    def _refine(self, number: int, error: float) -> None:
        """Ask once more about a state whose first chances, numbered so, are rough."""
        first, self._asked = self._asked, None
        if first and first.number == number and error > _ROUGH:
            until_s = self._clock() + _FINER_S
            finer = replace(first, number=self._number(), until_s=until_s)
            self._open[finer.number] = until_s + _FINER_S
            self._ask(finer, self._answered)

    def _drop_late(self) -> None:
        """Chances of an earlier state are shown only while newer ones may still come in time."""
        now_s, waiting = self._clock(), self._open
        self._open = {number: late_s for number, late_s in waiting.items() if now_s <= late_s}
        if len(self._open) < len(waiting) and self._shown and self._shown.seq != self._seq:
            self._shown = None

    def _answered(self, answer: Answer) -> None:
        self._post(Thought(answer))


def _are_shown(match: Match) -> bool:
    rule = match.started.odds
    return rule == "always" or (rule == "after" and match.outcome is not None)
