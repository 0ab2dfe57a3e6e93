"""Mutation strength of the tests: small faults are planted in the code, and the tests must find them."""
