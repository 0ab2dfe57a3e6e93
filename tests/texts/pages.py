"""What every page of the documentation names is there: links and headings, files, commands and their options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click

from lab.front import main as lab
from tablecoin.cli import main
from tablecoin.cli.setting_up import teach
from tests.texts.check import ROOT, Check, Checks, Problem, line_at, line_with, text_of

PATTERNS = ("*.md", "docs/**/*.md", "systemd/*.md", "lab/*.md", "lab/log/*.md", ".github/**/*.md")
FENCED = re.compile(r"(?ms)^```.*?\n(.*?)^```")
NOT_OURS = ("pytest", "pip", "build", "venv")  # modules that pages run with `python -m`
COMMANDS, LAB = ROOT / "docs" / "commands.md", ROOT / "lab" / "README.md"


def pages() -> list[Path]:
    return sorted(path for pattern in PATTERNS for path in ROOT.glob(pattern))


def pages_of_today() -> list[Path]:
    """Without those that tell of other days: their links are checked, their commands are not."""
    return [path for path in pages() if "log" not in path.parts and path.name != "CHANGELOG.md"]


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"(?m)^#+ (.+)$", FENCED.sub("", text_of(page)))
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings)


def dead_links(page: Path) -> Iterator[Problem]:
    text = text_of(page)
    for link in re.finditer(r"\]\((?!https://)([^)#\s]*)(?:#([^)\s]*))?\)", text):
        target, anchor = link.groups()
        file, line = (page.parent / target if target else page), line_at(text, link.start())
        if not file.exists():
            yield Problem(page, line, f"{target} does not exist", "correct the link")
        elif anchor and anchor not in anchors(file.resolve()):
            yield Problem(page, line, f"{target} has no heading #{anchor}", "correct the link")


def missing_files(page: Path) -> Iterator[Problem]:
    text = FENCED.sub(lambda block: "\n" * block[0].count("\n"), text_of(page))
    for name in re.finditer(r"`((?:tablecoin|calibration|web|lab|tests|docs|systemd)/[\w./-]+)`", text):
        if not (ROOT / name[1]).exists():
            yield Problem(page, line_at(text, name.start()), f"{name[1]} does not exist", "name the file that does")


def code_of(text: str) -> str:
    """Everything a page shows as code: spans, fenced blocks and indented lines."""
    spans = re.findall(r"`([^`\n]+)`", text) + re.findall(r"(?m)^    (\S.*)$", text)
    return "\n".join(spans + FENCED.findall(text))


def options(command: click.Command) -> set[str]:
    """The long options of a command and of those inside it."""
    inside = list(command.commands.values()) if isinstance(command, click.Group) else []
    own = [command, *inside, teach] if command.name == "calibrate" else [command, *inside]
    return {name for one in own for part in one.params for name in part.opts if name.startswith("--")} | {"--help"}


def unknown_commands(page: Path) -> Iterator[Problem]:
    text = text_of(page)
    code = code_of(text)
    for name, rest in re.findall(r"(?m)^(?:\$ )?(?:\S*/bin/)?tablecoin ([a-z]+)\b(.*)$", code):
        line = line_with(text, f"tablecoin {name}{rest}")
        if name not in main.commands:
            yield Problem(page, line, f"there is no command `tablecoin {name}`", "name one that there is")
            continue
        for option in re.findall(r"(?<=[\s\[])--[a-z-]+", rest.partition("|")[0]):
            if option not in options(main.commands[name]):
                yield Problem(page, line, f"`tablecoin {name}` has no option {option}", "name one that it has")
    for module in re.findall(r"python -m ([\w.]+)", code):
        path = ROOT / module.replace(".", "/")
        ours = path.with_suffix(".py").exists() or (path / "__main__.py").exists()
        if not ours and module not in NOT_OURS:
            line = line_with(text, f"python -m {module}")
            yield Problem(page, line, f"`python -m {module}` runs nothing", "name a module that there is")


def untold_options(thing: tuple[str, click.Command]) -> Iterator[Problem]:
    """Options of a command that its section of docs/commands.md lacks."""
    name, command = thing
    text = text_of(COMMANDS)
    _, heading, rest = text.partition(f"\n## {name}\n")
    if not heading:
        yield Problem(COMMANDS, 1, f"`tablecoin {name}` has no section", f"write one below `## {name}`")
        return
    section = rest.partition("\n## ")[0]
    hidden = {name for part in command.params for name in part.opts if getattr(part, "hidden", False)}
    for option in sorted(options(command) - hidden - {"--help"}):
        if option not in section:
            wrong = f"the section {name} does not explain {option}"
            yield Problem(COMMANDS, line_with(text, f"\n## {name}\n") + 1, wrong, "add the option")


# -- the lab ----------------------------------------------------------------------------------------------------------


def lab_commands(group: click.Group = lab, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """(words after `python -m lab`, command) for every command, those inside groups too."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from lab_commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def unknown_lab_commands(page: Path) -> Iterator[Problem]:
    known, text = {words for words, _ in lab_commands()}, text_of(page)
    for command in re.finditer(r"python -m lab ([a-z][a-z-]*)(?: ([a-z-]+))?", text):
        first, second = command.groups()
        if first not in known and f"{first} {second}" not in known:
            line = line_at(text, command.start())
            yield Problem(page, line, f"the lab has no command {first} {second or ''}".rstrip(), "name one that it has")


def untold_lab_commands(thing: tuple[str, click.Command]) -> Iterator[Problem]:
    words, _ = thing
    if f"`{words}" not in text_of(LAB):
        yield Problem(LAB, 1, f"`{words}` is not explained", "add a row for it")


CHECKS: Checks = (
    Check("links and pictures of pages lead somewhere", pages, dead_links),
    Check("files that pages name exist", pages_of_today, missing_files),
    Check("commands that pages name exist and have the options named", pages_of_today, unknown_commands),
    Check("docs/commands.md explains every option of a command", lambda: sorted(main.commands.items()), untold_options),
    Check("commands of the lab that pages name exist", pages, unknown_lab_commands),
    Check("lab/README.md explains every command of the lab", lab_commands, untold_lab_commands),
)
