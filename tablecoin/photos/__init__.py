"""One photo: its coins read, its Coin Age map scored, the score drawn."""
