"""A hook of mkdocs.yml: pages that lie outside docs/ join the site, and links to code lead to the repository.

Pages link as files of the repository do. Here each link is resolved to the file it means, and written again as the
site needs it. A link to a file that does not exist is left as it is, so that the strict build refuses it.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

import reference
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
OUTSIDE = (*ROOT.glob("*.md"), ROOT / "systemd" / "INSTALL.md", *ROOT.glob("lab/*.md"), *ROOT.glob("lab/log/*.md"))
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """The pages outside docs/, each under its path in the repository, and the references of API and messages."""
    for path in OUTSIDE:
        files.append(File.generated(config, str(path.relative_to(ROOT)), abs_src_path=str(path)))
    document = json.loads((ROOT / "docs" / "openapi.json").read_text("utf-8"))
    files.append(File.generated(config, "api-reference.md", content=reference.page(document)))
    messages = json.loads((ROOT / "docs" / "mqtt.schema.json").read_text("utf-8"))
    files.append(File.generated(config, "mqtt-reference.md", content=reference.messages(messages)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """The page with its links as the site needs them."""
    here = page.file.src_uri
    source = page.file.abs_src_path
    in_repository = Path(source).relative_to(ROOT).as_posix() if source else f"docs/{here}"

    def again(link: re.Match[str]) -> str:
        opening, target, anchor = link[1], link[2], link[3] or ""
        if re.match(r"[a-z]+:", target):
            return link[0]
        meant = normpath(join(dirname(in_repository), target))
        if (ROOT / meant).is_dir() and (ROOT / meant / "README.md").exists():
            meant = f"{meant}/README.md"
        in_site = meant.removeprefix("docs/")
        if files.get_file_from_path(in_site):
            return f"{opening}{relpath(in_site, dirname(here) or os.curdir)}{anchor})"
        if (ROOT / meant).exists():
            return f"{opening}{config.repo_url.rstrip('/')}/blob/main/{meant}{anchor})"
        return link[0]

    return LINK.sub(again, markdown)
