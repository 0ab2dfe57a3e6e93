"""Where the mat lies, from frame to frame: by its markers, or a player's own card by its picture."""

from __future__ import annotations

from tablecoin import mat as mats
from tablecoin.vision.frame import Grey, Image
from tablecoin.vision.place import taught
from tablecoin.vision.place.drift import STEADY, Drift, follow
from tablecoin.vision.place.lens import Lens
from tablecoin.vision.place.plane import Plane


class MatTracker:
    """Follows the mat of one camera. `plane` and `drift` tell of the newest picture."""

    def __init__(self, mat: str) -> None:
        """`mat` is a mat's name, `auto` (any known one that is seen) or `none`. MatError: no such mat."""
        self._mats = None if mat == "auto" else [] if mat == "none" else [mats.load(mat)]
        cards = [taught.portrait(one) for one in self._mats or () if one.card]
        self._cards = taught.CardFollower(taught.own_portraits if self._mats is None else lambda: cards)
        self.plane: Plane | None = None  # where the mat lay when it was last seen well; None before that
        self.drift: Drift = STEADY  # how the newest picture's markers stand to the plane

    def forget(self) -> None:
        """The next picture is searched as if it were the first."""
        self.plane, self.drift = None, STEADY
        self._cards.forget()

    def locate(self, image: Image, grey: Grey, lens: Lens | None) -> Plane | None:
        """The plane in this picture, (H, W, 3) and (H, W); None while no mat was found yet."""
        last = self.plane
        if last is None or last.mat.card is None:
            if self._mats is None or any(mat.markers for mat in self._mats):
                self.plane, self.drift = follow(grey, self._mats, last, lens)
            if self.plane is not None and self.drift.state != "lost":
                return self.plane
        if card := self._cards.find(image, lens):
            self.plane, self.drift = card, Drift("lost") if self._cards.lost else STEADY
        return self.plane
