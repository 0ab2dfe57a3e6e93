"""Threads may convert to a Struct that was made known; without that, two at once end the program."""

from __future__ import annotations

import subprocess
import sys

# The annotation of `Inner` takes its time, so that the threads meet while `Outer` is worked out.
MEETING = """
import sys, threading, time
import msgspec
from tablecoin.storage import structs

def slow():
    time.sleep(0.2)
    return int

class Inner(msgspec.Struct):
    a: "slow()"

class Outer(msgspec.Struct):
    inner: Inner
    b: int = 0

structs.make_known()
results = []

def convert():
    results.append(msgspec.convert({"inner": {"a": 1}, "b": 2}, Outer))

threads = [threading.Thread(target=convert) for _ in range(4)]
for thread in threads:
    thread.start()
    time.sleep(0.02)
for thread in threads:
    thread.join()
assert results == [Outer(Inner(1), 2)] * 4
"""


def test_threads_that_meet_at_a_struct_do_not_end_the_program() -> None:
    met = subprocess.run([sys.executable, "-c", MEETING], capture_output=True, text=True)
    assert met.returncode == 0, met.stderr
