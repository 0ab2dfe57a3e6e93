"""Measures of the reader, on photos and on the virtual table."""
