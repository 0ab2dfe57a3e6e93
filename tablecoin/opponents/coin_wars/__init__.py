"""The computer at *Coin Wars*."""
