"""The club's pages: hall, players and tournaments, on the same server and protections as those of a table."""
