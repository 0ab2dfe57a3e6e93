"""What teaches a game: in one minute with pictures (`primer.py`), and as a first game that is played (`lesson.py`)."""
