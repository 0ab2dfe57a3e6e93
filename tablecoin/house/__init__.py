"""The house: the rooms at work, on two threads.

The eye thread reads frames, settles them and posts looks. The referee thread takes looks and commands from one queue,
one after the other, and publishes snapshots. Everybody else (pages, lamps) reads the newest snapshot, or asks by
command.
"""

from tablecoin.house.house import House

__all__ = ["House"]
