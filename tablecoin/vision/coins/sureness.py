"""From which probabilities on the reader does what: the thresholds, and nothing else.

KIND_SURE and FACE_SURE were chosen on photos by photographers kept out of the training, where a wrong ruling costs as
much as thirty questions to the players: KIND_SURE by `python -m lab read sureness`, FACE_SURE on the same coins made as
small as a camera of 1280 pixels shows them (docs/model-card.md).
"""

from __future__ import annotations

KIND_SURE = 0.98  # probability of the likeliest denomination from which a coin's denomination is sure
FACE_SURE = 0.96  # probability of the likelier face from which a coin's face is sure
# Below this, of denomination or face, the network looks at further quarter turns of the coin. A little above both
# thresholds, so that a coin just past one of them is looked at again before it counts as sure.
CLEAR = 0.985
STRANGE = 0.95  # probability of NOT_A_COIN above which a circle is not looked at again
# Probability of being a coin, from which a circle is shown as one: without a mat, where any clutter may lie about, and
# on the mat, where nearly everything round is a coin.
LIKELY = 0.5
LEAST = 0.02
