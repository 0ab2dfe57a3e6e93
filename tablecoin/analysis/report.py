"""An analysis in words: messages of the rulebook, to be said in any language. One *point* is a hundredth of a win."""

from __future__ import annotations

from collections.abc import Iterator

from tablecoin.analysis.analysis import Analysis, Chances
from tablecoin.analysis.line import Line, Move
from tablecoin.referee.events import Ended
from tablecoin.referee.match import outcome_of
from tablecoin.rules.game import Action, Seat, State
from tablecoin.rules.goes_around.game import Commit
from tablecoin.rules.rulebook import Message


def report(line: Line, analysis: Analysis) -> Iterator[Message]:
    """What the analysis of `line` found, a message a line: chances, each seat's game, the turning point, the error."""
    if not analysis.players:
        yield Message("analysis.undrawn")
        return
    moves = {move.number: move for move in line.moves}
    yield Message("analysis.start", {"chances": _chances(analysis.start)})
    yield Message("analysis.end", {"chances": _chances(analysis.end)})
    for seat, player in analysis.players.items():
        told: dict[str, object] = {"seat": seat_word(seat), "decisions": player.decisions}
        told |= {"luck": signed_points(player.luck), "lost": points(player.lost), "adjusted": points(player.adjusted)}
        yield Message("analysis.player", told)
        for number in player.worst:
            yield dear(line, analysis, moves[number])
    if line.ended:
        yield _ended(analysis, *line.ended)
    if (turn := analysis.turning_point) is not None:
        by_people = outcome_of(line.ended[1]).reason if line.ended and line.ended[0] == turn else None
        did = by_people or said(line, moves[turn].before, moves[turn].action)
        yield Message("analysis.turning", {"line": turn, "did": did})
    yield (
        Message("analysis.exact") if analysis.exact else Message("analysis.sampled", {"points": points(analysis.error)})
    )


def _ended(analysis: Analysis, number: int, ended: Ended) -> Message:
    """What it gave that people ended the game. To resign is a decision; all else is told apart from luck and skill."""
    facts: dict[str, object] = {"line": number, "did": outcome_of(ended).reason}
    judged = analysis.events[-1]
    if judged.cost is not None:
        return Message("analysis.resigned", facts | {"seat": seat_word(judged.seat), "points": points(judged.cost)})
    before = analysis.events[-2].chance if len(analysis.events) > 1 else analysis.start
    changes = tuple(
        Message("analysis.change", {"seat": seat_word(seat), "points": signed_points(chance - before[seat])})
        for seat, chance in judged.chance.items()
    )
    return Message("analysis.ended", facts | {"changes": changes})


def dear(line: Line, analysis: Analysis, move: Move) -> Message:
    """What a decision cost, and what would have been better. `move` must be one that the analysis found dear."""
    judged = next(one for one in analysis.events if one.n == move.number)
    better = said(line, move.before, line.game.read_action(judged.best))
    did = said(line, move.before, move.action)
    if judged.kind == "toss":  # what is judged is that no help was called
        did = Message("analysis.tossed", {"name": judged.seat})
    facts: dict[str, object] = {
        "line": move.number,
        "seat": seat_word(judged.seat),
        "points": points(judged.missed or 0.0),
    }
    return Message("analysis.dear", {**facts, "did": did, "better": better})


def said(line: Line, state: State, action: Action) -> Message:
    """An action as the rulebook tells it; a sealed choice is open now and told whole."""
    if isinstance(action, Commit):
        facts = {"seat": action.seat, "target": action.target, "amount": action.amount}
        return Message(f"analysis.commit.{action.action}", facts)
    return line.game.tell(state, action)


def seat_word(seat: Seat) -> Message | Seat:
    """A seat as it begins a sentence: a number is one of the ring's."""
    return Message("analysis.seat", {"seat": seat}) if seat.isdecimal() else seat


def points(chance: float) -> str:
    """A chance in points, with one decimal."""
    return f"{100 * chance:.1f}".replace("-0.0", "0.0").replace("-", "−")


def signed_points(chance: float) -> str:
    """The same with its sign."""
    return points(chance) if points(chance).startswith(("−", "0.0")) else f"+{points(chance)}"


def _chances(chances: Chances) -> tuple[Message, ...]:
    return tuple(
        Message("analysis.chance", {"seat": seat_word(seat), "percent": points(chance)})
        for seat, chance in chances.items()
    )
