"""The command: `tablecoin`, or `python -m tablecoin`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line. Ctrl-C while its libraries load, seconds on a Raspberry Pi, ends it in one word."""
    try:
        from tablecoin.cli import main as commands
    except KeyboardInterrupt:
        print("Aborted!", file=sys.stderr)  # as click says it later
        sys.exit(1)
    commands(prog_name="tablecoin")


if __name__ == "__main__":
    main()
