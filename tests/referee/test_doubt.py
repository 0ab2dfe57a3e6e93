"""Doubtful coins: the referee asks about the one coin on which a ruling hangs, and about no other.

Each case was met with strangers' real coins. A coin is given with the reader's probabilities; it is sure where they
are high.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lab.refereeing.doubting import DoubtingStage
from lab.refereeing.people import People
from tablecoin import rules
from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.journal.export import record_of
from tablecoin.journal.record import read_record, replay, write_record
from tablecoin.referee.commands import Answer, Press
from tablecoin.referee.doubt import _doubt
from tablecoin.referee.events import Corrected, Nature
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import CoinSeen, Snapshot
from tablecoin.vision.coins.sureness import FACE_SURE, KIND_SURE
from tablecoin.vision.frame import Disc, SeenCoin, whichever
from tests.referee.table import act_of, game_of, ruling_of
from tests.referee.test_mistakes import TOSS_3_2, TOSS_4_1, Seated

P, N, D, Q = BY_VALUE
HEADS, TAILS = "row.heads", "row.tails"


def read_as(zone: str, x_mm: float, heads: float = 0.999, y_mm: float = 900.0, **kinds: float) -> SeenCoin:
    """A coin with these probabilities of being a penny, nickel, dime or quarter; the rest: not a US coin."""
    penny, nickel, dime, quarter = (kinds.get(kind, 0.0) for kind in BY_VALUE)
    sure = max(kinds.values()) >= KIND_SURE and max(heads, 1 - heads) >= FACE_SURE
    return SeenCoin(Disc(x_mm, y_mm, 9.0), (penny, nickel, dime, quarter), whichever(heads), sure, (x_mm, y_mm), zone)


def lays(seated: Seated, *coins: SeenCoin) -> Snapshot:
    """Hands lay these coins down and leave."""
    seated.table.coins += coins
    return seated.see()


def asked(snapshot: Snapshot) -> tuple[CoinSeen, list[Nature]]:
    """The coin that people are asked about, and the answers offered."""
    assert snapshot.prompt.kind == "question"
    assert snapshot.prompt.coin is not None, snapshot.prompt.text
    *answers, again = snapshot.prompt.choices
    assert again.coin is None
    return snapshot.table.coins[snapshot.prompt.coin], [answer.coin for answer in answers if answer.coin]


def says(seated: Seated, denomination: Denomination | None, face: Face | None = None) -> Snapshot:
    """People give this answer."""
    _, answers = asked(seated.referee.snapshot())
    seated.referee.command(Answer(answers.index(Nature(denomination, face))), None)
    return seated.referee.snapshot()


def coin_wars() -> Seated:
    """A scene of Coin Wars before its toss: three pennies of the hero, four of the scene."""
    ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}
    create: dict[str, Any] = {"do": "create", "name": "Ann", "ratings": ratings, "misc_name": "Luck"}
    return Seated(
        "coin-wars",
        {},
        create | {"strong": "bodiness"},
        {"do": "scene", "name": "Ann", "components": {"braininess": 4}},
        {"do": "draw", "order": [0]},
    )


# -- what was met with strangers' coins -------------------------------------------------------------------------------


def test_a_nickel_read_as_a_penny_is_asked_about_before_a_wrong_move_passes() -> None:
    """A penny may be placed, a nickel is too high."""
    seated = Seated("steal", {"starter": "heads"}, TOSS_4_1)
    after = lays(seated, read_as(HEADS, 10, penny=0.67, nickel=0.32))
    assert asked(after)[1] == [Nature(P), Nature(N)]
    assert seated.referee.match
    assert seated.referee.match.state == seated.before
    assert ruling_of(says(seated, N)).clause == "steal.place.limit"


def test_a_penny_of_which_people_say_so_is_placed() -> None:
    seated = Seated("steal", {"starter": "heads"}, TOSS_4_1)
    lays(seated, read_as(HEADS, 10, penny=0.67, nickel=0.32))
    assert act_of(says(seated, P)) == {"do": "place", "coin": "penny"}


def test_a_dime_on_the_wrong_side_is_asked_about_though_it_may_be_no_coin() -> None:
    """Else the table counts as unchanged, and the next DONE ends the turn over it."""
    seated = Seated("steal", {"starter": "heads"}, TOSS_4_1)
    after = lays(seated, read_as(TAILS, 10, dime=0.3))
    coin, answers = asked(after)
    assert coin.zone == TAILS
    assert answers == [Nature(None), Nature(D)]
    after = says(seated, D)
    assert (after.prompt.kind, ruling_of(after).clause) == ("refused", "steal.row.add")


def test_what_is_no_coin_is_left_where_it_lies() -> None:
    seated = Seated("steal", {"starter": "heads"}, TOSS_4_1)
    lays(seated, read_as(TAILS, 10, dime=0.3))
    assert says(seated, None).prompt.kind == "turn"
    assert seated.see().prompt.kind == "turn"


@pytest.mark.parametrize("heads", [0.74, 0.81, 0.92, 0.26, 0.19, 0.08])
def test_a_toss_is_never_counted_over_an_unsure_face(heads: float) -> None:
    seated = coin_wars()
    seated.table.put("hero", "penny:heads", "penny:tails").put("scene", *["penny:tails"] * 4)
    after = lays(seated, read_as("hero", 10, heads=heads, penny=0.995))
    coin, answers = asked(after)
    assert coin.zone == "hero"
    likelier, other = (Face.HEADS, Face.TAILS) if heads > 0.5 else (Face.TAILS, Face.HEADS)
    assert answers == [Nature(P, likelier), Nature(P, other)]
    assert "play on with another penny" in after.prompt.text, "one worn smooth is asked about toss after toss"
    tossed = act_of(says(seated, P, other))
    assert tossed["do"] == "flip"
    assert sorted(tossed["character"]) == sorted(["penny:heads", "penny:tails", f"penny:{other}"])


def test_burnt_pennies_read_as_dimes_are_asked_about_before_a_toss_is_refused() -> None:
    seated = Seated("steal", {"starter": "heads"})
    seated.table.put("tray", "penny:heads", "penny:heads", "penny:tails")
    burnt = [read_as("tray", x, heads=h, penny=0.02, dime=0.95) for x, h in ((10, 0.99), (60, 0.01))]
    after = lays(seated, *burnt)
    assert asked(after)[1] == [Nature(P), Nature(D)]
    after = says(seated, P)
    assert after.prompt.coin is not None, "the other one is still in doubt"
    assert game_of(says(seated, P))["rows"] == {"heads": {"penny": 3}, "tails": {"penny": 2}}


@pytest.mark.parametrize(("heads", "asks"), [(0.62, True), (0.999, False)])
def test_a_coin_of_doubtful_face_is_not_refused_before_its_denomination_is_clear(heads: float, asks: bool) -> None:
    """A burnt penny within a ring of its relief: a dime with 0.988, which would do for a coin that shows its face."""
    seated = Seated("steal", {"starter": "heads"})
    seated.table.put("tray", "penny:heads", "penny:heads", "penny:tails", "penny:tails")
    after = lays(seated, read_as("tray", 10, heads=heads, penny=0.01, dime=0.988))
    assert (after.prompt.coin is not None) == asks


def test_the_face_of_a_coin_that_people_named_is_the_face_that_such_a_coin_would_show() -> None:
    """As a dime it would show heads, as a penny tails; only the denomination is asked about."""
    seated = Seated("steal", {"starter": "heads"})
    seated.table.put("tray", "penny:heads", "penny:heads", "penny:tails", "penny:tails")
    burnt = replace(read_as("tray", 10, penny=0.4, dime=0.55), heads_if=(0.01, 0.5, 0.99, 0.5))
    assert asked(lays(seated, burnt))[1] == [Nature(P), Nature(D)]
    assert game_of(says(seated, P))["rows"] == {"heads": {"penny": 2}, "tails": {"penny": 3}}


def test_a_dime_in_the_toss_is_refused_once_people_said_so() -> None:
    seated = Seated("steal", {"starter": "heads"})
    seated.table.put("tray", "penny:heads", "penny:heads", "penny:tails", "penny:tails")
    lays(seated, read_as("tray", 10, penny=0.1, dime=0.85))
    after = says(seated, D)
    assert (after.prompt.kind, ruling_of(after).clause) == ("refused", "steal.flip.coins")


def test_a_table_that_only_doubtful_coins_speak_against_is_asked_about_before_the_game_pauses() -> None:
    """Two pennies were nudged, and are read as dimes now."""
    seated = Seated("steal", {"starter": "heads"}, TOSS_4_1)
    seated.table.take(HEADS, P, P)
    after = lays(seated, *(read_as(HEADS, x, penny=0.01, dime=0.97) for x in (10, 60)))
    assert asked(after)[1] == [Nature(D), Nature(P)]
    says(seated, P)
    assert seated.referee.snapshot().prompt.kind == "turn", "one doubtful coin alone changes nothing"


# -- nobody is asked without need -------------------------------------------------------------------------------------

NEEDLESS: list[tuple[str, SeenCoin]] = [
    ("its face does not matter in a row", read_as(HEADS, 10, heads=0.6, penny=0.999)),
    ("what else it may be is hardly likely", read_as(HEADS, 10, penny=0.95, dime=0.04)),
    ("whatever it is, it lies beside the mat's zones", replace(read_as("", 10, dime=0.5, penny=0.5), zone=None)),
]


@pytest.mark.parametrize(("why", "coin"), NEEDLESS, ids=[row[0] for row in NEEDLESS])
def test_a_doubtful_coin_that_changes_nothing_is_not_asked_about(why: str, coin: SeenCoin) -> None:
    seated = Seated("steal", {"starter": "heads"}, TOSS_4_1)
    assert lays(seated, coin).prompt.kind == "turn"


def test_a_toss_is_counted_when_a_coin_is_hardly_in_doubt() -> None:
    seated = Seated("steal", {"starter": "heads"})
    seated.table.put("tray", "penny:heads", "penny:heads", "penny:tails", "penny:tails")
    after = lays(seated, read_as("tray", 10, penny=0.95, dime=0.04))
    assert game_of(after)["rows"] == {"heads": {"penny": 3}, "tails": {"penny": 2}}


def test_several_doubtful_coins_of_a_toss_are_one_question_with_the_results() -> None:
    seated = Seated("steal", {"starter": "heads"})
    seated.table.put("tray", "penny:heads", "penny:heads", "penny:tails")
    after = lays(seated, *(read_as("tray", x, heads=0.6, penny=0.999) for x in (10, 60)))
    assert (after.prompt.kind, after.prompt.coin) == ("question", None)
    assert "play on with others" in after.prompt.text
    assert after.prompt.choices[0].text == "The pennies fell: 3 for Heads, 2 for Tails."


# -- the answer -------------------------------------------------------------------------------------------------------

DOUBTED = read_as(HEADS, 10, penny=0.6, dime=0.4)


@pytest.fixture
def doubted() -> Seated:
    """Steal: a coin was placed that may be a penny, which is lawful, or a dime, which is not."""
    seated = Seated("steal", {"starter": "heads"}, TOSS_3_2)
    asked(lays(seated, DOUBTED))
    return seated


def test_choose_and_done_answer_with_the_buttons(doubted: Seated) -> None:
    doubted.referee.command(Press("heads.choose"), None)
    doubted.referee.command(Press("heads.done"), None)
    assert ruling_of(doubted.referee.snapshot()).clause == "steal.place.limit"


def test_done_under_the_hand_ends_the_turn_once_the_coin_is_named() -> None:
    seated = Seated("steal", {"starter": "heads"}, TOSS_3_2)
    seated.table.coins.append(DOUBTED)
    seated.referee.see(seated.table.hand())
    seated.referee.command(Press("heads.done"), None)
    seated.referee.see(seated.table.look())
    after = says(seated, P)
    assert (after.prompt.kind, after.prompt.seat) == ("turn", "tails")


def test_looking_again_asks_for_another_light_and_keeps_the_answers(doubted: Seated) -> None:
    before = doubted.referee.snapshot().prompt
    doubted.referee.command(Answer(len(before.choices) - 1), None)
    prompt = doubted.referee.snapshot().prompt
    assert "turn the lamp" in prompt.text
    assert [choice.coin for choice in prompt.choices] == [Nature(P), Nature(D)]
    doubted.table.coins[-1] = read_as(HEADS, 10, penny=0.999)  # in the other light it is clear
    assert act_of(doubted.see()) == {"do": "place", "coin": "penny"}


def test_a_question_about_a_coin_that_is_gone_is_void(doubted: Seated) -> None:
    doubted.table.coins.pop()
    assert doubted.see().prompt.kind == "turn"


def test_the_event_tells_which_coin_was_asked_about_and_what_it_is(doubted: Seated) -> None:
    number = doubted.referee.snapshot().prompt.coin
    says(doubted, P)
    assert [event for event in doubted.events if isinstance(event, Corrected)] == [
        Corrected(
            group=doubted.events[-1].group - 1,
            place_mm=(10.0, 900.0),
            denomination=P,
            face=None,
            coin=number,
            disc_px=(10.0, 900.0, 9.0),
            read=(0.6, 0.0, 0.4, 0.0),
            heads=0.999,
            asked=(Nature(P), Nature(D)),
        )
    ]


def test_the_record_of_a_game_with_answers_replays(doubted: Seated) -> None:
    says(doubted, P)
    assert doubted.referee.match
    lines = list(write_record(record_of(("", event) for event in doubted.events)))
    told = next(line for line in lines if '"correct"' in line)
    assert '"asked":[{"denomination":"penny","face":null},{"denomination":"dime","face":null}]' in told
    *_, last = replay(read_record(lines))
    assert last.state == doubted.referee.match.state


# -- one bold look ----------------------------------------------------------------------------------------------------


def tossed_penny(*, heads: float) -> Seated:
    """The toss of a hero in Coin Wars, in which one penny shows heads with this probability: it is asked about."""
    seated = coin_wars()
    seated.table.put("hero", "penny:heads", "penny:tails").put("scene", *["penny:tails"] * 4)
    asked(lays(seated, read_as("hero", 10, heads=heads, penny=0.995)))
    return seated


LOOKS = [  # the face as it was first read, as it is read later, in another light or not, and whether that is enough
    (0.78, 0.94, "same", False),
    (0.60, 0.98, "same", False),
    (0.22, 0.94, "same", False),  # the looks disagree
    (0.97, 0.99, "same", True),
    (0.78, 0.94, "other", True),
    (0.30, 0.94, "other", False),
]


@pytest.mark.parametrize(("first", "later", "light", "enough"), LOOKS)
def test_a_bold_look_at_a_doubted_coin_counts_with_the_look_before(
    first: float, later: float, light: str, enough: bool
) -> None:
    seated = tossed_penny(heads=first)
    if light == "other":
        seated.referee.command(Answer(2), None)
    seated.table.coins[-1] = read_as("hero", 10, heads=later, penny=0.995)
    assert (seated.see().prompt.coin is None) == enough


def test_a_toss_made_anew_is_read_anew() -> None:
    seated = tossed_penny(heads=0.6)
    seated.table.coins[-1] = read_as("hero", 60, heads=0.99, penny=0.995)
    assert act_of(seated.see())["do"] == "flip"


# -- it is remembered while the coin lies there -----------------------------------------------------------------------


@pytest.fixture
def told() -> Seated:
    """Steal: of two doubtful coins in the toss one was named; the other is still asked about."""
    seated = Seated("steal", {"starter": "heads"})
    seated.table.put("tray", "penny:heads", "penny:heads", "penny:tails")
    lays(seated, *(read_as("tray", x, penny=0.02, dime=0.95) for x in (10, 60)))
    says(seated, P)
    return seated


def asked_places(snapshot: Snapshot) -> list[tuple[float, float] | None]:
    return [snapshot.table.coins[snapshot.prompt.coin].center_mm] if snapshot.prompt.coin is not None else []


@pytest.mark.parametrize("by_mm", [0.0, 1.0, 2.0, 3.0, 3.9])
def test_a_coin_that_was_named_may_be_nudged(told: Seated, by_mm: float) -> None:
    (other,) = asked_places(told.referee.snapshot())
    named = next(k for k, coin in enumerate(told.table.coins) if not coin.sure and coin.place_mm != other)
    coin = told.table.coins[named]
    assert coin.place_mm
    told.table.coins[named] = replace(coin, place_mm=(coin.place_mm[0] + by_mm, coin.place_mm[1]))
    assert asked_places(told.see()) == [other]


@pytest.mark.parametrize("kinds", [{"penny": 0.3, "dime": 0.6}, {"penny": 0.6, "dime": 0.3}, {"dime": 0.9}])
def test_a_coin_that_was_named_is_known_in_another_light(told: Seated, kinds: dict[str, float]) -> None:
    (other,) = asked_places(told.referee.snapshot())
    named = next(k for k, coin in enumerate(told.table.coins) if not coin.sure and coin.place_mm != other)
    x_mm = told.table.coins[named].disc.x_px
    told.table.coins[named] = read_as("tray", x_mm, **kinds)
    assert asked_places(told.see()) == [other]


def test_a_coin_that_was_named_is_known_while_another_touches_it(told: Seated) -> None:
    (other,) = asked_places(told.referee.snapshot())
    named = next(c for c in told.table.coins if not c.sure and c.place_mm != other)
    told.table.coins.append(read_as(TAILS, named.disc.x_px + 19, penny=0.999))
    after = told.see()
    assert next(c for c in after.table.coins if c.center_mm == named.place_mm).denomination is P


def test_another_coin_in_its_place_is_a_new_coin(told: Seated) -> None:
    (other,) = asked_places(told.referee.snapshot())
    named = next(k for k, coin in enumerate(told.table.coins) if not coin.sure and coin.place_mm != other)
    x_mm = told.table.coins[named].disc.x_px
    told.table.coins[named] = read_as("tray", x_mm, quarter=0.999)
    after = told.see()
    assert next(c for c in after.table.coins if c.center_mm == (x_mm, 900.0)).denomination is Q


def test_what_people_said_is_known_after_a_restart(told: Seated) -> None:
    (other,) = asked_places(told.referee.snapshot())
    told.referee = Referee(told.keep)
    told.referee.restore(tuple(told.events), len(told.events))
    after = told.see()
    named = next(coin for coin in after.table.coins if coin.center_mm and coin.center_mm[1] == 900 and coin.sure)
    assert named.center_mm != other
    assert named.denomination is P


# -- nothing wrong passes in silence ----------------------------------------------------------------------------------

MISREAD = [  # what it is, what it is taken for, with which probability
    (truth, taken_for, p)
    for truth in BY_VALUE
    for taken_for in BY_VALUE
    if truth != taken_for
    for p in (0.55, 0.7, 0.82)
]


@pytest.mark.parametrize(("truth", "taken_for", "p"), MISREAD)
@pytest.mark.parametrize("zone", [HEADS, TAILS])
def test_a_coin_misread_in_doubt_neither_passes_nor_is_refused_in_silence(
    zone: str, truth: Denomination, taken_for: Denomination, p: float
) -> None:
    """Heads may lay a penny into the row of Heads: each other coin, and each coin in the other row, is a mistake."""
    seated = Seated("steal", {"starter": "heads"}, TOSS_4_1)
    after = lays(seated, read_as(zone, 10, **{taken_for: p, truth: round(1 - p, 3)}))
    lawful = (zone, truth) == (HEADS, P)
    passed, refused = after.prompt.kind == "turn", after.prompt.kind == "refused"
    assert not (passed and not lawful)
    assert not (refused and lawful)
    if after.prompt.coin is not None:
        after = says(seated, truth)
    assert after.prompt.kind == ("turn" if lawful else "refused")


def test_where_the_side_is_doubted_no_other_kind_is_offered() -> None:
    sides = (Nature(P, Face.HEADS), Nature(P, Face.TAILS))
    assert _doubt(read_as("tray", 10, heads=0.6, penny=0.7, dime=0.3), sides).natures == sides
    kinds = (Nature(P), Nature(N))
    offered = _doubt(read_as("tray", 10, penny=0.4, nickel=0.3, dime=0.3), kinds).natures
    assert offered == (*kinds, Nature(D))


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        *[("steal", 1), ("steal", 2), ("exact", 2), ("goes-around", 3), ("coin-wars", 1)],
        pytest.param("coin-wars", 2, marks=pytest.mark.heavy),  # so long that a doubtful toss is asked about
        *(pytest.param(name, seed, marks=pytest.mark.long) for name in ("coin-age", "exact") for seed in (1, 3)),
    ],
)
def test_whole_games_with_doubtful_coins_are_ruled_rightly(name: str, seed: int) -> None:
    """One coin in thirty may be another kind, one in thirty may lie on the other side; one act in ten is a mistake."""
    game = rules.load(name)
    options = (
        {"goal": 15} if name in ("steal", "exact") else {"players": 3, "start": 3} if name == "goes-around" else {}
    )
    stage = DoubtingStage(game.mat(game.read_options(options)), seed, share=1 / 30)
    story = People(game, stage, seed, mistakes=0.1).play(options)
    assert (story.wrong, story.stuck, story.over) == ([], None, True)
    assert stage.doubted > 0
