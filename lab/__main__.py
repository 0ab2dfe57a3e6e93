"""`python -m lab`."""

from lab.front import main

main(prog_name="python -m lab")
