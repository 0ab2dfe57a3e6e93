"""A mat written as SVG, PNG or PDF, as the file's name says: what `tablecoin mat` does."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image as Picture

from tablecoin.mat import MatError, load
from tablecoin.mat.pdf import pdf
from tablecoin.mat.raster import raster
from tablecoin.mat.svg import svg
from tablecoin.mat.tiles import sheets
from tablecoin.storage import given

_PNG_PX_PER_MM = 8.0  # 203 dots an inch


def save(name: str, map_name: str | None, paper: str, output: Path) -> str:
    """Write the mat and return one sentence for people: its size, and what to do with the paper.

    `map_name` is for the Coin Age mat only. Raises MatError for a name, map or kind of file that is not known,
    and for a map taught from a card, which is not printed.
    """
    if map_name is not None and name != "coin-age":
        raise MatError(f"The mat {name} has no map: leave --map out, or ask for the mat coin-age.")
    mat = load(f"{name}:{map_name}" if map_name else name)
    if mat.card:
        raise MatError(f"Nothing is printed for the map {map_name}: it was taught from a card, so lay the card itself.")
    size = f"{mat.width_mm:g} × {mat.height_mm:g} mm"
    match output.suffix.lower():
        case ".svg":
            given.Target(output).write(svg(mat).encode())
        case ".png":
            picture = Picture.fromarray(raster(mat, _PNG_PX_PER_MM)[..., ::-1])
            file = BytesIO()
            picture.save(file, "PNG", dpi=(25.4 * _PNG_PX_PER_MM,) * 2)
            given.Target(output).write(file.getvalue())
        case ".pdf":
            given.Target(output).write(pdf(mat, paper))
            plan = sheets(mat, paper)
            count = plan.columns * plan.rows
            where = (
                f"one sheet of {paper.capitalize()}"
                if count == 1
                else f"{count} sheets of {paper.capitalize()}, to be taped"
            )
            return f"{output}: {size} on {where}. Print at 100 % (no fitting to the page) and measure the 100 mm ruler."
        case other:
            raise MatError(f"A mat cannot be written as {other or 'a file without an ending'}: use .pdf, .svg or .png.")
    return f"{output}: {size}."
