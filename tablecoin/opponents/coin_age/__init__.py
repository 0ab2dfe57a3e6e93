"""The computer at *Coin Age*."""
