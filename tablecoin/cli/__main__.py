"""`python -m tablecoin.cli`: the same as `tablecoin`."""

from tablecoin.cli import main

main()
