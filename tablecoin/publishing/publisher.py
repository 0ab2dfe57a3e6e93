"""The publisher: one thread that tells the broker of the table, and hears what clubs and homes ask of it.

It only reads: the newest snapshot, the journal, the newest picture. The referee waits for nothing here; all it does is
to ring the bell that wakes this thread. What the broker does not take waits, and is left out where there is too much
of it: a club asks for events that it lacks, and of everything else only the newest counts.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from tablecoin import __version__
from tablecoin.journal.journal import Journal, JournalError
from tablecoin.mqtt import topics
from tablecoin.mqtt.connection import Connection, Received, Will
from tablecoin.mqtt.messages import Ask, Assignment, Fault, Health, Press, Ring, Summary, Unreadable, read, write
from tablecoin.mqtt.options import MqttOptions
from tablecoin.mqtt.unreadable import UnreadableLog
from tablecoin.publishing import home_assistant
from tablecoin.publishing.assignments import Assignments
from tablecoin.publishing.echo import Echo
from tablecoin.publishing.feed import Feed
from tablecoin.publishing.identity import Kept
from tablecoin.publishing.leaving import retained
from tablecoin.publishing.standing import Shown, Source, seated
from tablecoin.rules.rulebook import Message, texts

log = logging.getLogger(__name__)

_STEP_S = 0.1  # between two steps at least, however often the bell rings
_BUSY_S = 0.02  # the same while events wait to be sent
_KEPT_FREE = 5  # places for what is retained, however many events are sent
_IDLE_S = 1.0  # between two steps at most
_SUMMARY_S = 0.3  # between two summaries at least
_URL_S = 10.0  # between two looks at the table's own addresses
_HEARTBEAT_S = 60.0  # between two healths at most
_SAID_S = 60.0  # how long people are told of a foreign message
_MOST_WAITING = 100  # messages of one kind; older ones are dropped
_HEARD = (topics.ASKED, topics.ASSIGNED, topics.RING_SET, topics.SUMMARY)  # on the table's own topics
_BIRTH_S = (0.5, 3.0)  # after Home Assistant started: not every table at once


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Publisher:
    """`start`, then from any thread, `stop`. It serves one table."""

    def __init__(
        self,
        options: MqttOptions,
        folder: Path,
        journal: Journal,
        source: Source,
        url: Callable[[], str] = lambda: "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`folder`: of the data. `url`: where the table's page is. ValueError where no broker is named."""
        self._options, self._journal, self._source, self._find_url, self._clock = options, journal, source, url, clock
        self._url, self._url_due_s = "", 0.0
        self._kept = Kept(folder)
        self.table = options.table or self._kept.known.device
        self._assignments = Assignments(folder, self.table)
        self._connection = Connection(
            options,
            self._kept.known.client,
            on_up=self._came_up,
            on_message=self._heard,
            will=Will(self._topic(topics.UP), topics.OFFLINE.encode()),
        )
        self._feed: Feed | None = None  # None until the journal could be read
        self._stopping, self._awake = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)
        # A queue for each kind of topic, so that a flood on one drops nothing of another. The last takes all others.
        self._inbox: dict[str, deque[Received]] = {kind: deque(maxlen=_MOST_WAITING) for kind in (*_HEARD, "")}
        self._unreadable = UnreadableLog(log)
        self._presses: deque[str] = deque(maxlen=20)
        self._is_new = False  # the connection: everything is to be announced
        self._retained: dict[str, bytes] = {}  # what the broker has of us since it is connected, by topic
        self._sent_s: dict[str, float] = {}  # topic -> when that was sent
        self._picture = -1  # number of the newest picture that was sent...
        self._pictured = -1  # ...and of the snapshot then
        self._turn: tuple[object, str] = (None, "")  # whose turn it is, and since when
        self._summed_up: object = None  # what the newest summary tells
        self._told_home: tuple[object, bytes] = (None, b"")  # the newest announcement, and what it is made of
        self._announce_s: float | None = None  # when Home Assistant is told again
        self._foreign: tuple[Message, float] | None = None  # what is wrong on our topics, and when that was seen
        self._echo = Echo()
        self._former = ""  # the name under which the table published before, while something may be kept under it

    def __enter__(self) -> Publisher:
        self.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.stop()

    def start(self) -> None:
        """Connect, and tell whatever there is. Returns at once."""
        self._stop_listening = self._source.listen(self._awake.set)
        self._connection.start()
        self._thread.start()

    def stop(self) -> None:
        """Say that the table is gone, disconnect and end the thread."""
        self._stop_listening()
        self._stopping.set()
        self._awake.set()
        self._thread.join(timeout=3)
        self._connection.stop(Will(self._topic(topics.UP), topics.OFFLINE.encode()))

    def pressed(self, button: str) -> None:
        """A button of the panel was pressed. Returns at once."""
        self._presses.append(button)
        self._awake.set()

    @property
    def assigned(self) -> Assignment | None:
        """What a club would like to be played here."""
        return self._assignments.open

    def decline(self, name: str) -> bool:
        """Decline the assignment of that id; whether it was on offer."""
        declined = self._assignments.decline(name)
        self._awake.set()
        return declined

    @property
    def is_up(self) -> bool:
        """Whether the broker is connected."""
        return self._connection.is_up

    @property
    def trouble(self) -> Message | None:
        """What is wrong with broker or topics, for people; None when all is well."""
        foreign = self._foreign
        if trouble := self._connection.trouble:
            return trouble
        if self._echo.is_missing(self._clock()):
            return Message("mqtt.unheard", {"broker": str(self._options.address), "table": self.table})
        return foreign[0] if foreign and self._clock() - foreign[1] < _SAID_S else None

    # -- paho's thread ------------------------------------------------------------------------------------------------

    def _came_up(self) -> None:
        self._is_new = True
        self._awake.set()

    def _heard(self, received: Received) -> None:
        found = topics.taken_apart(received.topic)
        self._inbox[found.kind if found and found.kind in _HEARD else ""].append(received)
        self._awake.set()

    # -- our own thread -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._step()
            except JournalError as error:
                log.debug("the journal cannot be read now: %s", error)  # the page says what is wrong with it
            except Exception:  # a table that publishes no more must still be played at
                log.exception("the table could not be published")
                self._stopping.wait(_IDLE_S)
            busy = self._feed is not None and self._feed.is_busy and self._connection.is_up
            self._stopping.wait(_BUSY_S if busy else _STEP_S)
            self._awake.wait(0 if busy else _IDLE_S)
            self._awake.clear()

    def _step(self) -> None:
        """Raises JournalError."""
        if self._feed is None:
            self._feed = Feed(self._journal, self.table, self._kept, self._assignments, self._clock)
        feed = self._feed
        feed.follow()
        if self._is_new:
            self._is_new = False
            self._announce()
        for waiting in self._inbox.values():
            for _ in range(len(waiting)):  # what comes meanwhile waits for the next step
                self._take(waiting.popleft(), feed)
        if not self._connection.is_up:
            return
        while self._connection.room > _KEPT_FREE and (due := feed.next()):
            kind, ruling = due
            self._connection.publish(self._topic(kind), write(ruling))
        self._tell_presses(feed)
        shown = self._source.shown()
        self._look_up_url()
        self._tell_standing(feed, shown)
        self._tell_ends(feed)
        self._tell_health(feed, shown)
        self._tell_equipment(shown)
        self._tell_home()

    def _look_up_url(self) -> None:
        """The network may have come or changed."""
        if self._clock() >= self._url_due_s:
            self._url, self._url_due_s = self._find_url(), self._clock() + _URL_S

    def _announce(self) -> None:
        """A broker that was restarted has forgotten everything, so everything is told again."""
        self._retained.clear()
        self._sent_s.clear()
        self._echo.heard()
        self._picture = self._pictured = -1
        self._connection.subscribe(*(self._topic(kind) for kind in _HEARD), home_assistant.BIRTH)
        self._keep(self._topic(topics.UP), topics.ONLINE.encode())
        known = self._kept.known
        if known.broker == self._options.broker and known.table != self.table:
            # The broker's session still holds what the table heard under its former name. What the broker keeps there
            # is taken away once it is known to be ours: another table may be called so by now.
            for kind in _HEARD:
                self._connection.unsubscribe(topics.topic(known.table, kind))
            self._former = known.table
            self._connection.subscribe(topics.topic(known.table, topics.SUMMARY))
        self._kept.keep(replace(known, broker=self._options.broker, table=self.table))

    def _forget_former(self, told: Summary) -> None:
        """The broker keeps this summary under the table's former name."""
        if told.device == self._kept.known.device:
            for topic in retained(self._former):
                self._connection.publish(topic, b"", retain=True)
        self._connection.unsubscribe(topics.topic(self._former, topics.SUMMARY))
        self._former = ""

    def _tell_standing(self, feed: Feed, shown: Shown) -> None:
        narrator, match, topic = feed.narrator, feed.narrator.match, self._topic(topics.SUMMARY)
        runs = shown.clock.running if shown.clock else ()
        stands = (feed.name, feed.newest, narrator.assignment, self._url, shown.prompt, shown.said, shown.ruling, runs)
        if stands == self._summed_up and topic in self._retained:  # most steps: coins moved, and nothing came of it
            return
        turn = match.game.to_act(match.state) if match else ()
        if self._turn[0] != (narrator.number, turn):
            self._turn = (narrator.number, turn), _now()
        outcome = match.outcome if match else None
        summary = Summary(
            table=self.table,
            name=self._options.name or home_assistant.computer(),
            device=self._kept.known.device,
            journal=feed.name,
            newest=feed.newest,
            program=__version__,
            sent="",
            url=self._url,
            game=match.game.name if match else None,
            title=match.game.title if match else {},
            number=narrator.number,
            began=narrator.began if match else "",
            phase=match.game.phase(match.state) if match else "",
            prompt=shown.prompt,
            said=shown.said,
            seats=seated(match, shown.clock, datetime.now(UTC)) if match else (),
            turn=turn,
            since=self._turn[1],
            winners=outcome.winners if outcome else None,
            ruling=shown.ruling,
            assignment=narrator.assignment,
        )
        content = write(summary)
        self._keep(topic, content, _SUMMARY_S, write(replace(summary, sent=_now())))
        if self._retained.get(topic) == content:
            self._summed_up = stands
            self._echo.sent(self._clock())

    def _tell_ends(self, feed: Feed) -> None:
        if feed.narrator.result:
            self._keep(self._topic(topics.RESULT), write(feed.narrator.result))
        if reply := self._assignments.reply:
            self._keep(self._topic(topics.REPLY), write(reply))

    def _tell_health(self, feed: Feed, shown: Shown) -> None:
        topic = self._topic(topics.HEALTH)
        trouble = self.trouble
        own = (Fault(trouble.key, texts(trouble)),) if trouble else ()
        health = Health(table=self.table, sent="", faults=(*shown.faults, *own), camera=shown.camera, late=feed.late)
        if self._clock() - self._sent_s.get(topic, self._clock()) > _HEARTBEAT_S:
            self._retained.pop(topic, None)
        self._keep(topic, write(health), _SUMMARY_S, write(replace(health, sent=_now(), fps=shown.fps)))

    def _tell_presses(self, feed: Feed) -> None:
        match = feed.narrator.match
        secret = match is not None and match.game.sealed and match.outcome is None
        while self._presses:
            press = Press(table=self.table, event_type=self._presses.popleft().replace(".", "_"), at=_now())
            if not secret and self._connection.room:  # a home needs no press of before an outage
                self._connection.publish(self._topic(topics.BUTTON), write(press))

    def _tell_equipment(self, shown: Shown) -> None:
        if (light := self._source.light) is not None:
            self._keep(self._topic(topics.RING), write(Ring.of(light, dims=self._source.dims)))
        topic = self._topic(topics.PICTURE)
        if self._options.picture == "off":
            self._keep(topic, b"")
        elif (
            shown.seq != self._pictured
            and self._rested(topic, self._options.picture_s)
            and (picture := self._source.picture(self._picture))
        ):
            self._picture, self._pictured = picture[0], shown.seq
            self._keep(topic, picture[1])

    def _tell_home(self) -> None:
        topic = home_assistant.topic(self.table)
        if self._announce_s is not None and self._clock() >= self._announce_s:
            self._announce_s = None
            self._retained.pop(topic, None)
        if self._options.home_assistant == "off":
            self._keep(topic, b"")
            return
        modes = () if self._source.light is None else ("brightness",) if self._source.dims else ("onoff",)
        told = self._discovery(self._url, modes)
        self._keep(topic, told)

    def _discovery(self, url: str, light_modes: tuple[str, ...]) -> bytes:
        """The announcement, made once for each address."""
        if (url, light_modes) != self._told_home[0]:
            name = self._options.name or home_assistant.computer()
            has_picture = self._options.picture == "on"
            told = home_assistant.discovery(
                self.table, name=name, url=url, light_modes=light_modes, has_picture=has_picture
            )
            self._told_home = (url, light_modes), msgspec.json.encode(told)
        return self._told_home[1]

    def _keep(self, topic: str, content: bytes, least_s: float = 0.0, payload: bytes | None = None) -> None:
        """Publish `payload` (else `content`), retained, where `content` is new: at most once in `least_s`."""
        if self._retained.get(topic) == content or not self._rested(topic, least_s) or not self._connection.room:
            return
        self._connection.publish(topic, content if payload is None else payload, retain=True)
        self._retained[topic], self._sent_s[topic] = content, self._clock()

    def _rested(self, topic: str, least_s: float) -> bool:
        return self._clock() - self._sent_s.get(topic, -least_s - 1e9) >= least_s

    def _take(self, received: Received, feed: Feed) -> None:
        """Do what a message asks; a foreign one is said and left out."""
        if received.topic == home_assistant.BIRTH:
            if received.payload == b"online" and not received.retained:
                self._announce_s = self._clock() + random.uniform(*_BIRTH_S)
            return
        found = topics.taken_apart(received.topic)
        try:
            if found and found.table != self.table:
                if found.table == self._former and found.kind == topics.SUMMARY and received.payload:
                    self._forget_former(read(Summary, received.payload, self._former))
                return
            match found.kind if found else "":
                case topics.ASKED if not received.retained:
                    feed.ask(read(Ask, received.payload, self.table))
                case topics.ASSIGNED:
                    self._assignments.take(read(Assignment, received.payload, self.table) if received.payload else None)
                    if not received.payload and self._connection.room:
                        self._connection.publish(self._topic(topics.REPLY), b"", retain=True)
                case topics.RING_SET if not received.retained:
                    self._source.shine(read(Ring, received.payload, self.table).share)
                case topics.SUMMARY if not received.retained:
                    if read(Summary, received.payload, self.table).device == self._kept.known.device:
                        self._echo.heard()
                    else:
                        self._foreign = Message("mqtt.name", {"table": self.table}), self._clock()
        except Unreadable as error:
            self._foreign = error.message, self._clock()
            self._unreadable.add(error, found.kind if found else "")

    def _topic(self, kind: str) -> str:
        return topics.topic(self.table, kind)
