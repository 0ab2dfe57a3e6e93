"""Measures of the club: tournaments by pairing alone, and many tables through a broker."""
