"""What the pages say is true: links and headings, pictures, files, commands and options, calls, JSON, versions."""

from __future__ import annotations

import json
import re
import runpy
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import click
import pytest
from packaging.requirements import Requirement

import tablecoin
from tablecoin import rules
from tablecoin.cli import main
from tablecoin.cli.setting_up import teach
from tablecoin.live.bell import Bell
from tablecoin.photos.counting import Score
from tablecoin.photos.look import Look, LookedCoin
from tablecoin.rules.game import InputError
from tests.test_floors import LEVEL
from web.app import create_app

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "systemd/*.md", "lab/*.md", "lab/log/*.md", ".github/**/*.md")
    for path in ROOT.glob(pattern)
)
LOG = [path for path in PAGES if "log" in path.parts]  # tells of other days: its links are checked, its commands not
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
each_page_of_today = pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page not in LOG and page.name != "CHANGELOG.md"],
    ids=lambda page: str(page.relative_to(ROOT)),
)


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def code_of(text: str) -> str:
    """Everything a page shows as code: spans, fenced blocks and indented lines."""
    spans = re.findall(r"`([^`\n]+)`", text) + re.findall(r"(?m)^    (\S.*)$", text)
    return "\n".join(spans + re.findall(r"(?ms)^```.*?\n(.*?)^```", text))


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    without_code = re.sub(r"(?ms)^```.*?^```", "", page.read_text("utf-8"))
    headings = re.findall(r"(?m)^#+ (.+)$", without_code)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings)


def fenced(page: str, kind: str) -> str:
    """The text of all fenced blocks of that kind."""
    return "".join(re.findall(rf"(?ms)^```{kind}\n(.*?)^```", text_of(page)))


# -- links, files, commands -------------------------------------------------------------------------------------------


@each_page
def test_every_link_and_picture_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https://)([^)#\s]*)(?:#([^)\s]*))?\)", page.read_text("utf-8"))
    for target, anchor in links:
        file = page.parent / target if target else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file.resolve()), f"{target}#{anchor}: no such heading"


@each_page_of_today
def test_every_file_named_is_there(page: Path) -> None:
    text = re.sub(r"(?ms)^```.*?^```", "", page.read_text("utf-8"))
    named = re.findall(r"`((?:tablecoin|calibration|web|lab|tests|docs|systemd)/[\w./-]+)`", text)
    assert [name for name in named if not (ROOT / name).exists()] == []


@each_page_of_today
def test_every_command_named_is_one_and_has_the_options_named(page: Path) -> None:
    lines = code_of(page.read_text("utf-8"))
    for name, rest in re.findall(r"(?m)^(?:\$ )?(?:\S*/bin/)?tablecoin ([a-z]+)\b(.*)$", lines):
        assert name in main.commands, name
        unknown = set(re.findall(r"(?<=[\s\[])--[a-z-]+", rest.partition("|")[0])) - options(main.commands[name])
        assert unknown == set(), f"tablecoin {name}{rest}"
    for module in re.findall(r"python -m ([\w.]+)", lines):
        path = ROOT / module.replace(".", "/")
        ours = path.with_suffix(".py").exists() or (path / "__main__.py").exists()
        assert ours or module in ("pytest", "pip", "build", "venv"), module


def options(command: click.Command) -> set[str]:
    """The long options of a command and of those inside it."""
    inside = list(command.commands.values()) if isinstance(command, click.Group) else []
    own = [command, *inside, teach] if command.name == "calibrate" else [command, *inside]
    return {name for one in own for part in one.params for name in part.opts if name.startswith("--")} | {"--help"}


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_option_of_a_command_is_told(name: str) -> None:
    own = text_of("docs/commands.md").split(f"\n## {name}\n")[1].split("\n## ")[0]
    hidden = {name for part in main.commands[name].params for name in part.opts if getattr(part, "hidden", False)}
    assert [option for option in options(main.commands[name]) - hidden - {"--help"} if option not in own] == []


# -- JSON -------------------------------------------------------------------------------------------------------------


def json_of(page: str) -> Iterator[dict[str, Any]]:
    """Every JSON object in a page's fenced blocks."""
    decoder, rest = json.JSONDecoder(), fenced(page, "json").strip()
    while rest:
        value, end = decoder.raw_decode(rest)
        yield value
        rest = rest[end:].strip()


def shown_actions() -> list[dict[str, Any]]:
    in_tables = re.findall(r'`(\{"do": [^`]+\})`', text_of("docs/commands.md"))
    whole = [json.loads(line.replace("[...]", '["penny:heads"]')) for line in in_tables]
    return whole + [value for value in json_of("docs/commands.md") if "do" in value]


@pytest.mark.parametrize("action", shown_actions(), ids=lambda action: action["do"])
def test_every_action_shown_is_one_of_some_game(action: dict[str, Any]) -> None:
    understood = []
    for name in rules.NAMES:
        try:
            understood.append(rules.load(name).read_action(action))
        except InputError:
            continue
    assert understood


def test_a_looked_at_picture_has_the_keys_shown() -> None:
    shown = next(value for value in json_of("docs/commands.md") if "mm_per_px" in value)
    assert set(shown) == set(Look.__struct_fields__)
    assert set(shown["coins"][0]) == set(LookedCoin.__struct_fields__)


def test_a_score_has_the_keys_shown() -> None:
    shown = next(value for value in json_of("docs/commands.md") if "tie_break" in value)
    assert set(shown) == set(Score.__struct_fields__) - {"warnings_texts", "boxes_px"}  # those are for pages


def test_every_state_has_the_keys_shown() -> None:
    rows = re.findall(r"(?m)^\| `([a-z-]+)` \| .* \| ([^|]+) \|$", text_of("docs/commands.md"))
    assert [name for name, _ in rows] == ["steal", "exact", "goes-around", "coin-age", "coin-wars"]
    for name, told in rows:
        game = rules.load(name)
        state = game.write_state(game.start(game.read_options({})))
        assert [key for key in re.findall(r"`(\w+)`", told.split("{")[0]) if key not in state] == []


# -- the web API ------------------------------------------------------------------------------------------------------


def routes() -> set[tuple[str, str]]:
    """(method, path) of every call, with the variable parts in capitals: ("GET", "/api/rulebook/GAME")."""
    unasked = cast(Any, SimpleNamespace(busy=RuntimeError, snapshots=Bell()))
    app = create_app(
        unasked, wizard=unasked, teacher=unasked, kept=unasked, health=unasked, desk=unasked, owner=unasked
    )
    found = set()
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:[^:>]+:)?(\w+)>", lambda m: m[1].upper(), rule.rule)
        found |= {(method, path) for method in (rule.methods or ()) if method in ("GET", "POST", "PUT")}
    return {(method, path) for method, path in found if not path.startswith("/static")}


def test_every_call_is_told_and_every_call_told_is_one() -> None:
    text = text_of("docs/api.md")
    calls = set(re.findall(r"`(GET|POST|PUT) (/[^`?]*)", text))
    (pages,) = re.findall(r"(?m)^Pages for people: (.+)\.$", text)
    assert calls | {("GET", path) for path in re.findall(r"`([^`]+)`", pages)} == routes()


def test_the_reference_tells_every_call_and_value_and_its_links_lead_somewhere() -> None:
    document = json.loads(text_of("docs/openapi.json"))
    page = runpy.run_path(str(ROOT / "docs" / "reference.py"))["page"](document)
    headings = set(re.findall(r"(?m)^### (.+)$", page))
    calls = {
        f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method, call in methods.items()
        if "text/html" not in call["responses"]["200"]["content"]  # those are pages for people
    }
    assert calls <= headings
    assert document["components"]["schemas"].keys() <= headings
    assert set(re.findall(r"\]\(#(\w+)\)", page)) <= {heading.lower() for heading in headings}


# -- versions ---------------------------------------------------------------------------------------------------------


def locked() -> dict[str, list[tuple[str, Requirement]]]:
    """Every package in the lock file with its versions, one for each marker."""
    found: dict[str, list[tuple[str, Requirement]]] = {}
    for line in text_of("requirements-dev.lock").splitlines():
        if line and line[0] not in " #":
            requirement = Requirement(line)
            version = str(requirement.specifier).removeprefix("==")
            found.setdefault(requirement.name, []).append((version, requirement))
    return found


def wanted() -> list[str]:
    groups = PROJECT["dependency-groups"]
    return [*PROJECT["project"]["dependencies"], *groups["dev"], *groups["docs"]]


@pytest.mark.parametrize("requirement", wanted())
def test_the_lock_file_has_every_package_in_a_version_that_is_allowed(requirement: str) -> None:
    asked = Requirement(requirement)
    versions = locked().get(asked.name)
    assert versions, f"{asked.name} is not locked: make lock"
    assert all(asked.specifier.contains(version) for version, _ in versions), "make lock"


def test_the_lock_file_names_no_place_to_download_from() -> None:
    assert not re.search(r"(?m)^(--|-i |-f )|https?:", text_of("requirements-dev.lock"))


def test_the_packages_that_are_installed_say_that_they_are_typed() -> None:
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages == ["tablecoin", "calibration", "web"]
    assert all((ROOT / package / "py.typed").exists() for package in packages)


def test_the_changelog_keeps_its_form() -> None:
    headings = re.findall(r"(?m)^## (.+)$", text_of("CHANGELOG.md"))
    assert headings[0] == "[Unreleased]"
    assert any(heading.startswith(tablecoin.__version__) for heading in headings)
    kinds = set(re.findall(r"(?m)^### (.+)$", text_of("CHANGELOG.md")))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


# -- ARCHITECTURE.md --------------------------------------------------------------------------------------------------


def test_the_table_of_rooms_is_that_of_the_floors() -> None:
    rows = re.findall(r"(?m)^\| (\d+) \| `(?:tablecoin/)?(\w+)(?:\.py|/)` \|", text_of("ARCHITECTURE.md"))
    assert {(int(floor), room) for floor, room in rows} == {(floor, room) for room, floor in LEVEL.items()}


def test_every_file_named_in_the_architecture_exists() -> None:
    files = {path.name for path in ROOT.glob("*/**/*.py")} | {path.name for path in ROOT.glob("*/**/*.onnx")}
    named = re.findall(r"`(?:[\w/]+/)?(\w+\.(?:py|onnx))`", text_of("ARCHITECTURE.md"))
    assert [name for name in named if name not in files] == []
