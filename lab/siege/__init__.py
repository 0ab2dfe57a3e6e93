"""The server under attack: what the screen at the table notices of it."""
