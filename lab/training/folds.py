"""How photographers are held out: each fold is read by a network that saw none of its photographers."""

from __future__ import annotations

# Three folds, not nine: nine trainings would take a day.
FOLDS: tuple[tuple[str, ...], ...] = (
    ("ArthurGoshtasby", "cwang04"),
    ("KewenLin", "ethanyzhang", "driko-development"),
    ("mbolaris", "rajasb921", "YenDuyenLeMavs", "breakingit32", "euro"),
)
