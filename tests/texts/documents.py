"""What single documents say is what the code does: values in JSON, calls, topics, rooms, house rules, recipes."""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from openapi_spec_validator import OpenAPIV31SpecValidator

import tablecoin
from tablecoin import rules
from tablecoin.live.bell import Bell
from tablecoin.mqtt import topics
from tablecoin.mqtt.messages import KINDS
from tablecoin.photos.counting import Score
from tablecoin.photos.look import Look, LookedCoin
from tablecoin.rules.game import InputError
from tablecoin.rules.rulebook import clauses
from tests.texts.check import ROOT, Check, Checks, Problem, line_at, line_with, text_of
from tests.texts.imports import LEVEL
from web.app import create_app

ARCHITECTURE, CHANGELOG, CONTRIBUTING = (ROOT / f"{name}.md" for name in ("ARCHITECTURE", "CHANGELOG", "CONTRIBUTING"))
DOCS = ROOT / "docs"
API, COMMANDS, MQTT, RULINGS = (DOCS / f"{name}.md" for name in ("api", "commands", "mqtt", "rulings"))


class Named(NamedTuple):
    """Names that a document tells, and the names that there are."""

    file: Path
    line: int
    told: frozenset[str]
    real: frozenset[str]
    what: str


def different(thing: Named) -> Iterator[Problem]:
    for name in sorted(thing.real - thing.told):
        yield Problem(thing.file, thing.line, f"{thing.what} {name} is not named", "name it")
    for name in sorted(thing.told - thing.real):
        line = line_with(text_of(thing.file), name) if thing.line == 1 else thing.line
        yield Problem(thing.file, line, f"{thing.what} {name} does not exist", "delete it, or correct its name")


# -- JSON -------------------------------------------------------------------------------------------------------------


def json_of(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every JSON object in the fenced blocks of a page, with its line."""
    decoder = json.JSONDecoder()
    for block in re.finditer(r"(?ms)^```json\n(.*?)^```", text):
        rest = block[1].strip()
        while rest:
            value, end = decoder.raw_decode(rest)
            yield line_at(text, block.start() + block[0].find(rest[:end])), value
            rest = rest[end:].strip()


def shown_actions() -> Iterator[tuple[int, dict[str, Any]]]:
    text = text_of(COMMANDS)
    for action in re.finditer(r'`(\{"do": [^`]+\})`', text):
        yield line_at(text, action.start()), json.loads(action[1].replace("[...]", '["penny:heads"]'))
    yield from ((line, value) for line, value in json_of(text) if "do" in value)


def impossible(thing: tuple[int, dict[str, Any]]) -> Iterator[Problem]:
    line, action = thing
    for name in rules.NAMES:
        try:
            rules.load(name).read_action(action)
        except InputError:
            continue
        return
    yield Problem(COMMANDS, line, f"no game understands {json.dumps(action)}", "show an action of a game")


def shown_values() -> Iterator[Named]:
    """The keys of the values that docs/commands.md shows, and of the structs that are printed."""
    shown = list(json_of(text_of(COMMANDS)))
    for key, struct, left_out in (
        ("mm_per_px", Look, ()),
        ("tie_break", Score, ("warnings_texts", "boxes_px")),  # those are for pages
    ):
        line, value = next((line, value) for line, value in shown if key in value)
        yield Named(COMMANDS, line, frozenset(value), frozenset(struct.__struct_fields__) - {*left_out}, "the key")
        if struct is Look:
            coin = value["coins"][0]
            yield Named(COMMANDS, line, frozenset(coin), frozenset(LookedCoin.__struct_fields__), "the key of a coin")


def state_rows() -> Iterator[tuple[int, str, str]]:
    """(line, game, what the table of docs/commands.md says of its state)."""
    text = text_of(COMMANDS)
    for row in re.finditer(r"(?m)^\| `([a-z-]+)` \| .* \| ([^|]+) \|$", text):
        yield line_at(text, row.start()), row[1], row[2]


def states() -> list[Named]:
    found = [Named(COMMANDS, 1, frozenset(name for _, name, _ in state_rows()), frozenset(rules.NAMES), "the state of")]
    for line, name, told in state_rows():
        game = rules.load(name)
        state = game.write_state(game.start(game.read_options({})))
        keys = frozenset(re.findall(r"`(\w+)`", told.split("{")[0]))
        found.append(Named(COMMANDS, line, keys, keys & state.keys(), f"in the state of {name} the key"))
    return found


# -- calls and messages -----------------------------------------------------------------------------------------------


def routes() -> frozenset[str]:
    """Every call, with the variable parts of its path in capitals: `GET /api/rulebook/GAME`."""
    unasked = cast(Any, SimpleNamespace(busy=RuntimeError, snapshots=Bell()))
    app = create_app(
        unasked, wizard=unasked, teacher=unasked, kept=unasked, health=unasked, desk=unasked, owner=unasked
    )
    found = set()
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:[^:>]+:)?(\w+)>", lambda m: m[1].upper(), rule.rule)
        found |= {f"{method} {path}" for method in (rule.methods or ()) if method in ("GET", "POST", "PUT")}
    return frozenset(call for call in found if " /static" not in call)


def calls() -> list[Named]:
    text = text_of(API)
    told = set(re.findall(r"`((?:GET|POST|PUT) /[^`?]*)", text))
    (for_people,) = re.findall(r"(?m)^Pages for people: (.+)\.$", text)
    told |= {f"GET {path}" for path in re.findall(r"`([^`]+)`", for_people)}
    return [Named(API, 1, frozenset(told), routes(), "the call")]


def reference() -> list[Named]:
    """The reference of the site, which docs/reference.py writes: every call and value, and every link inside it."""
    file = DOCS / "reference.py"
    document = json.loads(text_of(DOCS / "openapi.json"))
    page = runpy.run_path(str(file))["page"](document)
    headings = frozenset(re.findall(r"(?m)^### (.+)$", page))
    wanted = document["components"]["schemas"].keys() | {
        f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method, call in methods.items()
        if "text/html" not in call["responses"]["200"]["content"]  # those are pages for people
    }
    links = frozenset(re.findall(r"\]\(#(\w+)\)", page))
    anchors = frozenset(heading.lower() for heading in headings)
    return [
        Named(file, 1, headings & wanted, frozenset(wanted), "the call or value"),
        Named(file, 1, links, links & anchors, "the heading"),
    ]


def invalid(file: Path) -> Iterator[Problem]:
    """Where the document breaks the rules of OpenAPI."""
    for error in OpenAPIV31SpecValidator(json.loads(text_of(file))).iter_errors():
        place = "/".join(map(str, error.absolute_path))
        yield Problem(file, 1, f"{place or 'the document'}: {error.message}", "correct web/openapi.py")


def messages() -> list[Named]:
    kinds = frozenset([*KINDS, topics.UP, topics.PICTURE])
    told = frozenset(kind for kind in kinds if f"`{kind}`" in text_of(MQTT))
    return [Named(MQTT, 1, told, kinds, "the topic")]


# -- ARCHITECTURE.md, CHANGELOG.md, CONTRIBUTING.md -------------------------------------------------------------------


def floors() -> list[Named]:
    rows = re.findall(r"(?m)^\| (\d+) \| `(?:tablecoin/)?(\w+)(?:\.py|/)` \|", text_of(ARCHITECTURE))
    told, real = (f"{room} on floor {floor}" for floor, room in rows), (f"{r} on floor {f}" for r, f in LEVEL.items())
    return [Named(ARCHITECTURE, 1, frozenset(told), frozenset(real), "the room")]


def named_files() -> list[Named]:
    there = {path.name for kind in ("py", "onnx") for path in ROOT.glob(f"*/**/*.{kind}")}
    told = frozenset(re.findall(r"`(?:[\w/]+/)?(\w+\.(?:py|onnx))`", text_of(ARCHITECTURE)))
    return [Named(ARCHITECTURE, 1, told, told & there, "the file")]


def malformed(thing: tuple[Path, str]) -> Iterator[Problem]:
    """What breaks the form of a changelog: the newest changes first, every version, and headings of six kinds."""
    file, text = thing
    headings = re.findall(r"(?m)^## (.+)$", text)
    if headings[:1] != ["[Unreleased]"]:
        yield Problem(file, 1, "the first heading is not [Unreleased]", "begin with `## [Unreleased]`")
    if not any(heading.startswith(tablecoin.__version__) for heading in headings):
        yield Problem(file, 1, f"version {tablecoin.__version__} has no heading", "add one")
    for kind in re.finditer(r"(?m)^### (.+)$", text):
        if kind[1] not in ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"):
            yield Problem(file, line_at(text, kind.start()), f"{kind[1]} is no kind of change", "use one of the six")


RECIPES = ("Add a game", "Add a map", "Add a camera", "Add a language")  # tests/test_contributing.py follows them
LONGEST = 20  # lines of prose, commands and changes a recipe may have; a whole example file is not counted
BLOCK = re.compile(r'^```(?P<kind>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)


def section(guide: str, title: str) -> str:
    """The text below the heading `## title`; empty without it."""
    return guide.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def recipes() -> Iterable[tuple[Path, str, str]]:
    guide = text_of(CONTRIBUTING)
    titles = dict.fromkeys([*RECIPES, *re.findall(r"(?m)^## (Add .+)$", guide)])
    return [(CONTRIBUTING, title, section(guide, title)) for title in titles]


def unclear(thing: tuple[Path, str, str]) -> Iterator[Problem]:
    """What a recipe lacks: it is followed by a test, is short, and ends with a proof."""
    file, title, recipe = thing
    line = line_with(text_of(file), f"\n## {title}\n") + 1
    if title not in RECIPES:
        yield Problem(file, line, f"no test follows the recipe “{title}”", "add it to RECIPES")
    found = list(BLOCK.finditer(recipe))
    if not any(block["kind"] == "console" for block in found):
        yield Problem(file, line, f"the recipe “{title}” proves nothing", "end it with a console block")
    for block in found:
        if block["title"] and block["kind"] != "diff":
            recipe = recipe.replace(block["text"], "")
    counted = [each for each in recipe.splitlines() if each.strip() and not each.startswith("```")]
    if len(counted) > LONGEST:
        yield Problem(file, line, f"the recipe “{title}” has {len(counted)} lines", f"shorten it to {LONGEST}")


# -- docs/rulings.md --------------------------------------------------------------------------------------------------

TITLES = {
    "steal": "Dollar Prize: Steal",
    "exact": "Dollar Prize: Exact",
    "goes-around": "What Goes Around Comes Around",
    "coin-wars": "Coin Wars",
    "coin-age": "Coin Age",
}
# House rules that settle no doubt of a text.
ADDED = {"coin-age": {"map", "seed"}, "coin-wars": {"players", "all_out", "narration"}}


class Ruling(NamedTuple):
    """A row of docs/rulings.md, and the clauses and house rules of its game."""

    line: int
    cells: list[str]  # [id, doubt, ruling, clause, house rule]
    numbers: frozenset[str]
    options: frozenset[str]


def rulings() -> Iterator[Ruling]:
    text = text_of(RULINGS)
    for game, title in TITLES.items():
        numbers = frozenset(clause.number for clause in clauses(game)) | {""}
        options = frozenset(rules.load(game).options_type.__struct_fields__)
        for row in re.findall(r"(?m)^\| [SEWRC]\d.*$", section(text, title)):
            yield Ruling(line_with(text, row), [cell.strip() for cell in row[1:-1].split("|")], numbers, options)


def unfounded(ruling: Ruling) -> Iterator[Problem]:
    name, _, said, clause, house_rules = ruling.cells
    if not said.endswith("."):
        yield Problem(RULINGS, ruling.line, f"the ruling {name} does not end with a full stop", "add it")
    if clause not in ruling.numbers:
        yield Problem(RULINGS, ruling.line, f"{name} names clause {clause}, which the game lacks", "correct the number")
    for rule in sorted(set(re.findall(r"`(\w+)`", house_rules)) - ruling.options):
        yield Problem(RULINGS, ruling.line, f"{name} names the house rule {rule}, which the game lacks", "correct it")


def house_rules() -> Iterator[Named]:
    """The house rules that the page names for each game. *Exact* shares those of *Steal*."""
    text = text_of(RULINGS)
    for game, title in TITLES.items():
        shared = section(text, TITLES["steal"]) if game == "exact" else ""
        rows = re.findall(r"(?m)^\| [SEWRC]\d.*$", section(text, title) + shared)
        told = frozenset(rule for row in rows for rule in re.findall(r"`(\w+)`", row[1:-1].split("|")[4]))
        real = frozenset(rules.load(game).options_type.__struct_fields__) - ADDED.get(game, set())
        line = line_with(text, f"\n## {title}\n") + 1
        yield Named(RULINGS, line, told & real, real, f"the house rule of {title}")


CHECKS: Checks = (
    Check("actions that docs/commands.md shows are those of a game", shown_actions, impossible),
    Check("values that docs/commands.md shows have the keys of the structs", shown_values, different),
    Check("states that docs/commands.md explains have the keys named", states, different),
    Check("docs/api.md names every call and no other", calls, different),
    Check("the reference of the site names every call and value", reference, different),
    Check("docs/openapi.json is valid OpenAPI", lambda: [DOCS / "openapi.json"], invalid),
    Check("docs/mqtt.md names every topic", messages, different),
    Check("ARCHITECTURE.md puts every room on its floor", floors, different),
    Check("files that ARCHITECTURE.md names exist", named_files, different),
    Check("the changelog keeps its form", lambda: [(CHANGELOG, text_of(CHANGELOG))], malformed),
    Check("recipes of CONTRIBUTING.md are short, proved and tested", recipes, unclear),
    Check("rulings of docs/rulings.md name clauses and house rules of their game", rulings, unfounded),
    Check("docs/rulings.md names every house rule", house_rules, different),
)
