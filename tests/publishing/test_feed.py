"""The events of a journal as messages: each the same whenever it is told, none with a secret, none lost in silence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablecoin.journal.backup import back_up, restore
from tablecoin.journal.journal import Journal
from tablecoin.mqtt import topics
from tablecoin.mqtt.messages import MOST_ASKED, Ask, Assignment, Ruling
from tablecoin.publishing.assignments import Assignments
from tablecoin.publishing.desk import Desk
from tablecoin.publishing.feed import FRESH_S, Feed
from tablecoin.publishing.identity import FILE, Kept
from tablecoin.referee.events import Acted, Corrected, Disputed, Ended, Rejected, Started, TakenBack
from tests.publishing.played import NAMES, play


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def journal(folder: Path) -> Iterator[Journal]:
    made = Journal(folder / "journal.sqlite")
    yield made
    made.close()


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def feed_of(journal: Journal, clock: Clock | None = None, table: str = "k7") -> Feed:
    folder = journal.path.parent
    return Feed(journal, table, Kept(folder), Assignments(folder, table), clock or Clock())


def sent(feed: Feed) -> list[tuple[str, Ruling]]:
    """Everything there is to send now."""
    feed.follow()
    return list(iter(feed.next, None))


def asked(feed: Feed, first: int, last: int, journal: str = "") -> list[Ruling]:
    feed.ask(Ask(table="k7", journal=journal or feed.name, first=first, last=last))
    return [ruling for _, ruling in sent(feed)]


def played(journal: Journal, seed: int = 0, game: str = "steal") -> int:
    """Play a game to its end; how many events the journal then holds."""
    for _ in play(journal, game, seed, goal=15):
        pass
    return journal.count()


def test_each_event_is_told_once_and_asked_for_again_it_is_the_same(journal: Journal) -> None:
    feed = feed_of(journal)
    held = played(journal, 1) and played(journal, 2)
    told = [ruling for kind, ruling in sent(feed)]
    assert [ruling.number for ruling in told] == list(range(1, held + 1))
    assert asked(feed, 1, held) == told
    assert sent(feed) == []


def test_what_was_there_before_the_start_is_sent_only_to_who_asks(journal: Journal) -> None:
    held = played(journal)
    feed = feed_of(journal)
    assert sent(feed) == []
    assert [ruling.number for ruling in asked(feed, 5, 9)] == [5, 6, 7, 8, 9]
    assert feed.newest == held


@pytest.mark.parametrize(
    ("what", "first", "last", "numbers"),
    [
        ("more than there are", 3, 10**9, "all from 3"),
        ("backwards", 9, 5, ""),
        ("not made yet", 10**9, 10**9 + 5, ""),
    ],
)
def test_impossible_questions_get_what_there_is(
    journal: Journal, what: str, first: int, last: int, numbers: str
) -> None:
    held = min(played(journal), MOST_ASKED)
    told = [ruling.number for ruling in asked(feed_of(journal), first, last)]
    assert told == (list(range(3, held + 1)) if numbers else [])


def test_a_question_about_another_journal_is_not_answered(journal: Journal) -> None:
    played(journal)
    assert asked(feed_of(journal), 1, 5, journal="of another table") == []


def test_what_is_late_is_no_news(journal: Journal) -> None:
    clock = Clock()
    feed = feed_of(journal, clock)
    game = play(journal)
    next(game)
    feed.follow()
    clock.now_s = FRESH_S + 1
    next(game)
    assert [kind for kind, _ in sent(feed)] == [topics.AGAIN, topics.EVENT]


def test_the_event_that_ends_a_game_has_its_result_and_an_undo_takes_it_away(journal: Journal) -> None:
    feed = feed_of(journal)
    *_, match = play(journal, goal=15)
    journal.append([Corrected(99, (1.0, 2.0), None, None)])
    journal.append([TakenBack(100, "phone")])
    *_, last, corrected, undone = (ruling for _, ruling in sent(feed))
    assert (last.kind, corrected.kind, undone.kind) == ("game_over", "correct", "undo")
    assert last.result == corrected.result
    assert undone.result is None
    result, outcome = last.result, match.game.outcome(match.state)
    assert result
    assert outcome
    assert result.winners == outcome.winners
    assert (result.first, result.last, result.how.names) == (1, last.number, NAMES)


def test_the_same_game_has_the_same_digest_in_a_copy_of_the_journal(journal: Journal, tmp_path: Path) -> None:
    held = played(journal)
    journal.checkpoint()
    folder = tmp_path / "copy"
    folder.mkdir()
    for name in ("journal.sqlite", "journal.jsonl"):
        (folder / name).write_bytes((journal.path.parent / name).read_bytes())
    copy = Journal(folder / "journal.sqlite")
    one, two = feed_of(journal), feed_of(copy)
    assert one.name != two.name
    digests = [result.digest for each in (one, two) if (result := asked(each, held, held)[0].result)]
    assert len(digests) == 2
    assert digests[0] == digests[1]
    copy.close()


def test_a_journal_keeps_its_name_over_restarts_and_another_gets_another(journal: Journal, folder: Path) -> None:
    played(journal)
    first = feed_of(journal).name
    assert feed_of(journal).name == first
    known = json.loads((folder / FILE).read_text())
    (folder / FILE).write_text(json.dumps(known | {"link": "of another file"}))
    assert feed_of(journal).name != first


def restored(journal: Journal, tmp_path: Path, lost: Callable[[], object]) -> Journal:
    """The journal after a backup was restored that was made before `lost`."""
    back_up(journal.path, tmp_path / "backup")
    lost()
    journal.close()
    restore(tmp_path / "backup", journal.path)
    return Journal(journal.path)


def test_a_journal_restored_from_a_backup_that_lacks_what_was_published_gets_another_name(
    journal: Journal, tmp_path: Path
) -> None:
    """Else a club would take the new events under old numbers for those it has."""
    played(journal)
    feed = feed_of(journal)
    again = restored(journal, tmp_path, lambda: (played(journal, 1), sent(feed)))
    assert feed_of(again).name != feed.name
    again.close()


def test_a_journal_restored_from_a_backup_that_has_all_that_was_published_keeps_its_name(
    journal: Journal, tmp_path: Path
) -> None:
    feed = feed_of(journal)
    played(journal)
    sent(feed)
    again = restored(journal, tmp_path, lambda: None)
    assert feed_of(again).name == feed.name
    again.close()


@pytest.mark.parametrize("content", [b"", b"\xff", b"[]", b'{"device": 5}'])
def test_an_identity_that_cannot_be_read_is_made_anew(folder: Path, content: bytes) -> None:
    folder.mkdir()
    (folder / FILE).write_bytes(content)
    assert Kept(folder).known.device


def test_what_todays_rules_refuse_is_told_to_be_unreadable(journal: Journal) -> None:
    feed = feed_of(journal)
    journal.append([Started(1, "no such game", {}, {})])
    journal.append([TakenBack(2, "phone")])
    held = played(journal)
    told = [ruling for _, ruling in sent(feed)]
    assert [ruling.kind for ruling in told[:3]] == ["unreadable", "unreadable", "start"]
    assert len(told) == held


def test_a_dispute_tells_which_ruling_it_is_about_and_how_it_ends(journal: Journal) -> None:
    feed = feed_of(journal)
    game = play(journal)
    next(game), next(game)
    journal.append([Disputed(3, 2, "opened", "tails")])
    journal.append([Disputed(3, 2, "stands", None)])
    *_, tossed, opened, stands = (ruling for _, ruling in sent(feed))
    assert (opened.kind, opened.seat, stands.kind) == ("dispute", "tails", "settled")
    for language in ("en", "zh"):
        assert tossed.said[language] in opened.said[language]
        assert tossed.said[language] in stands.said[language]
    assert asked(feed, 3, 4) == [opened, stands]


def test_a_game_that_people_end_is_over_too(journal: Journal) -> None:
    feed = feed_of(journal)
    game = play(journal)
    next(game), next(game)
    journal.append([Ended(3, "resigned", "heads", ("tails",))])
    _, last = sent(feed)[-1]
    assert last.kind == "game_over"
    assert last.result
    assert last.result.winners == ("tails",)


def test_a_refusal_names_its_clause_in_every_language(journal: Journal) -> None:
    feed = feed_of(journal)
    game = play(journal)
    next(game)
    next(game)
    journal.append([Rejected(2, "steal.place.limit", "A dime is too high.", "camera", {"do": "place", "coin": "dime"})])
    _, refused = sent(feed)[-1]
    assert (refused.kind, refused.clause) == ("refused", "steal.place.limit")
    assert set(refused.said) == {"en", "zh"}


def test_no_message_tells_a_sealed_choice_before_or_after_it_was_opened(journal: Journal) -> None:
    feed = feed_of(journal)
    names = {str(seat): f"P{seat}" for seat in range(1, 4)}
    for step, _ in enumerate(play(journal, "goes-around", 5, names, players=3)):
        if step > 60:
            break
    commits = [(line.number, line.event) for line in journal.lines_after(0, 100) if '"commit"' in line.body]
    told = {ruling.number: ruling for _, ruling in sent(feed)}
    said: dict[object, set[str]] = {}
    for number, event in commits:
        assert isinstance(event, Acted)
        assert event.action.keys() > {"do", "seat"}
        action = told[number].action
        assert action is not None
        assert action.keys() <= {"do", "seat"}
        said.setdefault(event.seat, set()).add(told[number].said["en"])
    assert len(commits) > 5
    assert all(len(sentences) == 1 for sentences in said.values()), "the sentence depends on the choice"


# -- assignments ------------------------------------------------------------------------------------------------------

CUP = Assignment(table="k7", id="a1", game="steal", names=NAMES)


def test_a_game_of_the_same_people_is_played_for_the_assignment(journal: Journal, folder: Path) -> None:
    desk = Assignments(folder, "k7")
    feed = Feed(journal, "k7", Kept(folder), desk)
    desk.take(CUP)
    assert desk.reply
    assert desk.reply.answer == "offered"
    played(journal)
    told = [ruling for _, ruling in sent(feed)]
    assert (desk.reply.answer, desk.reply.number, desk.open) == ("begun", 1, None)
    assert told[-1].result
    assert told[-1].result.assignment == "a1"
    desk.take(CUP)  # the broker tells it again at each connection
    assert desk.open is None
    again = feed_of(journal)  # after a restart
    assert asked(again, told[-1].number, told[-1].number) == [told[-1]]


@pytest.mark.parametrize(
    ("what", "assignment"),
    [
        ("others", Assignment(table="k7", id="a2", game="steal", names={"heads": "Cleo", "tails": "Ben"})),
        ("another game", Assignment(table="k7", id="a2", game="exact", names=NAMES)),
    ],
)
def test_another_game_is_played_for_itself(journal: Journal, folder: Path, what: str, assignment: Assignment) -> None:
    desk = Assignments(folder, "k7")
    feed = Feed(journal, "k7", Kept(folder), desk)
    desk.take(assignment)
    played(journal)
    told = [ruling for _, ruling in sent(feed)]
    assert told[-1].result
    assert told[-1].result.assignment == ""
    assert desk.open == assignment


@pytest.mark.parametrize(("game", "options"), [("chess", {}), ("steal", {"goal": -5})])
def test_what_cannot_be_played_here_is_refused_with_a_reason(folder: Path, game: str, options: dict[str, int]) -> None:
    desk = Assignments(folder, "k7")
    desk.take(Assignment(table="k7", id="a3", game=game, options=options, names=NAMES))
    assert desk.open is None
    assert desk.reply
    assert (desk.reply.answer, set(desk.reply.said)) == ("refused", {"en", "zh"})


@pytest.mark.parametrize("begin", [feed_of, lambda journal: Desk(journal.path.parent, journal)])
def test_a_game_that_was_lost_gives_its_assignment_to_no_other(
    journal: Journal, tmp_path: Path, folder: Path, begin: Callable[[Journal], object]
) -> None:
    """A backup was restored: another game gets the number of the match."""
    played(journal)

    def matched() -> None:
        assignments = Assignments(folder, "k7")
        feed = Feed(journal, "k7", Kept(folder), assignments)
        assignments.take(CUP)
        played(journal)
        sent(feed)
        assert assignments.games == {2: "a1"}

    again = restored(journal, tmp_path, matched)
    begin(again)
    assert Assignments(folder, "k7").games == {}
    again.close()


def test_an_assignment_is_declined_once_and_taken_back(folder: Path) -> None:
    desk = Assignments(folder, "k7")
    desk.take(CUP)
    assert desk.decline("a1")
    assert not desk.decline("a1")
    desk.take(CUP)
    assert desk.open is None
    desk.take(None)
    assert desk.reply is None
