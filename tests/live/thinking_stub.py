"""The thinking process with a value function made for tests: `python -m tests.live.thinking_stub FD`.

A seat's chance in Steal is its share of both rows' cents. A state with a quarter in it never gets an answer.
"""

from __future__ import annotations

import signal

from tablecoin.live import thinking
from tablecoin.opponents import value as values
from tablecoin.opponents.value import Estimate
from tablecoin.rules.dollar_prize.steal import StealState


def value(state: StealState, *, samples: int, seed: int, margin: bool = True) -> Estimate:
    """Half and half while nothing lies in the rows."""
    heads, tails = state.rows.heads, state.rows.tails
    if heads.cents + tails.cents >= 25:
        signal.pause()
    share = (heads.cents + 1) / (heads.cents + tails.cents + 2)
    return Estimate({"heads": share, "tails": 1 - share})


def main() -> None:
    values._HOMES["steal"] = __name__
    thinking.main()


if __name__ == "__main__":
    main()
