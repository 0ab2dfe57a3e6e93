"""Which coins lie there: discs found, refined, identified and judged together."""
