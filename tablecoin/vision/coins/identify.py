"""Stage two: what each circle is, by its looks and its size together.

On the mat most circles were there in the last picture and keep their answers. The others get a first look; what is
not clear then gets fine looks, one after the other, and what may be a stack is searched for the upper coin's rim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tablecoin.mat import ZoneKind
from tablecoin.vision.coins import colour, company, find, propagation, relief, scale, stacks
from tablecoin.vision.coins.candidates import COVERED, Candidates, diameters_mm
from tablecoin.vision.coins.closer import looked_closer
from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.coins.looks import OURS, Array, Rows, heads_if, normalised
from tablecoin.vision.coins.network import FINE_TURNS, TURNS, Identifier
from tablecoin.vision.coins.sureness import CLEAR, FACE_SURE_AT_ONCE, KIND_SURE, LEAST, LIKELY, STRANGE
from tablecoin.vision.coins.unmoved import PICTURES, LastReading
from tablecoin.vision.frame import Disc, Image
from tablecoin.vision.place.plane import Plane

HOPELESS = -4.0  # log-probability of being a coin, below which a circle of a photo gets no second look
# In so many pictures a coin is looked at, however clear it was in the first. A brown penny was tails with 0.992 in the
# noise of one picture, and heads with 0.97 in that of the next; another one was heads with 0.997 at its first look, and
# tails with 0.95 for all networks in all quarter turns.
AGREEING = 2
# The quarters of 2010 to 2021 have a ring of three quarters of their radius round their middle, with the words outside
# it; to the networks what is in it looks more like a coin than the whole does. Without a mat no size tells it.
RING = (0.7, 0.85)  # radius of a ring, in radii of the coin
CENTRED = 0.06  # in the same radii: a ring's middle is not farther from the coin's
WHOLE = 0.3  # probability of being a coin, at first look, from which a circle is the coin and no ring in it is one
# Prior log-odds that another coin lies on a coin: usual on a Coin Age space, a rare mistake anywhere else.
ON_A_SPACE, ELSEWHERE = -0.5, -3.0


def on_mat(
    proposed: Candidates,
    picture: Halvings,
    plane: Plane,
    last: LastReading,
    identifier: Identifier,
    is_photo: bool = False,
) -> Candidates:
    """What `proposed` are. Those that lie as they lay in `last` keep their answers; the others are looked at.

    `is_photo`: there is time, and no second picture.
    """
    recalled = _without_relief(last.recalled(proposed, picture))
    rows = np.flatnonzero(recalled.pictures < PICTURES)
    if not len(rows):
        return recalled
    measured = replace(recalled, diameters_mm=diameters_mm(plane, recalled.circles))
    looked = _look(measured, rows, picture.image, identifier)
    look_again = _look_thoroughly if is_photo else _look_again
    turned = look_again(looked, _unclear(looked, rows, picture), picture.image, identifier)
    told = _kinds_voted(turned, rows, picture.image, identifier)
    fresh = stacks.tops(told[rows], picture.image, lambda discs: _priors_of_a_stack(plane, discs), identifier)
    answered = told.put(rows, fresh)
    if is_photo:
        answered = _faces_in_photo(answered, rows, picture.image, identifier)
    pictures = np.minimum(PICTURES, fresh.pictures + 1)
    plain = (fresh.strange > STRANGE) | (answered[rows].sure & (pictures >= AGREEING))
    return answered.put(rows, replace(answered[rows], pictures=np.where(plain, PICTURES, pictures)))


def anywhere(proposed: Candidates, image: Image, identifier: Identifier) -> tuple[Candidates, float | None]:
    """What `proposed` are where nothing gives the scale, and the scale that their sizes agree on, in mm a pixel.

    The scale is None without any coin.
    """
    looked = looked_at(proposed, image, identifier)
    size_px = image.shape[1], image.shape[0]
    sized = scale.of_unknown(looked.discs, looked.looks.kinds, size_px)
    looked = replace(looked, looks=company.heard(looked.looks, sized.kinds[:, OURS].sum(axis=1)))
    sized = scale.of_unknown(looked.discs, looked.looks.kinds, size_px)
    alone = replace(looked, kinds=sized.kinds, heads_if=heads_if(looked.looks.faces))
    voted = propagation.looks_voted(alone, np.flatnonzero(~alone.sure), image, identifier)
    sized = scale.of_unknown(voted.discs, voted.looks.kinds, size_px)
    return replace(voted, kinds=sized.kinds, heads_if=heads_if(voted.looks.faces)), sized.mm_per_px


def looked_at(proposed: Candidates, image: Image, identifier: Identifier) -> Candidates:
    """Those of `proposed` that may be coins and do not cover each other, by thorough looks.

    A disc of another colour than a coin has in this light, or on which nothing shows, is less likely that coin. Sizes
    have no say yet.
    """
    first = _without_rings(_by_looks(replace(proposed, looks=identifier(image, proposed.circles))))
    hopeful = first[np.flatnonzero(np.logaddexp.reduce(first.looks.kinds[:, OURS], axis=1) > HOPELESS)]
    kept = hopeful[hopeful.strongest(LEAST)]
    if len(kept):
        kept = _by_looks(replace(kept, looks=identifier.thoroughly(image, kept.circles, kept.looks)))
    kinds = kept.looks.kinds.copy()
    kinds[:, OURS] -= colour.doubts(image, kept.circles, kept.kinds[:, OURS])
    kinds[:, OURS] -= relief.doubts(Halvings(image), kept.circles)[:, None]
    return _by_looks(replace(kept, looks=replace(kept.looks, kinds=normalised(kinds))))


def _without_rings(looked: Candidates) -> Candidates:
    """Without the circles that are rings in what may well be a coin."""
    x, y, r = np.reshape([(disc.x_px, disc.y_px, disc.r_px) for disc in looked.circles], (-1, 3)).T
    centred = np.hypot(x[:, None] - x, y[:, None] - y) <= CENTRED * r[:, None]  # of a coin, in rows, and a ring
    share = r / r[:, None]
    rings = centred & (share >= RING[0]) & (share <= RING[1]) & (looked.ours >= WHOLE)[:, None]
    return looked[np.flatnonzero(~rings.any(axis=0))]


def _by_looks(candidates: Candidates) -> Candidates:
    """With the probabilities that their looks alone give."""
    kinds = np.exp(candidates.looks.kinds)
    return replace(candidates, kinds=kinds, heads_if=heads_if(candidates.looks.faces))


def _without_relief(recalled: Candidates) -> Candidates:
    """Without the new circles that lie in a coin recalled: they are rings and portraits of its relief."""
    known = recalled.pictures >= PICTURES
    coins = [recalled.circles[k] for k in np.flatnonzero(known & (recalled.ours > LIKELY))]
    stays = [
        is_known or all(find.hidden_share(circle, coin) <= COVERED for coin in coins)
        for circle, is_known in zip(recalled.circles, known, strict=True)
    ]
    return recalled[np.flatnonzero(stays)]


def _look(candidates: Candidates, rows: Rows, image: Image, identifier: Identifier) -> Candidates:
    """With one look at each of `rows`, joined with what the last pictures showed of it.

    In each picture that is in another quarter turn: what a face without relief seems to show is another thing there.
    """
    fresh = candidates[rows]
    looks = fresh.looks
    for pictures in set(fresh.pictures.tolist()):
        some = np.flatnonzero(fresh.pictures == pictures)
        now = identifier(image, [fresh.circles[k] for k in some], pictures % TURNS)
        looks = looks.put(some, now if not pictures else looks[some].joined(now))
    unknown = np.full_like(fresh.features, np.nan)
    return _sized(candidates, rows, replace(fresh, looks=looks, discs=fresh.circles, features=unknown))


def _unclear(candidates: Candidates, rows: Rows, picture: Halvings) -> NDArray[np.int64]:
    """Those of `rows` that may be coins and are worth further looks.

    A first look is not clear where the coin shows no relief, however sure of a face it is: of drawn pennies that show
    nothing at all it was tails with 0.997. The fine network has learned that there is nothing to tell a face by.
    """
    may_be = np.asarray(rows)[candidates[rows].strongest(LEAST)]
    clear = _clear(candidates[may_be])
    coins = clear & (candidates.ours[may_be] > LIKELY)
    clear[coins] = relief.shown(picture, [candidates.discs[k] for k in may_be[coins]]) >= relief.NONE
    return may_be[~clear]


def _look_again(candidates: Candidates, unclear: Rows, image: Image, identifier: Identifier) -> Candidates:
    """With fine looks at the `unclear` ones until they are clear, one at least; no two pictures begin alike."""
    for number in range(FINE_TURNS):
        left = np.asarray(unclear)
        if number:
            left = left[~_clear(candidates[left])]
        for pictures in set(candidates.pictures[left].tolist()):
            some = left[candidates.pictures[left] == pictures]
            turn = (number - pictures) % TURNS
            seen = candidates[some]
            looks = identifier.again(image, seen.circles, seen.looks, range(turn, turn + 1))
            candidates = _sized(candidates, some, replace(seen, looks=looks))
    return candidates


def _look_thoroughly(candidates: Candidates, unclear: Rows, image: Image, identifier: Identifier) -> Candidates:
    """With thorough looks at the `unclear` ones."""
    some = candidates[unclear]
    looks = identifier.thoroughly(image, some.circles, some.looks)
    return _sized(candidates, unclear, replace(some, looks=looks)) if len(unclear) else candidates


def _kinds_voted(candidates: Candidates, rows: Rows, image: Image, identifier: Identifier) -> Candidates:
    """With the votes of the sure coins on the kinds of those of `rows` that may be coins and are not sure.

    Looks stay as the networks gave them, for the next picture.
    """
    doubtful = np.asarray(rows)[candidates[rows].strongest(LEAST)]
    doubtful = doubtful[candidates.certainty[0][doubtful] < KIND_SURE]
    if not len(doubtful):
        return candidates
    voted = propagation.looks_voted(candidates, doubtful, image, identifier)
    sized = _sized(voted, doubtful, voted[doubtful])
    return replace(sized, looks=candidates.looks, heads_if=candidates.heads_if)


def _faces_in_photo(candidates: Candidates, rows: Rows, image: Image, identifier: Identifier) -> Candidates:
    """With closer looks at the doubtful faces among `rows`, and then the votes of the sure coins on them.

    On a table nobody votes on faces: pennies worn smooth look alike, and were made sure of the wrong side of a toss.
    There is another picture, and a question (lab/log/2026-11-25-neighbours.md).
    """
    closer = candidates.put(rows, looked_closer(candidates[rows], image, identifier))
    seen = closer[rows]
    doubtful = np.asarray(rows)[(seen.ours >= LIKELY) & (seen.certainty[1] < FACE_SURE_AT_ONCE)]
    return propagation.faces_voted(closer, doubtful, image, identifier) if len(doubtful) else closer


def _sized(candidates: Candidates, rows: Rows, looked: Candidates) -> Candidates:
    """With `looked` in place of `rows`, their probabilities from their looks and the sizes of all candidates."""
    heard = candidates.put(rows, looked)
    kinds = scale.of_measured(heard.diameters_mm, heard.looks.kinds)[rows]
    return heard.put(rows, replace(looked, kinds=kinds, heads_if=heads_if(looked.looks.faces)))


def _clear(candidates: Candidates) -> NDArray[np.bool_]:
    """(N,) whether no further look is worth its time: surely a coin and a face, or surely no coin."""
    kind, face = candidates.certainty
    return np.asarray((candidates.strange > STRANGE) | ((kind > CLEAR) & (face > CLEAR)))


def _priors_of_a_stack(plane: Plane, discs: Sequence[Disc]) -> Array:
    """(N,) the prior log-odds that another coin lies on the one at each disc, by the zone it lies in."""
    places = plane.to_mm([(disc.x_px, disc.y_px) for disc in discs])
    on_space = [plane.mat.kind_at(x, y) is ZoneKind.SPACE for x, y in places]
    return np.where(on_space, ON_A_SPACE, ELSEWHERE)
