"""Whole games played through pictures by simulated people who make mistakes; every ruling is checked."""
