"""A new language, begun: beside every English sentence of the catalogues a copy of it, for a person to translate.

In TOML files a line `en = "…"` (or `why.en = "…"`) is followed by the same line for the new language, unless it is
there already; tables on one line get one entry more. The page's JSON catalogue is copied whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

CODE = re.compile(r"[a-z]{2}")  # ISO 639-1
_TEXT = r'"(?:[^"\\]|\\.)*"'
_LINE = re.compile(rf"(?m)^(?P<before>(?:why\.)?)en = (?P<text>{_TEXT})(?P<rest>[^\n]*\n)")
_TABLE = re.compile(rf'(?P<quote>"?)en(?P=quote)(?P<is> = |: )(?P<text>{_TEXT})(?P<others>[^{{}}\n]*)\}}')


def begin(root: Path, code: str, name: str) -> list[Path]:
    """Write the drafts of the language `code`, which calls itself `name`, below `root`; the files that changed."""
    drafts = {path: _drafted(path.read_text("utf-8"), code) for path in _catalogues(root)}
    words = root / "tablecoin" / "rules" / "rulebook" / "words.toml"
    drafts[words] = drafts[words].replace(f'{code} = "English"', f'{code} = "{name}"')
    page = root / "web" / "static" / "i18n"
    if not (page / f"{code}.json").exists():
        drafts |= _pages(page, code, name)
    changed = [path for path, text in drafts.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in changed:
        path.write_text(drafts[path], "utf-8")
    return changed


def _catalogues(root: Path) -> Iterator[Path]:
    """Every file with sentences beside each other, and the modules with the games' titles."""
    yield from sorted((root / "tablecoin" / "rules" / "rulebook").glob("*.toml"))
    yield root / "web" / "words.toml"
    yield from sorted(path for path in (root / "tablecoin" / "rules").rglob("*.py") if "title" in path.read_text("utf-8"))


def _drafted(text: str, code: str) -> str:
    """`text` with the new language after the English of each sentence."""
    if re.search(rf'(?m)^(?:why\.)?{code} = |[{{ ]"?{code}"?(?: = |: )"', text):
        return text
    text = _LINE.sub(lambda m: f"{m[0]}{m['before']}{code} = {m['text']}\n", text)
    return _TABLE.sub(lambda m: f"{m[0][:-1].rstrip()}, {m['quote']}{code}{m['quote']}{m['is']}{m['text']}}}", text)


def _pages(folder: Path, code: str, name: str) -> dict[Path, str]:
    """The page's catalogue, a copy of the English one; the button of the last language leads to it, its own to English."""
    first = json.loads((folder / "en.json").read_text("utf-8"))
    last_path = next(path for path in folder.glob("*.json") if json.loads(path.read_text("utf-8"))["language"] == "English")
    last = json.loads(last_path.read_text("utf-8"))
    draft = first | {key: last[key] for key in ("language", "language.label")}
    last |= {"language": name, "language.label": f"{name} – show the page in {name}"}
    return {folder / f"{code}.json": _json(draft), last_path: _json(last)}


def _json(words: dict[str, str]) -> str:
    return json.dumps(words, ensure_ascii=False, indent=2) + "\n"
