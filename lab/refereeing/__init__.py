"""Whole games played through pictures by people who make mistakes, every ruling held against the truth."""
