"""Made-up content: what is right, damaged as disks, editors and strangers damage it. The same seed gives the same."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable, Sequence
from typing import Any

MOST_BYTES = 60_000  # of a made-up case: longer ones are refused by their length alone
_TOKENS = (
    b"[", b"]", b"{", b"}", b'"', b"'", b'"""', b"\\", b"\\u0000", b"\\ud800", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf",
    b"\n", b"\r", b"=", b".", b",", b":", b"#", b"null", b"true", b"NaN", b"inf", b"-1", b"0", b"1e999",
    b"9" * 400, b"9" * 5000, b"9223372036854775808", b"2026-11-22", b"../../etc/passwd", b"~nobody", b"a." * 300,
    b"[" * 300, b'{"a":' * 300, "硬币".encode(), "\u202e".encode(), b"%s%n", b"-" * 200,
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2**31, 2**63, 10**30, 1e308, -1e-308, 0.5, "", "a", "a" * 3000, "\0", "\ud7ff", "硬币", [],
    {}, [[]], {"a": 1}, [None] * 200, [[[[[[[[[[]]]]]]]]]], "penny", "penny:heads", "heads", {"penny": 10**9},
    {"penny": -1},
)  # fmt: skip

Change = Callable[[bytes, Sequence[bytes], random.Random], bytes]


def made_up(seeds: Sequence[bytes], chance: random.Random) -> bytes:
    """One of `seeds` after one to four changes."""
    content = chance.choice(seeds)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        content = chance.choice(_CHANGES)(content, seeds, chance)[:MOST_BYTES]
    return content


def _flip(content: bytes, seeds: Sequence[bytes], chance: random.Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(chance.randint(1, 8) if damaged else 0):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def _cut(content: bytes, seeds: Sequence[bytes], chance: random.Random) -> bytes:
    return content[: chance.randint(0, len(content))]


def _leave_out(content: bytes, seeds: Sequence[bytes], chance: random.Random) -> bytes:
    begin, end = _span(content, chance)
    return content[:begin] + content[end:]


def _repeat(content: bytes, seeds: Sequence[bytes], chance: random.Random) -> bytes:
    begin, end = _span(content, chance)
    return content[:begin] + content[begin:end] * chance.choice((2, 3, 50)) + content[end:]


def _insert(content: bytes, seeds: Sequence[bytes], chance: random.Random) -> bytes:
    at = chance.randint(0, len(content))
    return content[:at] + chance.choice(_TOKENS) + content[at:]


def _splice(content: bytes, seeds: Sequence[bytes], chance: random.Random) -> bytes:
    other = chance.choice(seeds)
    return content[: chance.randint(0, len(content))] + other[chance.randint(0, len(other)) :]


def _change_a_value(content: bytes, seeds: Sequence[bytes], chance: random.Random) -> bytes:
    """Another value, key or length somewhere in a line of JSON; the same where no line is JSON."""
    lines = content.split(b"\n")
    at = chance.randrange(len(lines))
    try:
        value = json.loads(lines[at])
    except (ValueError, RecursionError):
        return content
    lines[at] = json.dumps(_changed(value, chance)).encode()
    return b"\n".join(lines)


def _changed(value: Any, chance: random.Random) -> Any:
    inner = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    if not inner or chance.random() < 0.2:
        return chance.choice(_VALUES)
    key = chance.choice(inner)
    copy = dict(value) if isinstance(value, dict) else list(value)
    what = chance.random()
    if what < 0.1:
        del copy[key]
    elif what < 0.2 and isinstance(copy, dict):
        copy[chance.choice(("", "x", "do", "game", "a" * 300))] = copy.pop(key)
    else:
        copy[key] = _changed(copy[key], chance)
    return copy


def _claim_a_size(content: bytes, seeds: Sequence[bytes], chance: random.Random) -> bytes:
    """A PNG whose header claims another size, with the right checksum; other content as it is."""
    if not content.startswith(b"\x89PNG") or len(content) < 33:
        return content
    sides = (chance.choice((0, 1, 15, 16, 300, 8000, 10_900, 60_000, 2**31 - 1)) for _ in range(2))
    header = b"IHDR" + b"".join(side.to_bytes(4, "big") for side in sides) + content[24:29]
    return content[:12] + header + zlib.crc32(header).to_bytes(4, "big") + content[33:]


def _span(content: bytes, chance: random.Random) -> tuple[int, int]:
    begin = chance.randint(0, len(content))
    return begin, min(len(content), begin + chance.choice((1, 4, 30, 400)))


_CHANGES: tuple[Change, ...] = (
    _flip, _cut, _leave_out, _repeat, _insert, _insert, _splice, _change_a_value, _change_a_value, _claim_a_size,
)  # fmt: skip
