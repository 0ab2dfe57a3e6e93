"""Files of named arrays (.npz) that end with a digest, so that no damaged number is taken for a right one.

Behind the zip that numpy writes stand a mark and the SHA-256 of the zip. Programs that know no digest read the zip all
the same. A file without the mark, of an older version, is read too; its zip checks the arrays, but not their shapes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

_MARK = b"\nsha256:"
_DIGEST = hashlib.sha256().digest_size
_BEHIND = len(_MARK) + _DIGEST  # bytes behind the zip


class ArraysError(ValueError):
    """It is no file of arrays, or a damaged one."""


def packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The file's content."""
    file = BytesIO()
    # without allow_pickle: numpy 1 would keep that as one more array
    np.savez(file, **arrays)  # type: ignore[arg-type]
    content = file.getvalue()
    return content + _MARK + hashlib.sha256(content).digest()


def unpacked(data: bytes, most: int) -> dict[str, NDArray[Any]]:
    """What `packed` wrote. Raises ArraysError, also where the arrays take more than `most` bytes."""
    content, mark, digest = data[:-_BEHIND], data[-_BEHIND:-_DIGEST], data[-_DIGEST:]
    if mark != _MARK:
        content = data  # of a version that wrote no digest
    elif hashlib.sha256(content).digest() != digest:
        raise ArraysError("its digest is another one")
    try:
        with ZipFile(BytesIO(content)) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > most:
            raise ArraysError("it unpacks to more than such a file holds")
        with np.load(BytesIO(content), allow_pickle=False) as stored:
            return {name: np.asarray(stored[name]) for name in stored.files}
    except Exception as error:  # zipfile, zlib and numpy raise more than ten different errors for damaged bytes
        raise ArraysError(f"{type(error).__name__}: {error}") from None
