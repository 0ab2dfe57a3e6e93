"""Where the mat lies: the map between pixels and millimetres, the lens, taught cards, drift."""
