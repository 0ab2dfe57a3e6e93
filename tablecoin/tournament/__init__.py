"""Tournaments as pure functions: who plays whom at which table, and who stands where. No clock, chance or I/O."""
