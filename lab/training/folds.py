"""The folds of photographers: each is read by a network that saw none of its photographers."""

from __future__ import annotations

# Three folds instead of one per photographer, because each takes a training of three quarters of an hour.
FOLDS: tuple[tuple[str, ...], ...] = (
    ("ArthurGoshtasby", "cwang04"),
    ("KewenLin", "ethanyzhang", "driko-development"),
    ("mbolaris", "rajasb921", "YenDuyenLeMavs", "breakingit32", "euro"),
)
