"""tablecoin: a camera over a table of real coins, a referee for five coin games, a page for everybody's phone."""

__version__ = "0.1.0"
