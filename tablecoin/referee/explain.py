"""What happened between two sightings: search the actions, turn each reachable state into its layout, weigh by fit.

The same code serves every game. It is pure: states, a belief about the table, and out comes a Verdict.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from tablecoin.referee.belief import TableBelief, ZoneBelief
from tablecoin.rules.game import Action, Game, IllegalAction, Layout, Pile, State

AnyGame = Game[Any, Any, Any]
Arrangement = frozenset[tuple[str, Pile]]  # a layout that hashes: what the table looks like

LONGEST = 4  # actions people do between two sightings; a turn of Coin Age has at most four (pay, then place three)
PRIOR_STEP = 0.7  # each further action needed makes an explanation this much less likely beforehand
PRIOR_IMAGINED = 0.05  # people mostly play by the rules: one mistake in twenty acts
ENOUGH = 0.9  # explanations found that account for so much end the search
CERTAIN = 0.97  # of all weight: enough to rule without asking
_BLIND = 2  # acts followed wherever they lead, when no straight way explains the table...
_FEW = 30  # ...and no more positions than this were met on the straight ones
_ASKED = 6  # candidates put to people, at most
_NEAREST = 8  # positions after lawful acts from which mistakes are imagined
FITS = 0.02  # a layout less probable than this beside the likeliest reading explains nothing


@dataclass(frozen=True)
class Explanation:
    """A way the table could have come to look as it does."""

    source: int  # which of the given states it starts from
    actions: tuple[Action, ...]
    state: State  # what it leads to; for an imagined act, the state that stays
    weight: float  # prior times how well its layout fits
    layout: Layout  # what the table shows then
    broken: IllegalAction | None = None  # set when the last action is against the rules


@dataclass(frozen=True)
class Unchanged:
    """The table still shows the newest state."""


@dataclass(frozen=True)
class Accepted:
    """One legal explanation is clearly best."""

    explanation: Explanation


@dataclass(frozen=True)
class Refused:
    """Only an act against the rules explains the table."""

    explanation: Explanation


@dataclass(frozen=True)
class Ask:
    """Several explanations fit; likeliest first."""

    candidates: tuple[Explanation, ...]


@dataclass(frozen=True)
class Unfinished:
    """The table is on its way to something legal: coins already taken out of a conversion, say."""


@dataclass(frozen=True)
class Unexplained:
    """Nothing the rules or people's usual mistakes lead to looks like this."""


Verdict = Unchanged | Accepted | Refused | Ask | Unfinished | Unexplained


def explain(game: AnyGame, states: Sequence[State], belief: TableBelief, *, finished: bool) -> Verdict:
    """Rule on a sighting.

    `states` are those the turn passed through, newest first: people may take back what they did within their turn, so
    each is a place to start from. `finished`: the player says the turn is done, so half-done acts are mistakes.
    """
    legal, nodes = _lawful(game, states, belief)
    if legal and legal[0].source == 0 and not legal[0].actions and _share(legal) >= CERTAIN:
        return Unchanged()
    if not legal and len(nodes) <= _FEW:  # a coin set down and taken away again in a conversion leaves no mark
        legal, _ = _lawful(game, states, belief, _BLIND)
    ends = [node.layout for node in nodes]
    lawful = {_arrangement(layout) for layout in (*ends, *(found.layout for found in legal))}
    sources = [_Node(k, (), state, game.layout(state), math.inf, True) for k, state in enumerate(states)]
    imagined = _imagined(game, sources, belief, lawful)
    if legal:  # nobody takes back, and does something else, what is on its way to being done
        anew = legal[0].source and legal[0].actions
        between = anew and _on_the_way(sources[0].layout, [node.layout for node in nodes if not node.source], belief)
    else:
        between = _on_the_way(sources[0].layout, ends, belief)
    if between and not (finished and (legal or imagined)):
        return Unfinished()
    every = _distinct([*legal, *imagined]) or _distinct(_imagined(game, _nearer(nodes, belief), belief, lawful))
    if not every:
        return Unexplained()
    best = every[0]
    if best.broken and _share([one for one in every if one.broken and one.layout == best.layout], every) >= CERTAIN:
        return Refused(best)  # of mistakes that look alike the likeliest is named
    if _share(every) < CERTAIN:
        return Ask(tuple(every[:_ASKED]))
    return Accepted(best) if best.actions or best.source else Unchanged()


def _lawful(
    game: AnyGame, states: Sequence[State], belief: TableBelief, blind: int = 1
) -> tuple[list[Explanation], list[_Node]]:
    """The lawful explanations, likeliest first, and every position looked at on the way.

    The search goes by the number of acts: first nothing, then one act done or taken back, then two… and stops when
    what it found explains nearly everything. Nobody does things in vain, so of ways that leave the same table only
    those with the fewest acts count. Beyond the first `blind` acts only those are followed that brought the layout
    nearer to what is seen, for nearly every real act leaves its mark.
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
    """A state the search came to, and how far from what is seen the table was before the last act."""

    source: int
    actions: tuple[Action, ...]
    state: State
    layout: Layout
    was_apart: float
    goes_on: bool  # the same people may act on from here


def _children(game: AnyGame, node: _Node, belief: TableBelief, blind: int) -> Iterator[_Node]:
    """What one more act of the same seat in the same phase can bring about; DONE and its like wait for a button."""
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
    """The nodes whose states were not met before; they are now."""
    fresh = []
    for node in layer:
        key = _key(node.state)
        if key not in met:
            met.add(key)
            fresh.append(node)
    return fresh


def _nearer(nodes: Sequence[_Node], belief: TableBelief) -> list[_Node]:
    """The positions a few lawful acts lead to that come nearer to what is seen: after them a mistake may have come."""
    start = _distance(nodes[0].layout, belief)
    near = [(_distance(node.layout, belief), k) for k, node in enumerate(nodes) if node.actions]
    return [nodes[k] for apart, k in sorted(near)[:_NEAREST] if apart < start]


def _imagined(
    game: AnyGame, nodes: Sequence[_Node], belief: TableBelief, lawful: set[Arrangement]
) -> list[Explanation]:
    """An act against the rules, from any of the positions, that would leave the table as it is seen.

    What looks the same as something lawful is taken for that: nobody is accused of what cannot be told apart.
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
                    found.append(Explanation(node.source, (*node.actions, action), node.state, weight, layout, broken))
    return found


def _apart(one: Layout, other: Layout) -> set[str]:
    """The zones in which two layouts differ."""
    return {zone for zone in one.keys() | other.keys() if one.get(zone) != other.get(zone)}


def _probability(layout: Layout, zones: Collection[str], belief: TableBelief) -> float:
    """How probable the layout is in `zones`; where nothing could have changed, unsure coins say nothing about it."""
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
    """States hold mappings, so they compare but do not hash; their JSON does."""
    return msgspec.json.encode(state)


def _share(some: Sequence[Explanation], every: Sequence[Explanation] = ()) -> float:
    """The share of the likeliest in all the weight; or with two, that of `some` in `every`."""
    part, whole = (some, every) if every else (some[:1], some)
    return sum(one.weight for one in part) / sum(one.weight for one in whole)


def _distance(layout: Layout, belief: TableBelief) -> int:
    """Coins to move between `layout` and the likeliest reading."""
    return sum(len(d.missing) + len(d.extra) + len(d.turned) for d in belief.differences(layout))


def _on_the_way(start: Layout, ends: Sequence[Layout], belief: TableBelief) -> bool:
    """Whether the table lies between `start` and one of `ends`: in each zone, of each coin, no count beyond the two."""
    return any(all(_between(start[zone], belief[zone], end[zone]) for zone in start if zone in end) for end in ends)


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
