"""The folds of photographers: each is read by a network that saw none of its photographers."""

from __future__ import annotations

# Three folds instead of one per photographer, because each takes a training. The same coins lie in cwang04 and tjhsst,
# and rajasb921 and lizajivnani are one school exercise: each pair is in one fold.
FOLDS: tuple[tuple[str, ...], ...] = (
    ("ArthurGoshtasby", "cwang04", "tjhsst", "malnatij26", "lforet"),
    (
        *("KewenLin", "ethanyzhang", "driko-development", "JazKarit"),
        *("PerspectiveProjection", "MathWorks", "harpenau"),
    ),
    (
        *("mbolaris", "rajasb921", "lizajivnani", "YenDuyenLeMavs", "breakingit32", "euro"),
        *("anthonysutardja", "ByronHernandez", "sdoty4", "gautada_web", "prince10md"),
    ),
)
# In no fold: stanleychen7 and FinleyZ_ucoin, coins in slabs and catalogue pictures of many collectors. Every network
# learns from them, and no figure counts them.
