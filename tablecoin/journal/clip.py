"""A clip: the last seconds before a ruling, as a file that every browser plays without a codec.

The first line is JSON: `{"stills": [{"at_s": -1.25, "bytes": 11873}, ...]}`, oldest first. Behind it stand the JPEGs,
one after the other, each with so many bytes. `at_s` counts from the picture that was ruled on.

The film holds JPEGs, so nothing is encoded a second time. A page can show each of them for as long as it likes,
forwards and backwards: that is slow motion and a scrubber. A video would be smaller, but it needs an encoder on the Pi,
and browsers do not agree on a format.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablecoin.vision.shown.film import Still

MOST_BYTES = 300_000


class _Place(msgspec.Struct, frozen=True):
    at_s: float
    bytes: int


class _Index(msgspec.Struct, frozen=True):
    stills: tuple[_Place, ...]


def clip_of(stills: Sequence[Still], ruled_s: float) -> bytes:
    """The clip of these stills, oldest first. `ruled_s`: when the picture that was ruled on was taken."""
    places = tuple(_Place(round(still.taken_s - ruled_s, 3), len(still.jpeg)) for still in stills)
    return b"\n".join((msgspec.json.encode(_Index(places)), b"".join(still.jpeg for still in stills)))
