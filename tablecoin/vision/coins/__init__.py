"""Which coins lie there: circles are proposed, identified and resolved (`reader.py` shows the three stages)."""
