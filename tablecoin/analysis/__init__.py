"""Why a game was won: what was luck, what was skill, and where the game turned.

`analysis.analyse` gives the numbers, `report.report` says them in words. Both are pure: they use no clock and no files.

A chance is a seat's expected share of the win if everybody plays well from there on, from the game's one value function
(`tablecoin.opponents.value`). Every change of the chances is told apart (David Zare, "A Measure of Luck"):

- *luck* is what a toss gave: the chance after it less the mean over everything the coins could have shown;
- what a seat *lost* is what its own decisions cost: the best action's chance less the chosen one's;
- the *others* are the decisions of the other seats;
- the *rest* is where an estimated value contradicts itself: the chance before a toss is not the mean over its outcomes,
  or the chance before a decision not that after the best action. Exact values have no rest.

So for every seat: result − start = luck − lost + others + rest. The sum closes to rounding because each state has one
value, which ends one step and begins the next.
"""
