"""The referee's inbox: looks from the eye and commands from people, in one queue."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from queue import Empty, Queue

from tablecoin.live.eye import Astray, Away
from tablecoin.live.forecast import Thought
from tablecoin.referee.commands import Command, CommandError, Seat
from tablecoin.rules.rulebook import Message
from tablecoin.vision.rest.settle import Look

Answer = tuple[bool, Message | None]  # (accepted, why not)

_ANSWER_TIMEOUT_S = 5.0  # a person waits this long for the referee; a ruling takes milliseconds


@dataclass(frozen=True)
class Asked:
    """A command, the seat it came from (None: somebody at the table), and where its answer goes."""

    command: Command
    seat: Seat | None
    reply: Future[Answer]


Item = Look | Asked | Astray | Away | Thought


class Inbox:
    """Filled from any thread; emptied by the referee's thread."""

    def __init__(self, filled: Callable[[], None] = lambda: None) -> None:
        """`filled` is called after each item, on the thread that left it."""
        self._items: Queue[Item] = Queue()
        self._filled = filled

    def next(self, timeout_s: float) -> Item | None:
        """The oldest item; None when none came within `timeout_s`."""
        try:
            return self._items.get(timeout=timeout_s)
        except Empty:
            return None

    def post(self, item: Item) -> None:
        """Leave an item and return at once."""
        self._items.put(item)
        self._filled()

    def send(self, command: Command) -> None:
        """Leave a command of somebody at the table and return at once; nobody waits for its answer."""
        self.post(Asked(command, None, Future()))

    def ask(self, command: Command, seat: Seat | None) -> Answer:
        """Leave a command and wait for its answer.

        Raises what the referee raises, and CommandError when it did not answer in time. A command given up before the
        referee began with it is never carried out.
        """
        asked = Asked(command, seat, Future())
        self.post(asked)
        try:
            return asked.reply.result(_ANSWER_TIMEOUT_S)
        except FutureTimeout:
            if asked.reply.cancel():
                raise CommandError(Message("command.no_answer")) from None
            if asked.reply.done():
                return asked.reply.result()
            raise CommandError(Message("command.working")) from None
