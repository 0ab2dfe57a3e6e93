"""Whatever stands in the place of a file of the data folder: the program starts or says why not, and nothing waits."""

from __future__ import annotations

import pytest

from tests.saved.odd_data import files, kinds, tried

SAID_WHEN_ASKED = ("analyses", "evidence", "maps")  # a page says so where it would show them
CASES = [
    pytest.param(which, file, kind, id=f"{which}/{file}-{kind}")
    for which in ("data", "club")
    for file in files(which)
    for kind in kinds(file)
    if not (kind == "a folder" and file in SAID_WHEN_ASKED)  # these are folders
]


@pytest.mark.long
@pytest.mark.parametrize(("which", "file", "kind"), CASES)
def test_what_is_no_regular_file_is_said_and_keeps_nobody_waiting(which: str, file: str, kind: str) -> None:
    found = tried(which, file, kind)
    assert found.status in (0, 2), f"{found} hung"
    assert found.broken == ()
    assert "Traceback" not in found.said
    assert found.said or file.startswith(SAID_WHEN_ASKED), found
