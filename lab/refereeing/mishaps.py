"""Mishaps at the table, and the rulings they must lead to."""

from __future__ import annotations

from lab.refereeing.blunders import Blunder, misdealt, visible_blunders
from lab.refereeing.seated import AnyGame, Seated, Stage
from lab.refereeing.slips import slips
from tablecoin.coins import BY_VALUE, Coin, Heap
from tablecoin.referee.commands import BUTTONS, Act, Press
from tablecoin.rules.game import Action, IllegalAction, State
from tablecoin.rules.goes_around.game import GoesAroundState
from tablecoin.rules.goes_around.pennies import misplaced, payments
from tablecoin.virtual.arrange import arrange
from tablecoin.virtual.table import TableError

_ON_A_PHONE = 0.3  # share of mistakes made on a phone where both a phone and a hand could make one


class Clumsy(Seated):
    """People who make mistakes; each kind has its probability."""

    def __init__(self, game: AnyGame, stage: Stage, seed: int, mistakes: float = 0.0, accidents: float = 0.0) -> None:
        super().__init__(game, stage, seed)
        self._mistakes, self._accidents = mistakes, accidents
        self._turn: list[State] = []  # the states of the current turn, to which people may go back
        self._thrown: dict[str, tuple[Coin, ...]] = {}  # by zone: how the coins fell there last

    def _blunder(self, truth: State) -> None:
        """Sometimes do something illegal on the table or on a phone, check the refusal, and take it back."""
        if not self._turn or self._game.to_act(self._turn[-1]) != self._game.to_act(truth):
            self._turn = []
        self._turn.append(truth)
        if self._dice.random() >= self._mistakes:
            return
        blunders = list(visible_blunders(self._game, self._turn)) if self._lies_as(truth) else []
        tried = list(slips(self._game, truth))
        if tried and (not blunders or self._dice.random() < _ON_A_PHONE):
            self._slip(truth, *self._dice.choice(tried))
        elif blunders:
            before = self._stage.table.scene.coins
            if self._lay_wrongly(self._dice.choice(blunders)):
                self._stage.table.put(before)
                self._stage.settle()
                self._answer(truth, truth)

    def _slip_before(self, truth: State) -> None:
        """Sometimes do something illegal on a phone before a toss."""
        tried = list(slips(self._game, truth)) if self._dice.random() < self._mistakes else []
        if tried:
            self._slip(truth, *self._dice.choice(tried))

    def _slip(self, truth: State, action: Action, broken: IllegalAction) -> None:
        """Do something illegal on a phone. For a secret choice only that phone is told the rule it breaks."""
        self.story.counts["mistakes"] += 1
        self.story.counts["slips"] += 1
        restarts = self._stage.restarts
        accepted, why = self._stage.referee.command(Act(self._game.write_action(action)), None)
        ruling = self._stage.referee.snapshot().ruling
        named = ruling and ruling.clause == (None if self._game.seals(action) else broken.clause)
        if self._stage.restarts == restarts and (accepted or why != broken.message or not named):
            self._wrong(f"{action} was answered with {accepted}, {why!r}, not with {broken.why()!r}")
        self.story.counts["mistake: refused"] += not accepted
        self._answer(truth, truth)

    def _lay_wrongly(self, blunder: Blunder) -> bool:
        """Lay the table as the blunder leaves it and check the ruling. False: there is no room for it."""
        what, layout, clauses = blunder
        before = self._stage.table.scene.coins
        try:
            arrange(self._stage.table, layout)
        except TableError:
            self._stage.table.put(before)
            return False
        self.story.counts["mistakes"] += 1
        restarts, state = self._stage.restarts, self._state
        self._stage.settle()
        kind = self._stage.referee.snapshot().prompt.kind
        done = f"{self._game.to_act(self._turn[-1])[0]}.done"
        if kind == "unfinished" and done in BUTTONS:  # it could still become legal until they press DONE
            self._stage.referee.command(Press(done), None)
        kind, clause = self._stage.referee.snapshot().prompt.kind, self._clause()
        self.story.counts[f"mistake: {kind}"] += 1
        fair = {"refused", "unfinished", "question", "paused"}
        if self._stage.restarts > restarts:
            fair.add("arrange")  # after a restart the table is compared with the state first
        if self._unclear:
            fair |= {"arrange", "turn"}  # the picture is unclear, so nothing was ruled
        if kind == "refused" and clause not in clauses:
            self._wrong(f"{what} was refused by {clause}, not by one of {sorted(clauses)}")
        elif kind not in fair or self._state not in (state, *self._turn):
            if self._state and self._game.layout(self._state) == layout:
                self.story.counts["mistake: lawful"] += 1  # more lawful acts than `visible_blunders` tries lead there
            else:
                self._wrong(f"{what} passed as {kind}: {self._said()}")
        return True

    def _pay(self, before: State, after: State) -> bool:
        """Decide how people pay after a reveal; whether they now pay as told. False: one payment is forgotten.

        A wrong payment is laid first and must be refused. A forgotten one is a mistake only at the next reveal.
        """
        if not isinstance(before, GoesAroundState) or not isinstance(after, GoesAroundState):
            return True
        if self._state != after or self._game.outcome(after):
            return True
        was, due = self._game.layout(before), self._game.layout(after)
        deeds = [player.last for player in after.players]
        if was == due or self._dice.random() >= 1 - (1 - self._mistakes) ** len(list(payments(was, deeds))):
            return True  # nobody has to pay, or the payments cancel out
        blunder = self._dice.choice(list(misdealt(before, after, self._game)))
        heaps = {zone: pile.heap for zone, pile in blunder[1].items()}
        if misplaced(was, due, heaps, deeds):
            self._lay_wrongly(blunder)
            return True
        self.story.counts["forgotten"] += 1
        arrange(self._stage.table, blunder[1])
        return False

    def _remember(self, truth: State) -> None:
        """Try to reveal with a payment forgotten: it must be refused. Then pay."""
        if self._lies_as(truth):
            return
        self.story.counts["mistakes"] += 1
        restarts = self._stage.restarts
        self._stage.referee.command(Act({"do": "reveal"}), None)
        clause = self._clause()
        if self._state != truth or (clause != "unfinished" and self._stage.restarts == restarts):
            self._wrong(f"pennies were not paid yet, and it was ruled: {self._said()}")
        self.story.counts["mistake: refused"] += clause == "unfinished"
        self._set(truth)
        self._stage.settle()
        self._answer(truth, truth)

    def _sweep(self, truth: State) -> None:
        """Sometimes one to three coins fall to the floor and are put back where they lay.

        The remaining coins may look like a legal state of this turn; then the referee may take them for it. Actions
        with a pause between them may be seen in another order, so every state the referee passed through is allowed.
        """
        before, match = self._stage.table.scene.coins, self._stage.referee.match
        passed = match.turn_states() if match and match.state == truth else ()
        if not self._accidents or not before or self._dice.random() >= self._accidents:
            return
        fallen = self._dice.sample(range(len(before)), min(len(before), self._dice.randint(1, 3)))
        self._stage.table.put(coin for k, coin in enumerate(before) if k not in fallen)
        self.story.counts["accidents"] += 1
        self._stage.settle()
        self.story.counts[f"accident: {self._stage.referee.snapshot().prompt.kind}"] += 1
        if self._state not in (truth, *self._turn, *passed) and self._stage.referee.snapshot().table.differences:
            self._wrong(f"coins fell to the floor, and it was ruled: {self._said()}")
        self._stage.table.put(before)
        self._stage.settle()
        self._answer(truth, truth)

    def _toss_badly(self, truth: State) -> None:
        """Sometimes toss one coin too few, one too many, or another coin: such a toss must not count.

        Coins that are not due must be refused by their clause; missing coins are asked for.
        """
        if self._dice.random() >= self._mistakes:
            return
        thrown: dict[str, tuple[Coin, ...]] = {}
        for zone, heap in self._game.tosses_due(truth).items():
            kinds, what = list(heap), self._dice.choice(("more", "less", "other"))
            if what != "more" and (what == "other" or len(kinds) > 1):
                kinds.remove(self._dice.choice(kinds))
            if what != "less" or len(kinds) == len(list(heap)):
                kinds.append(self._dice.choice(BY_VALUE))
            thrown[zone] = self._stage.table.toss(Heap.of(kinds), zone)
        self._thrown |= thrown
        seen = {zone: Heap.of(coin.denomination for coin in coins) for zone, coins in thrown.items()}
        if seen == dict(self._game.tosses_due(truth)):  # the other coin is of the same kind: the toss is fair after all
            self._stage.table.put(c for c in self._stage.table.scene.coins if self._zone(c) not in seen)
            return
        self.story.counts["bad tosses"] += 1
        beyond = any(heap not in self._game.tosses_due(truth)[zone] for zone, heap in seen.items())
        restarts = self._stage.restarts
        self._stage.settle()
        kind, clause = self._stage.referee.snapshot().prompt.kind, self._clause()
        self.story.counts[f"bad toss: {kind}"] += 1
        if self._state != truth:
            self._wrong(f"the wrong coins were tossed, and it was ruled: {self._said()}")
        elif kind == "refused":
            try:
                self._game.apply(truth, self._game.toss_action(truth, thrown))
            except IllegalAction as broken:
                if not beyond or clause != broken.clause:
                    self._wrong(f"{seen} was refused by {clause}, not by {broken.clause}")
        elif beyond and self._stage.restarts == restarts:
            self.story.counts["bad toss: not named"] += 1
