"""Struct types made known to msgspec before threads use them.

msgspec 0.22 works out the fields of a Struct when something is converted to it for the first time, and Python code runs
meanwhile. A second thread that converts to the same type just then reads fields that are not there yet, and the program
ends with a segmentation fault: two phones that opened the page at the same moment did that to a table just started.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec


def make_known() -> None:
    """Have msgspec work out every Struct that is loaded, some 0.1 ms each. Call it before threads are started.

    Modules that are loaded later are not covered.
    """
    for struct in set(_below(msgspec.Struct)):
        msgspec.json.Decoder(struct)


def _below(struct: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for one in struct.__subclasses__():
        yield one
        yield from _below(one)
