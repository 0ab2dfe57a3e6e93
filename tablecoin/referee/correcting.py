"""Takes what people say of coins: of one that was read wrong, of an earlier toss, and when they are asked about one."""

from __future__ import annotations

from msgspec import UnsetType, structs

from tablecoin.referee import commands
from tablecoin.referee.belief import TableBelief
from tablecoin.referee.commands import CommandError
from tablecoin.referee.desk import Desk, Expected, Ruling
from tablecoin.referee.events import Corrected, Nature
from tablecoin.referee.interrupting import Interrupting, needed
from tablecoin.referee.judging import Judging
from tablecoin.referee.match import Match
from tablecoin.referee.memory import near
from tablecoin.referee.prompt import AboutCoin
from tablecoin.referee.rewrite import Rewritten, rewrite
from tablecoin.referee.scribe import Scribe
from tablecoin.referee.standing import nature_of
from tablecoin.referee.toss import untouched
from tablecoin.referee.voice import zone_name
from tablecoin.rules.game import RulesError, Seat
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import SeenCoin


class Correcting:
    """Takes people's word on coins. Others are asked first where a toss hangs on it. Raises only CommandError."""

    def __init__(self, desk: Desk, scribe: Scribe, judging: Judging, interrupting: Interrupting) -> None:
        self._desk, self._scribe, self._judging, self._interrupting = desk, scribe, judging, interrupting

    def correct(self, command: commands.Correct, seat: Seat | None) -> None:
        """Correct a coin. Whoever sits in a seat asks the others; at the table people are asked where it was tossed."""
        coin, place, nature = self._corrected(command)
        match = self._desk.match
        concerned = match.people() if match and match.started.undo == "asked" else ()
        if seat is None and not self._was_tossed(coin):
            concerned = ()
        missing = needed(concerned, seat)
        if missing:
            facts: dict[str, object] = {"is": nature_of(nature)}
            why = Message("consent.correct.anywhere", facts)
            if coin.zone:
                why = Message("consent.correct", facts | {"zone": zone_name(coin.zone)})
            self._interrupting.ask("correct", why, seat, structs.replace(command, center_mm=place), missing)
        else:
            self.correct_now(command)

    def correct_now(self, command: commands.Correct) -> None:
        """Correct a coin; nobody is asked any more."""
        coin, place, nature = self._corrected(command)
        self._interrupting.settled()
        match = self._desk.match
        tossed = self._was_tossed(coin)
        self._overrule(command.coin, place, nature)
        if match and tossed:
            self._read_toss_again(match)
        self._judging.judge(finished=False)

    def tell(self, question: AboutCoin, nature: Nature | None) -> None:
        """The answer to a question about one coin: what it is; None: it shall be looked at again."""
        if nature is None:
            self._desk.prompt = question.looking_again()
            self._desk.memory = self._desk.memory.relit(question.close.coin)
            return
        place = question.close.coin.place_mm
        lying = ((number, coin.place_mm) for number, coin in enumerate(self._desk.read()))
        found = next(((number, here) for number, here in lying if place and here and near(here, place)), None)
        if found is None:
            raise CommandError(Message("command.no_coin"))
        offered = tuple(choice.coin for choice in question.menu.choices if choice.coin)
        self._overrule(*found, nature, offered)
        waiting = self._desk.waiting
        if self._desk.settled and waiting:
            self._desk.waiting = None
            self._judging.finish(waiting.seat, waiting.action)
        else:
            self._judging.judge(finished=False)

    def reread(self, command: commands.Reread, seat: Seat | None) -> None:
        """Correct an earlier toss, once the others agree."""
        match, new = self._desk.playing(), self._rewritten(command)
        missing = needed(match.people() if match.started.undo == "asked" else (), seat)
        if missing:
            self._interrupting.ask("reread", Message("consent.reread", {"said": new.said}), seat, command, missing)
        else:
            self.reread_now(command)

    def reread_now(self, command: commands.Reread) -> None:
        """Correct an earlier toss; nobody is asked any more.

        Acts after the toss that are no longer legal are taken back and named.
        """
        new = self._rewritten(command)
        self._interrupting.settled()
        dropped = Message("referee.reread.all")
        if new.dropped:
            dropped = Message("referee.reread.dropped", {"acts": new.dropped})
        self._scribe.group += len(new.events)
        self._scribe.write(new.events)
        self._desk.match = new.match
        self._desk.ruling = Ruling(
            self._scribe.count, True, Message("referee.reread", {"said": new.said, "dropped": dropped}), None
        )
        self._desk.expected = Expected.RESTORING
        self._judging.changed()

    def _corrected(self, command: commands.Correct) -> tuple[SeenCoin, tuple[float, float], Nature]:
        """The coin that is meant, its place, and what it is said to be. Raises CommandError where it is gone."""
        coins = self._desk.coins()
        coin = coins[command.coin] if command.coin < len(coins) else None
        place = coin.place_mm if coin else None
        if coin is None or place is None or (command.center_mm and not near(place, command.center_mm)):
            raise CommandError(Message("command.no_coin"))
        kind = coin.denomination if isinstance(command.denomination, UnsetType) else command.denomination
        return coin, place, Nature(kind, command.face)

    def _was_tossed(self, coin: SeenCoin) -> bool:
        """Whether it is one of the coins of the toss that was ruled on last, and none of the next toss fell since."""
        match, desk = self._desk.match, self._desk
        if not match or not match.plies or coin.zone not in match.game.tosses_due(match.plies[-1].before):
            return False
        lying = [each for each in desk.coins() if each.zone in match.game.tosses_due(match.state)]
        return desk.untossed is None or len(untouched(lying, desk.untossed)) == len(lying)

    def _overrule(
        self, number: int, place_mm: tuple[float, float], nature: Nature, asked: tuple[Nature, ...] = ()
    ) -> None:
        """A person says what coin `number` of the newest reading is; `asked` are the answers that were offered."""
        seen = self._desk.read()[number]
        circle = round(seen.disc.x_px, 1), round(seen.disc.y_px, 1), round(seen.disc.r_px, 1)
        if self._desk.match:
            said = Corrected(
                group=self._scribe.group,
                place_mm=place_mm,
                denomination=nature.denomination,
                face=nature.face,
                coin=number,
                disc_px=circle,
                read=seen.denominations,
                heads=round(seen.heads, 6),
                asked=asked,
            )
            self._scribe.write([said])
        self._desk.overrule(number, nature.denomination, nature.face)

    def _read_toss_again(self, match: Match) -> None:
        """Take back the toss just ruled, if its coins still lie there: the corrected coin may be one of them."""
        belief = TableBelief(self._desk.coins())
        due = match.game.tosses_due(match.plies[-1].before)
        if all(belief[zone].likeliest == heap for zone, heap in due.items()):
            self._scribe.take_back(match.last_group(), "phone")
            self._desk.untossed = ()

    def _rewritten(self, command: commands.Reread) -> Rewritten:
        match = self._desk.playing()
        try:
            return rewrite(match, self._scribe.numbers.get(command.ruling, -1), command.coins, self._scribe.group + 1)
        except RulesError as error:
            raise CommandError(error.message) from None
