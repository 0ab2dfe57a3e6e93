"""Check the texts of the project: `python -m tests.texts`; only some kinds: `python -m tests.texts pages imports`."""

from __future__ import annotations

import sys

from tests.texts import KINDS, checks


def main(kinds: list[str]) -> int:
    """Print how many things each check looked at, then each problem; 1 if there is any, 2 for an unknown kind."""
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        print(f"There is no kind of check {unknown[0]}. Choose from {', '.join(KINDS)}.", file=sys.stderr)
        return 2
    problems = []
    for check in checks(kinds or KINDS):
        looked_at, found = check.run()
        problems += found
        print(f"{looked_at:6} {check.title}")
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{len(problems)} problems")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
