"""Dollar Prize: the turn both games share, *Steal* and *Exact*."""
