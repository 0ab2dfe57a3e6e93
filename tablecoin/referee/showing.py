"""The referee's desk as everybody may see it: the Snapshot of it."""

from __future__ import annotations

from collections.abc import Iterable

from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.mat.order import out_of_order
from tablecoin.referee import snapshot
from tablecoin.referee.buttons import what_they_do
from tablecoin.referee.choices import Choice
from tablecoin.referee.clocks import left_s
from tablecoin.referee.desk import Desk, Ruling, Watching
from tablecoin.referee.hinting import may_ask
from tablecoin.referee.interlude import Request
from tablecoin.referee.lawful import lawful_zones
from tablecoin.referee.marks import marks
from tablecoin.referee.match import Match
from tablecoin.referee.prompt import Over, TossDue, Turn
from tablecoin.referee.series import standing_of
from tablecoin.referee.unruled import why_unruled
from tablecoin.referee.voice import zone_name
from tablecoin.rules.game import Layout, Seat
from tablecoin.rules.rulebook import Message, texts
from tablecoin.vision.frame import SeenCoin
from tablecoin.vision.rest.settle import OBJECT_WARNING


def show(desk: Desk) -> snapshot.Snapshot:
    """The snapshot of the desk, not yet numbered; the camera's name and speed are the live table's to fill in."""
    match, menu = desk.match, desk.menu
    seats = match.game.to_act(match.state) if match else ()
    return snapshot.Snapshot(
        game=match.public(None) if match else None,
        seats=match.started.seats if match else {},
        names=match.started.names if match else {},
        colours=match.started.colours if match else {},
        series=standing_of(match) if match else None,
        crossed=match.started.group if match and match.started.crossed else None,
        table=_table(desk, match),
        prompt=snapshot.Prompt(
            _asked_seat(desk),
            (desk.interlude or desk.prompt).kind,
            *_spoken(desk.said),
            tuple(_choice(choice, match, k == menu.highlighted) for k, choice in enumerate(menu.choices)),
            None if desk.interlude else desk.asked_about(),
            desk.disputed,
        ),
        ruling=_ruling(desk.ruling) if desk.ruling else None,
        undo=bool(match and match.taken_back()),
        undo_seat=match.undo_seat() if match else None,
        undo_asks=match.concerned(match.taken_back(), desk.thrown) if match else (),
        buttons={button: _button(button, does) for button, does in what_they_do(desk).items()},
        mat=mats.load(match.mat) if match else None,
        health=health(warnings(desk), camera="", fps=0),
        seq=0,
        age_s=0.0,
        hint=match is not None and any(may_ask(match, seat) for seat in seats),
        odds=None,
        clock=_clock(match, desk) if match else None,
        began=match.started.group if match else None,
    )


def _asked_seat(desk: Desk) -> Seat | None:
    """Who alone is to act or answer."""
    if isinstance(desk.interlude, Request):
        seats = desk.interlude.missing
    else:
        seats = desk.match.game.to_act(desk.match.state) if desk.match and not desk.interlude else ()
    return seats[0] if len(seats) == 1 else None


def _button(button: str, does: snapshot.Does | None) -> snapshot.ButtonNow:
    return snapshot.ButtonNow(does, *_spoken(Message(f"button.{(does or 'nothing').replace(' ', '_')}")))


def coins_seen(coins: Iterable[SeenCoin]) -> tuple[snapshot.CoinSeen, ...]:
    """Coins as the snapshot shows them, numbered from 0."""
    return tuple(_coin(number, coin) for number, coin in enumerate(coins))


def _table(desk: Desk, match: Match | None) -> snapshot.Table:
    view = desk.view
    over = isinstance(desk.prompt, Over)  # then nothing is asked of the table any more
    layout: Layout = match.game.layout(match.state) if match and not over else {}
    return snapshot.Table(
        coins=coins_seen(desk.coins()),
        hand=isinstance(view, Watching) and view.look.hand,
        moving=isinstance(view, Watching) and view.look.moving,
        settled=desk.settled,
        wanted={zone: pile.heap for zone, pile in layout.items()},
        flips=desk.falls.left(match) if match else {},
        differences=() if over else desk.differences,
        marks=marks(desk),
        lawful=lawful_zones(match) if match and desk.prompt.kind == "turn" else (),
    )


def _clock(match: Match, desk: Desk) -> snapshot.Clock | None:
    control, left = match.started.clock, left_s(match, desk.clocks)
    over = tuple(seat for seat, s in left.items() if s <= 0)
    return snapshot.Clock(control, left, desk.thinking, over) if control else None


def health(told: Iterable[Message], camera: str, fps: int) -> snapshot.Health:
    """The state of the equipment; of equal warnings one is shown."""
    said = tuple(snapshot.Notice(warning.key, texts(warning)) for warning in told)
    different = tuple(notice for k, notice in enumerate(said) if notice not in said[:k])
    return snapshot.Health(tuple(notice.texts["en"] for notice in different), different, camera, fps)


def warnings(desk: Desk) -> tuple[Message, ...]:
    """What people should know: why nothing is ruled on, what is no US coin, and what the reader says of the picture."""
    why = why_unruled(desk)
    zones = dict.fromkeys(coin.zone for coin in desk.coins() if coin.zone and coin.denomination is None)
    foreign = [Message("referee.foreign", {"zones": [zone_name(zone) for zone in zones]})] if zones else []
    newest = desk.reading.warnings if desk.reading else ()
    others = (each for each in newest if not foreign or each != OBJECT_WARNING)  # it is named already
    return (*([why] if why else []), *foreign, *_reminders(desk), *others)


def _reminders(desk: Desk) -> Iterable[Message]:
    """Rows whose coins lie in no order (ruling S6), once the table is right in every other way."""
    match = desk.match
    if match is None or not desk.settled or desk.differences or not isinstance(desk.prompt, Turn | TossDue):
        return
    for zone, pile in match.game.layout(match.state).items():
        lying = [(c.denomination, c.place_mm) for c in desk.coins() if c.zone == zone and c.denomination]
        stray = out_of_order((kind, place) for kind, place in lying if place) if pile.rises else None
        if stray:
            yield Message("referee.order", {"zone": zone_name(zone), "coins": stray})


def _choice(choice: Choice, match: Match | None, highlighted: bool) -> snapshot.Choice:
    action = match.game.write_action(choice.actions[0]) if match and choice.actions else None
    return snapshot.Choice(
        *_spoken(choice.message), action, choice.game, highlighted, choice.coin, choice.does, choice.seat
    )


def _ruling(ruling: Ruling) -> snapshot.Ruling:
    text, said = _spoken(ruling.message)
    return snapshot.Ruling(
        seq=ruling.number,
        accepted=ruling.accepted,
        clause=ruling.clause,
        seat=ruling.seat,
        action=ruling.action,
        evidence=ruling.number if ruling.evidence else None,
        text=text,
        texts=said,
        righted=ruling.righted,
    )


def _coin(number: int, coin: SeenCoin) -> snapshot.CoinSeen:
    kind, place = coin.denomination, coin.place_mm
    return snapshot.CoinSeen(
        i=number,
        center_px=(round(coin.disc.x_px, 1), round(coin.disc.y_px, 1)),
        radius_px=round(coin.disc.r_px, 1),
        center_mm=(round(place[0], 1), round(place[1], 1)) if place else None,
        radius_mm=round(kind.diameter_mm / 2, 2) if kind else None,
        zone=coin.zone,
        denomination=kind,
        face=coin.face,
        denomination_confidence=round(max(coin.denominations), 4),
        face_confidence=round(coin.face_confidence, 4),
        sure=coin.sure,
        alternatives=_alternatives(coin),
    )


def _alternatives(coin: SeenCoin) -> tuple[snapshot.Alternative, ...]:
    """Everything else the coin may be, likeliest first; of equals, "not a US coin" comes last."""
    kinds = zip(BY_VALUE, coin.denominations, coin.heads_if, strict=True)
    every: list[tuple[Denomination | None, Face | None, float]] = [
        (kind, face, round(p * (up if face is Face.HEADS else 1 - up), 4)) for kind, p, up in kinds for face in Face
    ]
    every.append((None, None, round(max(0.0, 1 - sum(coin.denominations)), 4)))
    others = [one for one in every if one[:2] != (coin.denomination, coin.face)]
    return tuple(snapshot.Alternative(*one) for one in sorted(others, key=lambda one: -one[2]))


def _spoken(message: Message) -> tuple[str, dict[str, str]]:
    """The message in English, and in every language."""
    said = texts(message)
    return said["en"], said
