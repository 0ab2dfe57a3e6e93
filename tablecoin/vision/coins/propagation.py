"""Label propagation: the sure coins of a picture vote on its doubtful ones, which lie in the same light before the
same camera, and are often of the same year or as brown (Zhu and Ghahramani, Learning from Labeled and Unlabeled Data
with Label Propagation, 2002; one step of it).

Votes are counted anew in each picture.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE
from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.looks import KINDS, OURS, Array, Rows, heads_if, normalised
from tablecoin.vision.coins.neighbours import SHARE, unit, votes
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.sureness import FACE_SURE, KIND_SURE
from tablecoin.vision.frame import Image

POSSIBLE = 0.01  # probability of a denomination from which coins of it may vote
# Logits that the votes add at most. They make surer what a coin itself nearly tells, and decide nothing: smooth coins
# look alike whichever side lies up. The boldest wrong face of 3,233 coins had 2.6, and 3.9 are sure.
MOST_FOR_KIND, MOST_FOR_FACE = 2.4, 1.2


def looks_voted(candidates: Candidates, doubtful: Rows, image: Image, identifier: Identifier) -> Candidates:
    """With the votes of the sure coins in the looks of the `doubtful` ones."""
    described = _described(candidates, doubtful, image, identifier)
    told, seen = _votes(described, doubtful), candidates.looks[doubtful]
    heard = replace(seen, kinds=normalised(seen.kinds + told[:, :KINDS]), faces=seen.faces + told[:, KINDS:])
    return replace(described, looks=candidates.looks.put(doubtful, heard))


def faces_voted(candidates: Candidates, doubtful: Rows, image: Image, identifier: Identifier) -> Candidates:
    """With the votes of the sure coins in the probabilities of heads of the `doubtful` ones."""
    described = _described(candidates, doubtful, image, identifier)
    before = np.clip(candidates.heads_if[doubtful], 1e-9, 1 - 1e-9)
    up = candidates.heads_if.copy()
    up[doubtful] = heads_if(np.log(before / (1 - before)) + _votes(described, doubtful)[:, KINDS:])
    return replace(described, heads_if=up)


def _described(candidates: Candidates, doubtful: Rows, image: Image, identifier: Identifier) -> Candidates:
    """With the features of the `doubtful` ones and of those that vote on them; as they are where nobody votes."""
    voters = _voters(candidates, doubtful)
    asked = np.union1d(np.asarray(doubtful, np.int64), voters)
    rows = asked[np.isnan(candidates.features[asked, 0, 0])]
    if not len(voters) or not len(rows):
        return candidates
    features = candidates.features.copy()
    features[rows] = unit(identifier.features(image, [candidates.discs[k] for k in rows])).swapaxes(0, 1)
    return replace(candidates, features=features)


def _votes(described: Candidates, doubtful: Rows) -> Array:
    """(D, KINDS + OURS): what the sure ones add to the logits of the `doubtful` ones: of the kinds, then of heads for
    each kind that it may be.
    """
    voters = _voters(described, doubtful)
    kinds = described.kinds[voters][:, OURS].argmax(axis=1)
    up = np.where(described.heads_if[voters, kinds] > 0.5, 1.0, -1.0)
    heads = np.where(described.certainty[1][voters] >= FACE_SURE, up, 0.0)
    others = np.asarray(doubtful)[:, None] != voters  # nobody votes on itself
    like = np.where(others, _likeness(described, doubtful, voters), 0.0)
    told = SHARE * votes(like, kinds, heads).mean(axis=0)
    most = np.repeat([MOST_FOR_KIND, MOST_FOR_FACE], [KINDS, len(BY_VALUE)])
    return np.asarray(np.clip(told, -most, most))


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
    every = np.tensordot(mine, theirs, (2, 2))  # (D, TURNS, V, TURNS)
    return np.asarray(every.max(axis=-1).swapaxes(0, 1), float)
