"""`tablecoin serve`: settings of the pages in tablecoin.toml reach the web app."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import web.app
from tablecoin.cli import main
from tablecoin.live.table import LiveTable
from web.server import CannotServe

CONFIG = """
[camera]
source = "virtual"
[table]
language = "zh"
[web]
hosts = ["Coins.example"]
"""


def test_language_and_hosts_are_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[LiveTable, Any]] = []

    def create(live: LiveTable, **chosen: Any) -> Any:
        made.append((live, create_app(live, **chosen)))
        return made[0][1]

    def full_house(*_: object) -> None:
        raise CannotServe("not now")

    create_app = web.app.create_app
    monkeypatch.setattr("web.app.create_app", create)
    monkeypatch.setattr("web.server.Server", full_house)
    (tmp_path / "tablecoin.toml").write_text(CONFIG)
    words = ["serve", "--config", str(tmp_path / "tablecoin.toml"), "--data", str(tmp_path)]
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stderr) == (2, "tablecoin: not now\n")
    ((live, app),) = made
    page = app.test_client().get("/rules", headers={"Host": "coins.example:8000"})
    assert (page.status_code, 'data-language="zh"' in page.text) == (200, True)
    assert app.test_client().get("/rules", headers={"Host": "dimes.example"}).status_code == 403
    live.stop()
