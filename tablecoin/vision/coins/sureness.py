"""From which probabilities on the reader does what: the thresholds, and nothing else.

KIND_SURE and FACE_SURE were chosen on games with the coins of photographers kept out of the training. Photos alone ask
for about 0.9 and 0.96 (`python -m lab read sureness`); with 0.97 a brown penny that shows no relief decided a toss: it
was tails with 0.971 (lab/log/2026-11-25-the-very-coin.md).
"""

from __future__ import annotations

KIND_SURE = 0.98  # probability of the likeliest denomination from which a coin's denomination is sure
FACE_SURE = 0.98  # probability of the likelier face from which a coin's face is sure
# The same in a photo of a map, of which there is no second picture: one face in 585 photos was wrong with 0.98.
KIND_SURE_AT_ONCE, FACE_SURE_AT_ONCE = 0.985, 0.99
# Below this, of denomination or face, the fine network looks at the coin, a quarter turn after the other. Well above
# both thresholds: of a shiny penny one turn said tails with 0.99, and the other three said heads.
CLEAR = 0.995
STRANGE = 0.95  # probability of NOT_A_COIN above which a circle is not looked at again
LIKELY = 0.5  # probability of being a coin from which a circle is one, without a mat, where any clutter may lie about
LEAST = 0.02  # the same from which a circle is worth the time of the closer networks
# The same from which something round on the mat is told of, as a coin or as a strange thing. Size rules a foreign coin
# out nearly as surely as print is (a drawn one has little), and people are to be told that it does not count.
TOLD = 0.0005
