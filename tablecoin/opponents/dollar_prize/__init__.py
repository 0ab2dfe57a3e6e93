"""The computer at *Steal* and at *Exact*: a search over whole turns, and what the rows are worth."""
