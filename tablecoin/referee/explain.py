"""What happened between two sightings: search the actions, turn each reachable state into its layout, weigh by fit.

The weight of an explanation is its prior times the likelihood of its layout. The same code serves every game. It is
pure: states and a belief about the table go in, a Verdict comes out.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from tablecoin.referee.belief import Difference, TableBelief, ZoneBelief
from tablecoin.rules.game import Action, Game, IllegalAction, Layout, Pile, State

AnyGame = Game[Any, Any, Any]
Arrangement = frozenset[tuple[str, Pile]]  # a layout that hashes: what the table looks like

LONGEST = 4  # actions between two sightings, at most: a turn of Coin Age has four (pay, then place three coins)
PRIOR_STEP = 0.7  # the prior of an explanation is multiplied by this for each action it needs
PRIOR_IMAGINED = 0.05  # the prior of a mistake: one act in twenty
ENOUGH = 0.9  # the search ends when what it found has this much of the probability
CERTAIN = 0.97  # share of all the weight that is enough to rule without a question
# Share of all the weight from which another explanation is worth a question about one coin. A mistake has it where the
# coin that would make it one is a fifth as likely as the other: 0.05 × 0.2.
DOUBTED = 0.01
_BLIND = 2  # acts that the second search follows even if they bring the table no nearer
_FEW = 30  # the second search is made only when the first met at most this many positions
_ASKED = 6  # answers offered for a question, at most
_NEAREST = 8  # positions after lawful acts from which mistakes are imagined
FITS = 0.02  # a layout explains the table if its likelihood is at least this share of the likeliest reading's


@dataclass(frozen=True)
class Explanation:
    """One way in which the table may have come to look as it does."""

    source: int  # which of the given states it starts from
    actions: tuple[Action, ...]
    state: State  # the state it leads to; for a mistake, the state before it
    weight: float  # prior times likelihood
    layout: Layout  # what the table shows then
    broken: IllegalAction | None = None  # set when the last action is against the rules


Rivals = tuple[Explanation, ...]  # other explanations, likeliest first, that would be ruled otherwise


@dataclass(frozen=True)
class Unchanged:
    """The table still shows the newest state."""

    rivals: Rivals = ()


@dataclass(frozen=True)
class Accepted:
    """One legal explanation is clearly best."""

    explanation: Explanation
    rivals: Rivals = ()


@dataclass(frozen=True)
class Refused:
    """Only an act against the rules explains the table. The rivals are lawful and contradict only doubtful coins."""

    explanation: Explanation
    rivals: Rivals = ()


@dataclass(frozen=True)
class Ask:
    """Several explanations fit; likeliest first."""

    candidates: tuple[Explanation, ...]


@dataclass(frozen=True)
class Unfinished:
    """The table lies on the way to the lawful position `towards`: some coins of a conversion are taken out, say.

    `early` is the clause against an act that may come only later: a third coin placed before one is paid.
    """

    towards: Layout
    early: IllegalAction | None = None


@dataclass(frozen=True)
class Unexplained:
    """No lawful act and no usual mistake leads to this table. The rivals contradict only doubtful coins."""

    rivals: Rivals = ()


Verdict = Unchanged | Accepted | Refused | Ask | Unfinished | Unexplained


def explain(game: AnyGame, states: Sequence[State], belief: TableBelief, *, finished: bool) -> Verdict:
    """Rule on a sighting.

    `states` are the states of the turn, newest first. The search starts from each, because people may take back what
    they did within their turn. `finished`: the player says the turn is done, so a half-done act is a mistake.
    """
    legal, nodes = _lawful(game, states, belief)
    if legal and _is_nothing(legal[0]) and _share(legal) >= CERTAIN and not belief.doubtful:
        return Unchanged()
    if not legal and len(nodes) <= _FEW:  # a coin placed and then given away in a conversion leaves no trace
        legal, _ = _lawful(game, states, belief, _BLIND)
    ends = [node.layout for node in nodes]
    lawful = {_arrangement(layout) for layout in (*ends, *(found.layout for found in legal))}
    sources = [_Node(k, (), state, game.layout(state), math.inf, True) for k, state in enumerate(states)]
    imagined = _imagined(game, sources, belief, lawful)
    if legal:  # a table on its way from the newest state beats an act after taking something back
        anew = legal[0].source and legal[0].actions
        ends = [node.layout for node in nodes if not node.source] if anew else []
    towards = on_the_way(sources[0].layout, ends, belief)
    if towards is not None and not (finished and (legal or imagined)):
        early = imagined or _imagined(game, _nearer(nodes, belief), belief, lawful)
        return Unfinished(towards, next((one.broken for one in early if isinstance(one.actions[-1], game.early)), None))
    every = _distinct([*legal, *imagined]) or _distinct(_imagined(game, _nearer(nodes, belief), belief, lawful))
    if not every:
        return Unexplained(_indulged(game, states, belief))
    best = every[0]
    if best.broken and _share([one for one in every if one.broken and one.layout == best.layout], every) >= CERTAIN:
        return Refused(best, _indulged(game, states, belief))  # of mistakes alike the likeliest is named
    if _share(every) < CERTAIN:
        return Ask(tuple(every[:_ASKED]))
    rivals = tuple(one for one in every[1:_ASKED] if _share([one], every) >= DOUBTED and one.layout != best.layout)
    return Unchanged(rivals) if _is_nothing(best) else Accepted(best, rivals)


def _indulged(game: AnyGame, states: Sequence[State], belief: TableBelief) -> Rivals:
    """The lawful explanations that contradict only coins the reader doubts, likeliest first."""
    if not belief.doubtful:
        return ()
    legal, _ = _lawful(game, states, belief.indulgent())
    return tuple(sorted(legal, key=lambda one: -belief.ratio(one.layout) * PRIOR_STEP ** len(one.actions))[:_ASKED])


def _is_nothing(explanation: Explanation) -> bool:
    """Whether the table shows the newest state, with nothing done."""
    return not explanation.source and not explanation.actions and not explanation.broken


def _lawful(
    game: AnyGame, states: Sequence[State], belief: TableBelief, blind: int = 1
) -> tuple[list[Explanation], list[_Node]]:
    """The lawful explanations, likeliest first, and every position that was examined.

    The search is breadth-first by the number of acts, done or taken back. It stops when what it found has ENOUGH of the
    probability. Of the ways to the same table only those with the fewest acts count. After the first `blind` acts it
    follows only acts that bring the layout nearer to what is seen, because nearly every real act leaves a trace.
    """
    simplest: dict[Arrangement, list[Explanation]] = {}
    nodes: list[_Node] = []
    varying: set[str] = set()
    likely: list[Layout] = []
    met: set[bytes] = set()
    layer: list[_Node] = []
    for acts in range(len(states) + LONGEST):
        layer = [child for node in layer for child in _children(game, node, belief, blind)]
        if acts < len(states):
            layer.append(_Node(acts, (), states[acts], game.layout(states[acts]), math.inf, True))
        layer = _first_met(layer, met)
        for node in layer:
            nodes.append(node)
            varying |= _apart(nodes[0].layout, node.layout)
            fit = belief.ratio(node.layout)
            alike = simplest.setdefault(_arrangement(node.layout), [])
            if fit >= FITS and all(len(other.actions) + other.source == acts for other in alike):
                if not alike:
                    likely.append(node.layout)
                alike.append(Explanation(node.source, node.actions, node.state, PRIOR_STEP**acts * fit, node.layout))
        if sum(_probability(layout, varying or layout.keys(), belief) for layout in likely) >= ENOUGH:
            break
    return _distinct([found for alike in simplest.values() for found in alike]), nodes


@dataclass(frozen=True)
class _Node:
    """A state that the search reached. `was_apart` is the distance from what is seen before the last act."""

    source: int
    actions: tuple[Action, ...]
    state: State
    layout: Layout
    was_apart: float
    goes_on: bool  # the same people may act on from here


def _children(game: AnyGame, node: _Node, belief: TableBelief, blind: int) -> Iterator[_Node]:
    """The states after one more act of the same seat in the same phase. Acts that end the turn need a button, so they
    are left out."""
    apart = _distance(node.layout, belief)
    if not node.goes_on or (len(node.actions) >= blind and apart >= node.was_apart):
        return
    seat, phase = game.to_act(node.state), game.phase(node.state)
    for action in game.legal_actions(node.state):
        if not action.ends_turn:
            after = game.apply(node.state, action)
            layout = game.layout(after)
            if layout != node.layout:
                goes_on = game.to_act(after) == seat and game.phase(after) == phase
                yield _Node(node.source, (*node.actions, action), after, layout, apart, goes_on)


def _first_met(layer: Sequence[_Node], met: set[bytes]) -> list[_Node]:
    """The nodes whose states are not in `met`; their states are added to it."""
    fresh = []
    for node in layer:
        key = _key(node.state)
        if key not in met:
            met.add(key)
            fresh.append(node)
    return fresh


def _nearer(nodes: Sequence[_Node], belief: TableBelief) -> list[_Node]:
    """The positions after a few lawful acts that are nearest to what is seen: a mistake may have followed them."""
    start = _distance(nodes[0].layout, belief)
    near = [(_distance(node.layout, belief), k) for k, node in enumerate(nodes) if node.actions]
    return [nodes[k] for apart, k in sorted(near)[:_NEAREST] if apart < start]


def _imagined(
    game: AnyGame, nodes: Sequence[_Node], belief: TableBelief, lawful: set[Arrangement]
) -> list[Explanation]:
    """The mistakes, from any of the positions, that would leave the table as it is seen.

    A mistake that leaves the same table as a lawful act is left out: it is taken for the lawful act.
    """
    found = []
    for node in nodes:
        for action in game.imaginable_actions(node.state):
            try:
                game.apply(node.state, action)
            except IllegalAction as broken:
                layout = game.imagined_layout(node.state, action)
                fit = belief.ratio(layout)
                if fit >= FITS and _arrangement(layout) not in lawful:
                    weight = PRIOR_IMAGINED * PRIOR_STEP ** (1 + node.source + len(node.actions)) * fit
                    broken.with_traceback(None)  # it would hold the frames of this search, which hold pictures
                    found.append(Explanation(node.source, (*node.actions, action), node.state, weight, layout, broken))
    return found


def _apart(one: Layout, other: Layout) -> set[str]:
    """The zones in which two layouts differ."""
    return {zone for zone in one.keys() | other.keys() if one.get(zone) != other.get(zone)}


def _probability(layout: Layout, zones: Collection[str], belief: TableBelief) -> float:
    """The probability of the layout in `zones`. Zones in which nothing could have changed are left out."""
    return math.prod(belief[zone].fit(pile) for zone, pile in layout.items() if zone in zones)


def _arrangement(layout: Layout) -> Arrangement:
    return frozenset(layout.items())


def _distinct(explanations: list[Explanation]) -> list[Explanation]:
    """The best explanation for each state (and each broken clause), likeliest first."""
    best: dict[tuple[bytes, str], Explanation] = {}
    for one in explanations:
        key = (_key(one.state), one.broken.clause if one.broken else "")
        if key not in best or best[key].weight < one.weight:
            best[key] = one
    return sorted(best.values(), key=lambda one: -one.weight)


def _key(state: State) -> bytes:
    """The state's JSON, as a key for dictionaries: a state that holds mappings has no hash."""
    return msgspec.json.encode(state)


def _share(some: Sequence[Explanation], every: Sequence[Explanation] = ()) -> float:
    """The share of `some` in the weight of `every`; without `every`, the share of the first in that of `some`."""
    part, whole = (some, every) if every else (some[:1], some)
    return sum(one.weight for one in part) / sum(one.weight for one in whole)


def _distance(layout: Layout, belief: TableBelief) -> int:
    """How many coins differ between `layout` and the likeliest reading."""
    return sum(_differing(layout[each.zone], each) for each in belief.differences(layout))


def _differing(pile: Pile, difference: Difference) -> int:
    """How many coins differ in a zone. A coin where another single one should lie counts once: it may lie on top."""
    missing, extra = len(difference.missing), len(difference.extra)
    return 1 if missing == extra == len(pile.heap) == 1 else missing + extra + len(difference.turned)


def on_the_way(start: Layout, ends: Sequence[Layout], belief: TableBelief) -> Layout | None:
    """The nearest of `ends` such that the table lies between `start` and it: in each zone, the count of each coin does.
    None: there is none."""
    found = [
        end for end in ends if all(_between(start[zone], belief[zone], end[zone]) for zone in start if zone in end)
    ]
    return min(found, key=lambda end: _distance(end, belief), default=None)


def _between(one: Pile, seen: ZoneBelief, other: Pile) -> bool:
    counts = [(one.heap, seen.likeliest, other.heap)]
    if one.heads is not None and other.heads is not None:
        if seen.likeliest_heads not in seen.likeliest:
            return False
        heads = (one.heads, seen.likeliest_heads, other.heads)
        counts = [heads, (one.heap - one.heads, seen.likeliest - seen.likeliest_heads, other.heap - other.heads)]
    return all(
        min(a, b) <= m <= max(a, b)
        for low, mid, high in counts
        for a, m, b in zip(low.counts, mid.counts, high.counts, strict=True)
    )
