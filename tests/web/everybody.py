"""A gate that lets everybody do all, for tests of what stands behind it."""

from __future__ import annotations

from web.access.call import Call
from web.access.gate import Gate, Who
from web.access.house import House
from web.access.origin import own_names
from web.access.roles import Role
from web.access.sessions import Sessions


class OpenGate(Gate):
    """Everybody at every address is the owner, also on routes that a test made up."""

    def __init__(self) -> None:
        super().__init__(House(), Sessions(), own_names())

    def check(self, call: Call) -> None:
        """Nothing is asked of a call."""

    def who(self, call: Call) -> Who:
        return Who(Role.OWNER, None, None, call.here, chooses=True)
