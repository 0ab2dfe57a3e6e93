"""Threads find a Struct known: its annotations are worked out before they start, so two cannot meet at them."""

from __future__ import annotations

import subprocess
import sys

# Two threads that work out `Inner` at once end the program, so it runs in a process of its own.
PROGRAM = """
import threading
import msgspec
from tablecoin.storage import structs

asked = []

def noting():
    asked.append(threading.current_thread().name)
    return int

class Inner(msgspec.Struct):
    a: "noting()"

class Outer(msgspec.Struct):
    inner: Inner
    b: int = 0

structs.make_known()
results, together = [], threading.Barrier(4)

def convert():
    together.wait(60)
    results.append(msgspec.convert({"inner": {"a": 1}, "b": 2}, Outer))

threads = [threading.Thread(target=convert) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert results == [Outer(Inner(1), 2)] * 4
assert set(asked) == {"MainThread"}, asked
"""


def test_no_thread_works_out_the_fields_of_a_struct_that_was_made_known() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
