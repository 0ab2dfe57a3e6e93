"""A backup made under a running table holds everything ruled before it, and comes back whole."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random

import pytest

from tablecoin.journal.backup import Backup, BackupError, Damaged, Restored, back_up, restore
from tablecoin.journal.evidence import Evidence
from tablecoin.journal.evidence_folder import EvidenceFolder
from tablecoin.journal.journal import Journal, JournalError
from tablecoin.referee.events import Acted, Event, Started
from tests.journal.crashing import Disk, Recorder

STARTED = Started(1, "steal", {"starter": "heads"}, {"heads": "person"})
PLACED = Acted(3, {"do": "place", "coin": "penny"}, "heads", "camera")
KEPT = Evidence(b"{}", None, b"a picture")
ANOTHER = Evidence(b"{}", None, b"another picture")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "journal.sqlite"


def test_a_backup_of_a_running_table_comes_back_whole(path: Path, tmp_path: Path) -> None:
    journal = Journal(path)
    journal.append([STARTED, PLACED])
    journal.append([PLACED], KEPT)
    assert back_up(path, tmp_path / "kept.backup") == Backup(games=1, events=3, pictures=1, clips=0)
    seq = journal.reserve("seq", 5000).stop
    journal.append([STARTED])
    journal.close()
    restored = restore(tmp_path / "kept.backup", path)
    assert restored.held == Backup(games=1, events=3, pictures=1, clips=0)
    assert restored.aside
    assert restored.aside.exists(), "the journal that stood there is kept"
    again = Journal(path)
    assert ([event for _, event in again.newest_game()], again.said) == ([STARTED, PLACED, PLACED], ())
    assert again.evidence(3) == (PLACED, KEPT)
    assert again.reserve("seq", 1).start >= seq, "the numbers of snapshots still grow"
    again.close()


def test_a_backup_comes_back_on_another_machine(path: Path, tmp_path: Path) -> None:
    journal = Journal(path)
    journal.append([STARTED, PLACED], KEPT)
    back_up(path, tmp_path / "kept.backup")
    journal.close()
    there = tmp_path / "another" / "journal.sqlite"
    held = Backup(games=1, events=2, pictures=1, clips=0)
    assert restore(tmp_path / "kept.backup", there) == Restored(held, aside=None, damaged=(), unchecked=0)
    again = Journal(there)
    assert again.evidence(2) == (PLACED, KEPT)
    again.close()


def test_clips_come_back_with_the_pictures_of_their_ruling(path: Path, tmp_path: Path) -> None:
    journal = Journal(path)
    journal.append([STARTED, PLACED], KEPT)
    EvidenceFolder(path.parent / "evidence").keep_clip(KEPT.digest, b"a clip")
    assert back_up(path, tmp_path / "kept.backup") == Backup(games=1, events=2, pictures=1, clips=1)
    journal.close()
    there = tmp_path / "another" / "journal.sqlite"
    assert restore(tmp_path / "kept.backup", there).unchecked == 0
    kept = EvidenceFolder(there.parent / "evidence").clip(KEPT.digest)
    assert kept
    assert (kept.clip, kept.checked) == (b"a clip", True)


# -- a damaged or foreign backup ---------------------------------------------------------------------------------------

OLDER = """
alter table clip rename to sealed;
create table clip (digest text primary key, body blob not null);
insert into clip select digest, body from sealed;
drop table sealed;
drop table contents;
"""  # makes a backup one that an older tablecoin wrote


@pytest.fixture
def whole(path: Path, tmp_path: Path) -> Path:
    """A backup of two rulings, each with pictures and a clip."""
    journal = Journal(path)
    journal.append([STARTED, PLACED], KEPT)
    journal.append([PLACED], ANOTHER)
    journal.reserve("seq", 1)
    for each in (KEPT, ANOTHER):
        journal.keep_clip(each.digest, b"a clip of " + each.after)
    back_up(path, tmp_path / "kept.backup")
    journal.close()
    return tmp_path / "kept.backup"


def change(backup: Path, script: str) -> Path:
    with closing(sqlite3.connect(backup)) as file:
        file.executescript(script)
    return backup


PICTURES, CLIP, UNKNOWN = Damaged("pictures", 2, 1), Damaged("clip", 2, 1), Damaged("clip", 0, 0)


@pytest.mark.parametrize(
    ("harm", "named"),
    [
        ("update picture set body = x'c1' where digest = '{0}'", PICTURES),
        ("update picture set body = (select body from picture where digest = '{1}') where digest = '{0}'", PICTURES),
        ("update clip set body = x'c1' where digest = '{0}'", CLIP),
        ("update clip set seal = x'00' where digest = '{0}'", CLIP),
        ("update clip set digest = '{0}0' where digest = '{0}'", UNKNOWN),
    ],
)
def test_a_damaged_piece_of_a_backup_is_named_and_left_out_and_all_else_comes_back(
    whole: Path, tmp_path: Path, harm: str, named: Damaged
) -> None:
    there = tmp_path / "another" / "journal.sqlite"
    restored = restore(change(whole, harm.format(KEPT.digest, ANOTHER.digest)), there)
    assert restored.damaged == (named,)
    folder = EvidenceFolder(there.parent / "evidence")
    assert (folder.find(KEPT.digest) is None) == (named.what == "pictures")
    assert (folder.clip(KEPT.digest) is None) == (named.what == "clip")
    assert folder.find(ANOTHER.digest) == ANOTHER
    assert folder.clip(ANOTHER.digest)
    assert found(there) == [STARTED, PLACED, PLACED]


@pytest.mark.parametrize(
    "harm",
    [
        "pragma user_version = 0",
        "delete from picture",
        "delete from clip",
        "alter table clip rename to clhp",
        "alter table contents rename to contentr",
        "update mark set value = value + 1",
        "insert into apart values (9, 1, '', '{}')",
        "insert into clip values ('../../outside', x'00', x'00')",
        "drop table apart; create view apart as select number, game, at, body from event",
        "drop table mark; create table mark (name text, value integer generated always as (7))",
        OLDER + "alter table clip rename to clhp",
    ],
)
def test_a_backup_that_lacks_something_or_makes_something_up_changes_nothing(
    whole: Path, path: Path, tmp_path: Path, harm: str
) -> None:
    before = {each: each.read_bytes() for each in path.parent.rglob("*") if each.is_file()}
    with pytest.raises(BackupError, match="nothing was changed"):
        restore(change(whole, harm), path)
    assert {each: each.read_bytes() for each in path.parent.rglob("*") if each.is_file()} == before
    assert not list(tmp_path.rglob("outside*"))


def test_a_view_in_a_foreign_file_is_not_read(whole: Path, path: Path) -> None:
    """This one would give rows until the memory is full."""
    endless = "with recursive n (i) as (select 1 union all select i + 1 from n) select i as number, 1 as game from n"
    change(whole, f"drop table event; create view EVENT as {endless}")
    with pytest.raises(BackupError, match="nothing was changed"):
        restore(whole, path)


def test_clips_of_an_older_backup_are_restored_and_never_taken_for_checked(whole: Path, tmp_path: Path) -> None:
    there, newer = tmp_path / "another" / "journal.sqlite", tmp_path / "newer.backup"
    restored = restore(change(whole, OLDER), there)
    assert (restored.held.clips, restored.unchecked, restored.damaged) == (2, 2, ())
    back_up(there, newer)
    again = restore(newer, tmp_path / "third" / "journal.sqlite")
    assert (again.held.clips, again.unchecked, again.damaged) == (2, 2, ())
    kept = EvidenceFolder(tmp_path / "third" / "evidence").clip(KEPT.digest)
    assert kept
    assert (kept.clip, kept.checked) == (b"a clip of a picture", False)


@pytest.mark.long
def test_a_backup_with_one_flipped_bit_is_refused_or_its_damage_named_or_all_comes_back(tmp_path: Path) -> None:
    """250 bits anywhere, and each of the header's that tell the version and the encoding."""
    random = Random(46)
    journal, kept = Journal(tmp_path / "data" / "journal.sqlite"), []
    for _ in range(3):
        journal.append([STARTED])
        for _ in range(4):
            kept.append(Evidence(b"{}", random.randbytes(2000), random.randbytes(2000)))
            journal.append([PLACED], kept[-1])
            journal.keep_clip(kept[-1].digest, random.randbytes(4000))
    back_up(journal.path, tmp_path / "whole")
    journal.close()

    def read(file: Path) -> set[object]:
        """Every event, picture and clip."""
        folder = EvidenceFolder(file.parent / "evidence")
        with closing(Journal(file)) as opened:
            events = {event for game in opened.last_events() for event in opened.whole_game(game)}
        return events | {
            found for each in kept for found in (folder.find(each.digest), folder.clip(each.digest)) if found
        }

    truth, data = read(journal.path), (tmp_path / "whole").read_bytes()
    header = [8 * byte + bit for byte in (*range(18, 24), *range(44, 48), *range(56, 64)) for bit in range(8)]
    met: Counter[str] = Counter()
    for bit in [random.randrange(8 * len(data)) for _ in range(250)] + header:
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        (tmp_path / "flipped").write_bytes(flipped)
        there = tmp_path / str(bit) / "journal.sqlite"
        try:
            damaged = restore(tmp_path / "flipped", there).damaged
        except BackupError:
            met["refused"] += 1
            continue
        restored = read(there)
        right = restored <= truth and len(truth) - len(restored) == len(damaged)
        met["named" if right and damaged else "identical" if right else f"bit {bit}"] += 1
        shutil.rmtree(there.parent)
    assert set(met) == {"refused", "named", "identical"}


def test_a_backup_ends_while_a_busy_table_writes(path: Path, tmp_path: Path) -> None:
    journal, stop = Journal(path), threading.Event()
    journal.append([STARTED])

    def play() -> None:
        while not stop.is_set():
            journal.append([PLACED])

    player = threading.Thread(target=play)
    player.start()
    try:
        made = back_up(path, tmp_path / "kept.backup")
    finally:
        stop.set()
        player.join(60)
    assert 1 <= made.events <= journal.count()
    journal.close()


def test_a_backup_replaces_no_file(path: Path, tmp_path: Path) -> None:
    Journal(path).close()
    (tmp_path / "letter").write_text("Dear Ann")
    with pytest.raises(BackupError, match="is there already: give the name of a new file"):
        back_up(path, tmp_path / "letter")
    assert (tmp_path / "letter").read_text() == "Dear Ann"


def test_a_backup_that_is_not_there_is_named(path: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match=r"nowhere\.backup") as raised:
        restore(tmp_path / "nowhere.backup", path)
    assert raised.value.message.key == "restore.no_file"


def test_without_a_journal_there_is_no_backup(path: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="there is no journal"):
        back_up(path, tmp_path / "kept.backup")


def test_into_a_folder_that_is_not_there_nothing_is_backed_up(path: Path, tmp_path: Path) -> None:
    Journal(path).close()
    with pytest.raises(BackupError, match="No such file or directory"):
        back_up(path, tmp_path / "nowhere" / "kept.backup")


def test_a_backup_that_does_not_fit_leaves_nothing_on_the_stick(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "stick" / "kept.backup"
    beside = [file.with_name(f"{file.name}.part{suffix}") for suffix in ("-journal", "-wal", "-shm")]

    def full(*_: object) -> tuple[int, int]:
        for each in beside:  # SQLite cannot always delete them on a full disk
            each.touch()
        raise sqlite3.OperationalError("database or disk is full")

    Journal(path).close()
    file.parent.mkdir()
    beside[0].write_bytes(b"left by a backup that was killed")
    monkeypatch.setattr("tablecoin.journal.backup._take_pictures", full)
    with pytest.raises(BackupError, match="disk is full"):
        back_up(path, file)
    assert list(file.parent.iterdir()) == []


def backed_up(path: Path) -> Path:
    """The backup of a journal of one event, beside it."""
    journal = Journal(path)
    journal.append([STARTED])
    journal.close()
    back_up(path, path.with_name("kept.backup"))
    return path.with_name("kept.backup")


def pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


@pytest.mark.parametrize("odd", ["journal.sqlite", "journal.sqlite-journal", "journal.jsonl", "kept.backup-journal"])
def test_a_restore_names_a_pipe_in_the_place_of_a_file(path: Path, odd: str) -> None:
    file = backed_up(path)
    pipe(path.with_name(odd))
    with pytest.raises(BackupError, match=f"{odd} cannot be used .it is a pipe, not a regular file"):
        restore(file, path)


@pytest.mark.parametrize("odd", ["journal.sqlite", "journal.sqlite-journal"])
def test_a_backup_names_a_pipe_in_the_place_of_a_file(path: Path, tmp_path: Path, odd: str) -> None:
    backed_up(path)
    pipe(path.with_name(odd))
    with pytest.raises(BackupError, match=f"{odd} cannot be used .it is a pipe, not a regular file"):
        back_up(path, tmp_path / "another.backup")


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_damaged_backup_changes_nothing(path: Path, tmp_path: Path, share: float) -> None:
    journal = Journal(path)
    journal.append([STARTED, PLACED])
    file = tmp_path / "kept.backup"
    back_up(path, file)
    journal.close()
    file.write_bytes(file.read_bytes()[: round(file.stat().st_size * share)])
    with pytest.raises(BackupError, match="nothing was changed"):
        restore(file, path)
    again = Journal(path)
    assert (again.count(), again.said) == (2, ())
    again.close()


# -- cut off in the middle ---------------------------------------------------------------------------------------------

OLD: list[Event] = [STARTED, PLACED, PLACED]  # what stands there; the backup is of another table
NEW: list[Event] = [STARTED, PLACED, PLACED, PLACED, STARTED, PLACED]


def behind(journal: Path) -> None:
    """The second copy lacks the last event, as after a power cut between the two writes."""
    copy = journal.with_suffix(".jsonl")
    copy.write_bytes(b"".join(copy.read_bytes().splitlines(keepends=True)[:-1]))


BEFORE: dict[str, Callable[[Path], None]] = {
    "sound": lambda journal: None,
    "second copy gone": lambda journal: journal.with_suffix(".jsonl").unlink(),
    "second copy behind": behind,
    "journal gone": lambda journal: journal.unlink(),
}


def laid_out(folder: Path, harm: Callable[[Path], None]) -> tuple[Path, Path]:
    """(a backup, a journal that another is to come in the place of)."""
    for name, events in (("other", NEW), ("data", OLD)):
        journal = Journal(folder / name / "journal.sqlite")
        for event in events:
            journal.append([event], Evidence(name.encode(), None, b"a picture") if event is PLACED else None)
        journal.close()
    back_up(folder / "other" / "journal.sqlite", folder / "kept.backup")
    harm(folder / "data" / "journal.sqlite")
    return folder / "kept.backup", folder / "data" / "journal.sqlite"


def found(journal: Path) -> list[Event]:
    """The events that the next start finds."""
    opened = Journal(journal)
    events = [event for game in opened.last_events() for _, event in opened.game(game)]
    opened.close()
    return events


class Cut:
    """Ends the program at its `at`th step on the disk; with `full`, later ones that need room fail too."""

    def __init__(self, at: int, full: bool) -> None:
        self._left, self._full = at, full

    def over(self, step: str, act: Callable[..., object]) -> Callable[..., object]:
        def cut(*given: object) -> object:
            self._left -= 1
            if self._full and self._left <= 0 and (self._left == 0 or step == "pwrite"):
                raise OSError(errno.ENOSPC, "No space left on device")
            if self._left == 0:
                raise KeyboardInterrupt
            return act(*given)

        return cut


@pytest.mark.parametrize("full", [True, False], ids=["full disk", "Ctrl-C"])
@pytest.mark.parametrize("before", BEFORE)
def test_a_restore_that_fails_at_any_step_leaves_the_journal_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, full: bool
) -> None:
    file, stood = laid_out(tmp_path, BEFORE[before])
    names = {each.name for each in stood.parent.iterdir()}
    failed = 0
    for at in count(1):
        journal = shutil.copytree(stood.parent, tmp_path / str(at)) / stood.name
        cut = Cut(at, full)
        with monkeypatch.context() as disk:
            for step in ("pwrite", "fsync"):
                disk.setattr(os, step, cut.over(step, getattr(os, step)))
            disk.setattr(Path, "replace", cut.over("rename", Path.replace))
            try:
                restore(file, journal)
            except (BackupError, KeyboardInterrupt):
                failed += 1
            else:
                break
        left = {each.name for each in journal.parent.iterdir()} - {"journal.jsonl"}
        assert left == names - {"journal.jsonl"}, f"step {at}"
        assert found(journal) == OLD, f"step {at}"
    assert found(journal) == NEW
    assert failed > 10


def test_a_journal_that_does_not_fit_leaves_the_one_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite reports a full disk here because the journal may not grow by a page."""
    file, journal = laid_out(tmp_path, BEFORE["sound"])
    monkeypatch.setattr("tablecoin.journal.database._TABLES", "pragma max_page_count = 1; create table a (b); select 1")
    with pytest.raises(BackupError, match="database or disk is full"):
        restore(file, journal)
    monkeypatch.undo()
    assert found(journal) == OLD


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)])
def test_after_a_power_cut_in_a_restore_the_next_start_finds_the_old_journal_or_the_backup(
    tmp_path: Path, before: str, every: int
) -> None:
    """After each `every`th step of the restore, and after its last one."""
    file, journal = laid_out(tmp_path, BEFORE[before])
    folder = journal.parent
    disk = Disk({str(each): each.read_bytes() for each in folder.rglob("*") if each.is_file()})
    recorder = Recorder(folder)
    with recorder.recording():
        restore(file, journal)
    last = len(recorder.steps) - 1
    seen: dict[str, list[Event]] = {}
    for point, step in enumerate(recorder.steps):
        disk.take(step)
        if point % every == 0 or point == last:
            scene = tmp_path / f"{point}"
            for path, data in disk.after_a_crash(Random(point)).items():
                place = scene / Path(path).relative_to(folder)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
            seen[f"step {point}: {step}"] = found(scene / "journal.sqlite")
    assert [step for step, events in seen.items() if events not in (OLD, NEW)] == []
    assert OLD in seen.values()
    assert list(seen.values())[-1] == NEW


def test_nothing_is_restored_under_a_running_table(path: Path, tmp_path: Path) -> None:
    journal = Journal(path)
    journal.append([STARTED])
    back_up(path, tmp_path / "kept.backup")
    with pytest.raises(JournalError, match="another tablecoin writes the journal"):
        restore(tmp_path / "kept.backup", path)
    journal.close()
