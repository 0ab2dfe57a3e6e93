"""Every lesson is played to its end at the practice table: by somebody who does what is asked, somebody who tries
everything else first, and somebody who goes on from there. One lesson reads pictures. In the others the referee gets
the true coins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from lab.refereeing.told import read
from tablecoin import rules
from tablecoin.coins import Coin, Denomination, Face
from tablecoin.lessons.classroom import Classroom, View
from tablecoin.lessons.course import legal, wants
from tablecoin.lessons.lesson import Act, lesson
from tablecoin.referee.commands import CommandError
from tablecoin.rules.rulebook import clauses
from tablecoin.virtual.arrange import arrange
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.frame import Reading

MOST_STEPS = 80  # that a person may need for a lesson
SEED = 5
OTHERWISE = [game for game in rules.NAMES if game != "coin-wars"]  # its lesson accepts every lawful act


class TableAsFrame:
    """In place of the camera: its frame is the virtual table itself."""

    def __init__(self, table: VirtualTable, **_: object) -> None:
        self._table = table

    def read(self, timeout_s: float) -> VirtualTable:
        return self._table


class PerfectReader:
    """In place of the reader: it reads such a frame without a mistake."""

    def __init__(self, mat: str, identifier: object) -> None:
        self._mat = mat

    def read(self, table: VirtualTable) -> Reading:
        assert table.mat.name == self._mat
        return read(table)


@pytest.fixture(scope="module")
def classroom() -> Classroom:
    return Classroom(SEED)


@pytest.fixture
def room(classroom: Classroom, monkeypatch: pytest.MonkeyPatch) -> Classroom:
    """The classroom, with a reader that returns the true coins."""
    monkeypatch.setattr("tablecoin.lessons.table.VirtualCamera", TableAsFrame)
    monkeypatch.setattr("tablecoin.lessons.table.Reader", PerfectReader)
    return classroom


class Learner:
    """A person in one lesson. `view` is what they see."""

    def __init__(self, room: Classroom, name: str, game: str) -> None:
        self.room, self.who = room, (name, game)
        self.view = room.look(*self.who)
        self.asides: set[str | None] = set()

    def saw(self, view: View) -> None:
        self.view = view
        self.asides.add(view.pupil.at.aside)

    def act(self, act: Act) -> None:
        """Carry an action out: with coins where it moves any, else on the phone."""
        table = self.room.table
        game, state = table.match.game, table.match.state
        then = game.apply(state, game.read_action(act))
        if game.layout(then) == game.layout(state) or act["do"] in ("commit", "reveal", "done", "swap", "choose"):
            self.saw(self.room.command(*self.who, "act", act))
            return
        arrange(table.virtual, game.layout(then), game.stacks(then))
        for coin in game.layout(state):  # what was placed came out of the tray
            if coin == "tray":
                arrange(table.virtual, {"tray": game.layout(then)["tray"]})
        self.saw(self.room.put(*self.who, table.virtual.scene.coins))

    def right(self) -> None:
        """Do what the step asks for."""
        step, table = self.view.pupil.step, self.room.table
        assert step
        if self.view.nexts:
            self.saw(self.room.next(*self.who))
        elif self.view.snapshot.table.flips:
            self.saw(self.room.toss(*self.who))
        elif step.kind == "mistake":
            MISTAKES[self.who[1]](self)
        else:
            self.act(next(act for act in legal(table.moment) if wants(step.act, act)))

    def other(self) -> Act | None:
        """Something lawful that the step does not ask for; None: there is nothing else."""
        step, moment = self.view.pupil.step, self.room.table.moment
        assert step
        if self.view.nexts or self.view.snapshot.table.flips:
            return None
        asked = (step.act, *step.also)
        acts = (act for act in legal(moment) if not any(wants(each, act) for each in asked))
        you = step.kind in ("act", "mistake")
        mine = (
            a for a in acts if moment.game.actor(moment.state, moment.game.read_action(a)) == self.view.pupil.lesson.you
        )
        return next(mine, None) if you else None


def a_nickel_too_high(learner: Learner) -> None:
    table = learner.room.table.virtual
    table.line_up(Coin.of(Denomination.NICKEL, Face.HEADS), "row.heads")
    learner.saw(learner.room.put(*learner.who, table.scene.coins))
    put_back(learner)


def done_too_early(learner: Learner) -> None:
    learner.saw(learner.room.command(*learner.who, "press", "heads.done"))
    assert learner.view.pupil.at.aside == "mistaken"


def a_penny_taken(learner: Learner) -> None:
    table = learner.room.table.virtual
    number = table.find("bank.2")
    assert number is not None
    table.remove(number)
    table.line_up(Coin.of(Denomination.PENNY, Face.HEADS), "bank.1")
    learner.saw(learner.room.put(*learner.who, table.scene.coins))
    put_back(learner)


def a_coin_that_does_not_match(learner: Learner) -> None:
    table = learner.room.table.virtual
    number = table.find("tray", Denomination.PENNY)
    assert number is not None
    table.move(number, *table.mat.zone("space.M1").area.center_mm)
    learner.saw(learner.room.put(*learner.who, table.scene.coins))
    put_back(learner)


def put_back(learner: Learner) -> None:
    assert learner.view.pupil.at.aside == "mistaken"
    before = learner.view.pupil.at.step
    learner.saw(learner.room.put_back(*learner.who))
    assert learner.view.pupil.at.step > before


MISTAKES: dict[str, Callable[[Learner], None]] = {
    "steal": a_nickel_too_high,
    "exact": done_too_early,
    "goes-around": a_penny_taken,
    "coin-age": a_coin_that_does_not_match,
}


def steps(learner: Learner) -> Iterator[int]:
    """One number for each thing the person does, until the lesson is over."""
    for number in range(MOST_STEPS):
        if learner.view.pupil.step is None:
            return
        yield number
    raise AssertionError(f"{learner.who}: the lesson does not end: {learner.view.pupil.at}")


def obey(learner: Learner) -> None:
    """Do what is asked, to the end of the lesson."""
    for _ in steps(learner):
        learner.right()
    assert learner.asides <= {None, "mistaken"}
    assert ("mistaken" in learner.asides) == any(step.mistake for step in lesson(learner.who[1]).steps)


@pytest.mark.parametrize("game", rules.NAMES)
def test_who_does_what_is_asked_comes_to_the_end(room: Classroom, game: str) -> None:
    obey(Learner(room, "obedient", game))


@pytest.mark.heavy  # a whole lesson, each change of the coins drawn and read
def test_a_lesson_is_read_from_pictures() -> None:
    obey(Learner(Classroom(SEED), "obedient", "steal"))


@pytest.mark.long
@pytest.mark.parametrize("game", [game for game in rules.NAMES if game != "steal"])
def test_every_lesson_is_read_from_pictures(game: str) -> None:
    obey(Learner(Classroom(SEED), "obedient", game))


@pytest.mark.parametrize("game", OTHERWISE)
def test_who_does_other_lawful_things_may_put_them_back(room: Classroom, game: str) -> None:
    learner = Learner(room, "curious", game)
    tried: set[int] = set()
    asides: list[str | None] = []
    put_back: list[bool] = []
    for _ in steps(learner):
        at = learner.view.pupil.at
        act = None if at.step in tried else learner.other()
        tried.add(at.step)
        if act is None:
            learner.right()
        else:
            learner.act(act)
            asides.append(learner.view.pupil.at.aside)
            back = room.put_back(*learner.who)
            learner.saw(back)
            put_back.append(back.pupil.at == at)
    assert asides, "somewhere another act was lawful"
    assert set(asides) == {"other"}
    assert all(put_back), "the lesson stands where it stood"


@pytest.mark.parametrize("game", OTHERWISE)
def test_who_does_other_lawful_things_may_go_on_from_there(room: Classroom, game: str) -> None:
    learner = Learner(room, "stubborn", game)
    went_on: list[bool] = []
    for _ in steps(learner):
        act = learner.other()
        if act is None:
            learner.right()
        else:
            before = learner.view.pupil.at.step
            learner.act(act)
            learner.saw(room.go_on(*learner.who))
            went_on.append(learner.view.pupil.at.step > before)
    assert went_on, "somewhere another act was lawful"
    assert all(went_on)


def test_a_lesson_that_was_left_is_taken_up_where_it_stood(room: Classroom) -> None:
    ann = Learner(room, "ann", "steal")
    for _ in range(3):
        ann.right()
    bob = Learner(room, "bob", "steal")
    bob.right()
    left = room.look(*ann.who)
    assert left.pupil.at == ann.view.pupil.at
    assert left.pupil.coins == ann.view.pupil.coins
    assert left.snapshot.game == ann.view.snapshot.game
    room.close()
    assert room.look(*bob.who).snapshot.game == bob.view.snapshot.game


def test_a_command_that_makes_no_sense_is_one_sentence_and_changes_nothing(room: Classroom) -> None:
    learner = Learner(room, "clumsy", "steal")
    with pytest.raises(CommandError):
        room.command(*learner.who, "press", "heads.sing")
    assert room.look(*learner.who).pupil.at == learner.view.pupil.at


@pytest.mark.parametrize("game", rules.NAMES)
def test_each_lesson_names_clauses_that_are_there_and_takes_three_minutes(game: str) -> None:
    taught = lesson(game)
    known = {clause.id for book in (game, "common") for clause in clauses(book)}
    assert taught.steps[0].begin is not None
    for step in taught.steps:
        assert set(step.mistake) <= known
        assert sum((step.act is not None, bool(step.mistake), step.reply is not None)) <= 1
    assert 60 <= sum(len(step.texts["en"].split()) for step in taught.steps) <= 450, "three minutes"


def test_the_bank_of_coin_age_is_full_before_the_first_toss(room: Classroom) -> None:
    Learner(room, "Ann", "coin-age")
    table = room.table.virtual
    lies = Counter(
        coin.denomination for coin in table.scene.coins if table.mat.zone_at(coin.x_mm, coin.y_mm) == "bank.heads"
    )
    assert lies == Counter({"dime": 4, "penny": 3, "nickel": 2, "quarter": 1})
