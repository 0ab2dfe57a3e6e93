"""The command: `tablecoin`, or `python -m tablecoin`."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

_OURS = Path(__file__).resolve().parent.parent
_BESIDE = ("web", "calibration")  # packages of ours whose names somebody else's file may have too


def main() -> None:
    """Run the command line. Ctrl-C while its libraries load, seconds on a Raspberry Pi, ends it in one word."""
    if shadow := shadowing():
        said = f"{shadow} hides a part of tablecoin that has the same name. Start tablecoin in another folder."
        print(f"tablecoin: {said}", file=sys.stderr)
        sys.exit(2)
    try:
        from tablecoin.cli import main as commands
    except KeyboardInterrupt:
        print("Aborted!", file=sys.stderr)  # as click says it later
        sys.exit(1)
    commands(prog_name="tablecoin")


def shadowing() -> Path | None:
    """Somebody else's file or folder that would be imported in place of a package of ours. Nothing is imported yet."""
    for name in _BESIDE:
        spec = find_spec(name)
        if spec is None:
            continue  # the import says that it is missing
        found = [spec.origin] if spec.origin else list(spec.submodule_search_locations or ())
        if any(Path(each).resolve() != _OURS / name / "__init__.py" for each in found):
            return Path(found[0])
    return None


if __name__ == "__main__":
    main()
