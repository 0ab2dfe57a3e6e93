"""Label propagation: the sure coins of a picture vote on its doubtful ones, which lie in the same light before the
same camera, and are often of the same year or as brown (Zhu and Ghahramani, Learning from Labeled and Unlabeled Data
with Label Propagation, 2002; one step of it).

Looks stay as the networks gave them: in the next picture the votes are counted anew.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.looks import KINDS, OURS, Array, Rows, heads_if
from tablecoin.vision.coins.neighbours import SHARE, unit, votes
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.sureness import FACE_SURE, KIND_SURE
from tablecoin.vision.frame import Image

POSSIBLE = 0.01  # probability of a denomination from which coins of it may vote


def votes_on(candidates: Candidates, doubtful: Rows) -> Array:
    """(D, KINDS + OURS): what the sure ones add to the logits of the `doubtful` ones: of the kinds, then of heads for
    each kind that it may be. All of them are described.
    """
    voters = _voters(candidates, doubtful)
    kinds = candidates.kinds[voters][:, OURS].argmax(axis=1)
    up = np.where(candidates.heads_if[voters, kinds] > 0.5, 1.0, -1.0)
    heads = np.where(candidates.certainty[1][voters] >= FACE_SURE, up, 0.0)
    others = np.asarray(doubtful)[:, None] != voters  # nobody votes on itself
    like = np.where(others, _likeness(candidates, doubtful, voters), 0.0)
    return np.asarray(SHARE * votes(like, kinds, heads).mean(axis=0))


def faces_voted(candidates: Candidates, doubtful: Rows, image: Image, identifier: Identifier) -> Candidates:
    """With the votes of the sure coins on the faces of the `doubtful` ones."""
    described = with_features(candidates, doubtful, image, identifier)
    before = np.clip(candidates.heads_if[doubtful], 1e-9, 1 - 1e-9)
    up = described.heads_if.copy()
    up[doubtful] = heads_if(np.log(before / (1 - before)) + votes_on(described, doubtful)[:, KINDS:])
    return replace(described, heads_if=up)


def with_features(candidates: Candidates, doubtful: Rows, image: Image, identifier: Identifier) -> Candidates:
    """Described: with the features of the `doubtful` ones and of those that vote on them."""
    asked = np.union1d(np.asarray(doubtful, np.int64), _voters(candidates, doubtful))
    rows = asked[np.isnan(candidates.features[asked, 0, 0])]
    if not len(rows):
        return candidates
    features = candidates.features.copy()
    features[rows] = unit(identifier.features(image, [candidates.discs[k] for k in rows])).swapaxes(0, 1)
    return replace(candidates, features=features)


def _voters(candidates: Candidates, doubtful: Rows) -> NDArray[np.int64]:
    """The coins whose denomination is sure, and which some of `doubtful` may be."""
    kind, _ = candidates.certainty
    kinds = candidates.kinds[:, OURS].argmax(axis=1)
    possible = np.flatnonzero((candidates.kinds[doubtful][:, OURS] >= POSSIBLE).any(axis=0))
    return np.flatnonzero((kind >= KIND_SURE) & np.isin(kinds, possible))


def _likeness(candidates: Candidates, doubtful: Rows, voters: Rows) -> Array:
    """(TURNS, D, V): cosine similarity of each of `doubtful`, in each quarter turn, with each of `voters` in the one
    that fits best.
    """
    mine, theirs = candidates.features[doubtful], candidates.features[voters]
    return np.asarray(np.einsum("dtf,vuf->tdvu", mine, theirs).max(axis=-1), float)
