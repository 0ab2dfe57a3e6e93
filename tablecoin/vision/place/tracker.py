"""Where the mat lies, from frame to frame: by its markers, or a player's own card by its picture."""

from __future__ import annotations

from tablecoin import mat as mats
from tablecoin.vision.frame import Grey, Image
from tablecoin.vision.place import taught
from tablecoin.vision.place.drift import STEADY, Drift, follow
from tablecoin.vision.place.fit import is_mirrored
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

    @property
    def seeks(self) -> bool:
        """Whether any mat is looked for."""
        return self._mats != []

    def forget(self) -> None:
        """The next picture is searched as if it were the first."""
        self.plane, self.drift = None, STEADY
        self._cards.forget()

    def locate(self, image: Image, grey: Grey, lens: Lens | None) -> Plane | None:
        """The plane in this picture, (H, W, 3) and (H, W); None while no mat was found yet."""
        last = self.plane
        if last is not None and last.mat.card is not None:
            self._on_card(image, grey, lens)
            return self.plane
        self.plane, self.drift = self._printed(grey, last, lens)
        if self.plane is not None and not self.drift.is_lost:
            return self.plane
        card = self._cards.find(image, lens)
        if card and not self._cards.lost:
            self.plane, self.drift = card, STEADY
        return self.plane

    def mirrors(self, grey: Grey) -> bool:
        """Whether the picture, (H, W), shows a mat that is looked for as in a mirror."""
        return self._cards.mirrored or is_mirrored(grey, self._mats)

    def _on_card(self, image: Image, grey: Grey, lens: Lens | None) -> None:
        """Follow the card; where it is not seen any more, a printed mat may lie in its place."""
        self.plane = self._cards.find(image, lens)
        self.drift = Drift("mirrored" if self._cards.mirrored else "unseen") if self._cards.lost else STEADY
        if self._cards.lost:
            printed, _ = self._printed(grey, None, lens)
            if printed is not None:
                self.forget()
                self.plane = printed

    def _printed(self, grey: Grey, last: Plane | None, lens: Lens | None) -> tuple[Plane | None, Drift]:
        """The plane of a mat with markers, and how it differs from `last`."""
        if self._mats is not None and not any(mat.markers for mat in self._mats):
            return last, self.drift
        return follow(grey, self._mats, last, lens)
