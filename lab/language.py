"""A new language, begun: beside every English sentence of the catalogues a copy of it, for a person to translate.

In TOML files the lines `en = "…"`, `zh = "…"` (or `why.en = "…"`) are followed by one for the new language; tables on
one line get one entry more. A file that has the language already stays as it is. The page's JSON catalogue is copied.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

CODE = re.compile(r"[a-z]{2}")  # ISO 639-1
_TEXT = r"""(?:"(?:[^"\\]|\\.)*"|'[^'\n]*')"""
_LINES = re.compile(rf"(?m)^(?P<before>(?:why\.)?)en = (?P<text>{_TEXT})[^\n]*\n(?:(?P=before)[a-z]{{2}} = [^\n]*\n)*")
_ENTRY = rf'(?P<quote>"?)en(?P=quote)(?P<is> = |: )(?P<text>{_TEXT})'
_TABLE = re.compile(rf'{_ENTRY}(?:, "?[a-z]{{2}}"?(?: = |: ){_TEXT})*(?P<end> ?\}})')


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
    yield from sorted(root.glob("*/words.toml"))
    for path in sorted((root / "tablecoin" / "rules").rglob("*.py")):
        if "title" in path.read_text("utf-8"):
            yield path


def _drafted(text: str, code: str) -> str:
    """`text` with the new language after the English of each sentence."""
    if re.search(rf'(?m)^(?:why\.)?{code} = |[{{ ]"?{code}"?(?: = |: )"', text):
        return text
    text = _LINES.sub(lambda m: f"{m[0]}{m['before']}{code} = {m['text']}\n", text)
    return _TABLE.sub(_with_entry(code), text)


def _with_entry(code: str) -> Callable[[re.Match[str]], str]:
    """What puts one entry more at the end of a table that was found."""

    def longer(table: re.Match[str]) -> str:
        entry = f"{table['quote']}{code}{table['quote']}{table['is']}{table['text']}"
        return f"{table[0].removesuffix(table['end'])}, {entry}{table['end']}"

    return longer


def _pages(folder: Path, code: str, name: str) -> dict[Path, str]:
    """The page's catalogue, a copy of the English one. Each page's button leads to the next language, and round."""
    pages = {path: json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")}
    last = next(path for path, words in pages.items() if words["language"] == "English")
    draft = pages[folder / "en.json"] | {key: pages[last][key] for key in ("language", "language.label")}
    before = pages[last] | {"language": name, "language.label": f"{name} – show the page in {name}"}
    return {folder / f"{code}.json": _json(draft), last: _json(before)}


def _json(words: dict[str, str]) -> str:
    return json.dumps(words, ensure_ascii=False, indent=2) + "\n"
