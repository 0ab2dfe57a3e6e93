"""The table learns its own coins from what people and rulings settle, and forgets what they take back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from tablecoin.coins import Denomination, Face
from tablecoin.live.kept_coins import KeptCoins
from tablecoin.live.learning import STANDS, Learner
from tablecoin.referee.events import Acted, Corrected, Event, Started, TakenBack
from tablecoin.referee.settled import By, SettledCoin
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.remembered import Remembered
from tablecoin.vision.coins.remembered_file import FILE, RememberedError, packed, unpacked
from tablecoin.vision.frame import Disc, Frame, Reading, SeenCoin, whichever

PICTURE = np.random.default_rng(3).integers(0, 255, (120, 400, 3)).astype(np.uint8)
START = Started(1, "steal", {}, {})
ACT = Acted(2, {}, "heads", "camera")
PENNY = 0.7, 0.3, 0.0, 0.0


def coin(x_mm: float, *, sure: bool = False) -> SeenCoin:
    """A coin read as a penny, heads up; its disc is another part of the picture for each place."""
    return SeenCoin(Disc(40 + x_mm, 60, 30), PENNY, whichever(0.8), sure, (x_mm, 50.0), "row.heads")


def settled(seen: SeenCoin, by: By, kind: Denomination = Denomination.PENNY, face: Face = Face.HEADS) -> SettledCoin:
    return SettledCoin(seen, kind, face, by)


@dataclass
class Told:
    """A referee whose table a test lays."""

    settled_coins: tuple[SettledCoin, ...] = ()
    frames: int = 0

    @property
    def sighted(self) -> Reading:
        coins = tuple(one.seen for one in self.settled_coins)
        return Reading(Frame(PICTURE, self.frames, 0.0), coins, 0.3)

    def show(self, learner: Learner | KeptCoins, *coins: SettledCoin) -> None:
        self.settled_coins, self.frames = coins, self.frames + 1
        learner.heed(self)


@pytest.fixture(scope="module")
def identifier() -> Identifier:
    return Identifier()


@pytest.fixture
def learner(identifier: Identifier) -> Learner:
    made = Learner(Remembered(identifier.recogniser), lambda: identifier, lambda before, now: None)
    made.recorded([START])
    return made


@pytest.fixture
def table() -> Told:
    return Told()


@pytest.mark.parametrize("by", ["answer", "correction"])
def test_what_people_say_is_remembered_at_once(learner: Learner, table: Told, by: By) -> None:
    table.show(learner, settled(coin(0), by, Denomination.NICKEL, Face.TAILS))
    (known,) = learner.remembered.coins
    assert (known.kind, known.face, known.source) == (Denomination.NICKEL, Face.TAILS, by)


def test_a_ruling_is_remembered_when_enough_acts_stand_on_it(learner: Learner, table: Told) -> None:
    learner.recorded([ACT])
    one = settled(coin(0), "ruling")
    for _ in range(STANDS):
        table.show(learner, one)
        assert not len(learner.remembered)
        learner.recorded([ACT])
    table.show(learner, one)
    assert [known.source for known in learner.remembered.coins] == ["ruling"]


def test_a_new_game_means_that_the_rulings_of_the_last_one_stand(learner: Learner, table: Told) -> None:
    table.show(learner, settled(coin(0), "ruling"))
    learner.recorded([START])
    assert len(learner.remembered) == 1


@pytest.mark.parametrize("by", ["ruling", "answer"])
def test_an_undo_forgets_what_rested_on_the_act(learner: Learner, table: Told, by: By) -> None:
    learner.recorded([ACT])
    table.show(learner, settled(coin(0), "answer"))
    learner.recorded([ACT])
    table.show(learner, settled(coin(0), "answer"), settled(coin(100), by))
    learner.recorded([TakenBack(3, "phone")])
    learner.recorded([ACT] * (STANDS + 1))
    table.show(learner, settled(coin(0), "answer"))
    assert [known.event for known in learner.remembered.coins] == [2]


def test_what_an_undo_forgot_is_not_learned_again_from_the_same_coin(learner: Learner, table: Told) -> None:
    learner.recorded([ACT])
    wrong = settled(coin(0), "answer", face=Face.TAILS)
    table.show(learner, wrong)
    learner.recorded([TakenBack(3, "phone")])
    table.show(learner, wrong)
    assert not len(learner.remembered)


def test_an_undo_leaves_what_people_corrected(learner: Learner, table: Told) -> None:
    learner.recorded([ACT])
    table.show(learner, settled(coin(0), "correction"))
    learner.recorded([TakenBack(3, "phone")])
    assert len(learner.remembered) == 1


def test_a_correction_forgets_what_contradicts_it(learner: Learner, table: Told) -> None:
    table.show(learner, settled(coin(0), "answer"), settled(coin(100), "answer"))
    _, other = learner.remembered.coins
    learner.recorded([Corrected(1, (0.5, 50.0), Denomination.PENNY, Face.TAILS)])
    (left,) = learner.remembered.coins
    assert left is other


def test_a_sure_coin_is_remembered_once_and_a_doubtful_one_each_time_it_lies_elsewhere(
    learner: Learner, table: Told
) -> None:
    sure = settled(coin(0, sure=True), "answer")
    for place in (0, 10, 20):  # the same part of the picture, laid elsewhere
        table.show(learner, replace(sure, seen=replace(sure.seen, place_mm=(place, 50.0))))
    assert len(learner.remembered) == 1
    for place in (0, 10, 20):
        doubtful = settled(coin(0), "answer")
        table.show(learner, replace(doubtful, seen=replace(doubtful.seen, place_mm=(place, 90.0))))
    assert len(learner.remembered) == 4


def test_a_coin_that_lies_there_still_is_looked_at_once(learner: Learner, table: Told) -> None:
    for _ in range(3):
        table.show(learner, settled(coin(0), "answer"))
    assert len(learner.remembered) == 1


def test_after_a_restart_an_undo_still_forgets(identifier: Identifier, learner: Learner, table: Told) -> None:
    learner.recorded([ACT])
    table.show(learner, settled(coin(0), "answer"))
    again = Learner(learner.remembered, lambda: identifier, lambda before, now: None)
    again.restore([START, ACT], 2)
    again.recorded([TakenBack(3, "phone")])
    assert not len(again.remembered)


# -- consent and the file ---------------------------------------------------------------------------------------------


@dataclass
class Eye:
    """Keeps what it was told to recall."""

    recalled: list[Remembered | None] = field(default_factory=list)

    def __call__(self, remembered: Remembered | None) -> None:
        self.recalled.append(remembered)

    @property
    def knows(self) -> int:
        """How many coins help it to read now."""
        return len(self.recalled[-1] or ())


def kept(folder: Path, identifier: Identifier, wish: str = "ask") -> KeptCoins:
    assert wish in ("ask", "on", "off")
    made = KeptCoins(folder, "on" if wish == "on" else "off" if wish == "off" else "ask", identifier.recogniser)
    made.recorded([START])
    return made


@pytest.mark.parametrize(
    ("wish", "in_this_game", "in_the_next", "on_disk"),
    [("ask", 1, 0, 0), ("on", 1, 1, 1), ("off", 0, 0, 0)],
    ids=["ask", "on", "off"],
)
def test_without_an_answer_coins_are_known_for_one_game_and_never_kept(
    tmp_path: Path, identifier: Identifier, table: Told, wish: str, in_this_game: int, in_the_next: int, on_disk: int
) -> None:
    coins, eye = kept(tmp_path, identifier, wish), Eye()
    coins.begin(eye)
    table.show(coins, settled(coin(0), "answer"))
    assert eye.knows == in_this_game
    assert len(coins.remembered) == len(unpacked(coins.packed(), identifier.recogniser)) == on_disk
    coins.recorded([START])
    assert eye.knows == in_the_next
    coins.close()
    assert len(list(tmp_path.iterdir())) == on_disk
    assert len(kept(tmp_path, identifier, "on").remembered) == on_disk


def test_a_game_that_is_taken_up_again_without_an_answer_is_read_as_if_nothing_had_been_said(
    tmp_path: Path, identifier: Identifier, table: Told
) -> None:
    coins, eye = kept(tmp_path, identifier), Eye()
    coins.begin(eye)
    table.show(coins, settled(coin(0), "answer"))
    coins.restore([START], 1)
    assert eye.knows == 0


def test_coins_kept_before_do_not_help_until_the_owner_answers(
    tmp_path: Path, identifier: Identifier, table: Told
) -> None:
    before = kept(tmp_path, identifier, "on")
    table.show(before, settled(coin(0), "answer"))
    before.close()
    coins, eye = kept(tmp_path, identifier), Eye()
    coins.begin(eye)
    assert (len(coins.remembered), eye.knows) == (1, 0)
    coins.choose("on")
    assert eye.knows == 1


@pytest.mark.parametrize(("answer", "known"), [("on", 1), ("off", 0)])
def test_an_answer_in_the_middle_of_a_game_keeps_or_forgets_what_the_game_taught(
    tmp_path: Path, identifier: Identifier, table: Told, answer: Literal["on", "off"], known: int
) -> None:
    coins, eye = kept(tmp_path, identifier), Eye()
    coins.begin(eye)
    table.show(coins, settled(coin(0), "answer"))
    coins.choose(answer)
    table.show(coins, settled(coin(0), "answer"))  # it lies there still, and is not learned twice
    assert eye.knows == known
    coins.recorded([START])
    assert eye.knows == known
    coins.close()
    assert len(kept(tmp_path, identifier, "on").remembered) == known


UNLEARNED = [
    TakenBack(3, "phone"),
    Corrected(3, (0.5, 50.0), Denomination.PENNY, Face.TAILS),
]


@pytest.mark.parametrize("event", UNLEARNED, ids=["undo", "correction"])
@pytest.mark.parametrize("answers", [(), ("on",)], ids=["unanswered", "answered on"])
def test_what_is_taken_back_in_the_game_is_forgotten_whenever_the_owner_answers(
    tmp_path: Path, identifier: Identifier, table: Told, event: Event, answers: tuple[Literal["on"], ...]
) -> None:
    coins, eye = kept(tmp_path, identifier), Eye()
    coins.begin(eye)
    coins.recorded([ACT])
    table.show(coins, settled(coin(0), "answer"))
    for answer in answers:
        coins.choose(answer)
    assert eye.knows == 1
    coins.recorded([event])
    assert eye.knows == 0


def test_a_ruling_that_waits_goes_on_waiting_when_the_owner_answers(
    tmp_path: Path, identifier: Identifier, table: Told
) -> None:
    coins = kept(tmp_path, identifier)
    table.show(coins, settled(coin(0), "ruling"))
    coins.recorded([ACT])
    coins.choose("on")
    coins.recorded([ACT] * (STANDS - 1))
    table.show(coins)
    assert len(coins.remembered) == 1


def test_the_owner_is_asked_once(tmp_path: Path, identifier: Identifier) -> None:
    coins = kept(tmp_path, identifier)
    assert (coins.learn, coins.fixed) == ("ask", False)
    coins.choose("on")
    assert kept(tmp_path, identifier).learn == "on"
    assert kept(tmp_path, identifier, "off").learn == "off"


def test_what_was_learned_helps_at_once_and_later(tmp_path: Path, identifier: Identifier, table: Told) -> None:
    coins, eye = kept(tmp_path, identifier, "on"), Eye()
    coins.begin(eye)
    table.show(coins, settled(coin(0), "answer"))
    assert eye.recalled[-1] == coins.remembered
    coins.close()
    assert len(kept(tmp_path, identifier, "on").remembered) == 1


def test_forgetting_all_coins_forgets_those_of_the_game_too(
    tmp_path: Path, identifier: Identifier, table: Told
) -> None:
    coins, eye = kept(tmp_path, identifier), Eye()
    coins.begin(eye)
    table.show(coins, settled(coin(0), "answer"))
    coins.forget()
    assert eye.knows == 0


def test_what_was_forgotten_is_gone_from_the_disk(tmp_path: Path, identifier: Identifier, table: Told) -> None:
    coins = kept(tmp_path, identifier, "on")
    table.show(coins, settled(coin(0), "answer"))
    coins.forget()
    assert not len(kept(tmp_path, identifier, "on").remembered)


def test_coins_are_carried_to_another_table(tmp_path: Path, identifier: Identifier, table: Told) -> None:
    here, there = kept(tmp_path / "here", identifier, "on"), kept(tmp_path / "there", identifier, "on")
    table.show(here, settled(coin(0), "answer"))
    assert there.take(here.packed()) == 1
    there.recorded([ACT, TakenBack(2, "phone")])  # an undo here has nothing to do with what another table learned
    assert len(there.remembered) == 1


def test_coins_carried_here_twice_are_remembered_once(tmp_path: Path, identifier: Identifier, table: Told) -> None:
    here, there = kept(tmp_path / "here", identifier, "on"), kept(tmp_path / "there", identifier, "on")
    table.show(here, settled(coin(0), "answer"))
    for _ in range(2):
        there.take(here.packed())
        here.take(there.packed())
    assert (len(here.remembered), len(there.remembered)) == (1, 1)


def test_coins_of_another_network_are_refused(tmp_path: Path, identifier: Identifier) -> None:
    with pytest.raises(RememberedError, match="another version's network"):
        kept(tmp_path, identifier, "on").take(packed(Remembered("another")))


def test_a_damaged_file_is_told_and_play_goes_on(tmp_path: Path, identifier: Identifier, table: Told) -> None:
    (tmp_path / FILE).write_bytes(b"nonsense")
    coins = kept(tmp_path, identifier, "on")
    assert coins.trouble is not None
    table.show(coins, settled(coin(0), "answer"))
    assert len(coins.remembered) == 1
