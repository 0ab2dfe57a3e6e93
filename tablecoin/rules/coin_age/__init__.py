"""*Coin Age*: its turn, its score and its maps."""
