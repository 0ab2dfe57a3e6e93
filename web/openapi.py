"""The OpenAPI file of the whole web API, made from the structs that the API reads and answers with.

`python -m web.openapi` prints it (`make contract` keeps it in docs/openapi.json). A test holds it against the routes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any, Literal, get_args

import msgspec

from tablecoin import __version__, rules
from tablecoin.journal.fairness import Summary
from tablecoin.live.archive import Exhibited
from tablecoin.live.hints import Hint
from tablecoin.mat.tiles import PAPERS_MM
from tablecoin.photos.counting import Score
from tablecoin.referee import commands
from tablecoin.referee.snapshot import Snapshot
from tablecoin.replay.steps import Replay
from tablecoin.rules.names import LONGEST_NAME
from tablecoin.rules.rulebook import LANGUAGES
from tablecoin.virtual.table import Carry
from web import answers, history, mats
from web.access.roles import least_role
from web.bodies import (
    AssignedBody,
    BroughtBody,
    CodeBody,
    GuestBody,
    LearnBody,
    LessonBody,
    Nothing,
    OpenBody,
    PinBody,
    ScoredMap,
    SeatBody,
    SettingsBody,
    StepBody,
    StepName,
    TapsBody,
    TossBody,
    TrustBody,
)

Schema = dict[str, Any]
Method = Literal["get", "put", "patch", "post"]

_REF = "#/components/schemas/{name}"
_START, _ACT, _CORRECT = "StartBody", "ActBody", "CorrectOrRereadBody"  # bodies that are one of several structs
_BODIES = (
    AssignedBody,
    BroughtBody,
    CodeBody,
    GuestBody,
    LearnBody,
    LessonBody,
    OpenBody,
    PinBody,
    ScoredMap,
    SeatBody,
    SettingsBody,
    SettingsBody,
    StepBody,
    TapsBody,
    TossBody,
    TrustBody,
    Carry,
    answers.VirtualChange,
)
_COMMANDS = (
    commands.Start, commands.Press, commands.Answer, commands.Correct, commands.Reread, commands.Dispute,
    commands.Pause, commands.Resign, commands.OfferDraw,
)  # fmt: skip
_ANSWERS = (
    Snapshot, Summary, Exhibited, Score, Hint, Replay, answers.MapScore, answers.Problem, answers.Told, answers.Acts,
    answers.Assigned, answers.Brought, answers.Games, answers.Rulebook, answers.PrimerShown, answers.LessonShown,
    answers.GamesPlayed,
    answers.Players, answers.VirtualState, answers.StepResult, answers.StepRun, answers.WizardState, answers.Taught,
    answers.Guessed, answers.Analysis, answers.KnownCoins, answers.Alive, answers.HealthReport, answers.LogLines,
    answers.OwnerState, answers.AccessState, answers.AccessTable, answers.LobbyState,
)  # fmt: skip

HTML, JPEG, PNG, PDF, LINES, EVENTS, BYTES = (
    "text/html",
    "image/jpeg",
    "image/png",
    "application/pdf",
    "application/x-ndjson",
    "text/event-stream",
    "application/octet-stream",
)


@dataclass(frozen=True)
class Call:
    """One method of one path. `gives` is a media type, or a struct that is answered as JSON."""

    method: Method
    path: str
    what: str
    gives: type[msgspec.Struct] | str
    takes: type[msgspec.Struct] | str | None = None  # a JSON body, by its struct or the name of its schema
    form: Mapping[str, Schema] | None = None  # a multipart body: field -> schema; all but `map` are required
    query: Mapping[str, Schema] | None = None
    within: Mapping[str, Schema] | None = None  # the path's own parameters
    seated: bool = False  # X-Seat or ?seat= says which seat it speaks for
    empty: str = ""  # when it answers 204


_FILE = {"type": "string", "contentMediaType": "application/octet-stream"}
_GAME = {"type": "string", "enum": list(rules.NAMES)}
_RULING = {"number": {"type": "integer", "minimum": 0, "maximum": 2**53 - 1}}
_PLAYED = {"number": {"type": "integer", "minimum": 0, "maximum": 2**53 - 1}}  # a game's, counted from 1
_FIRST_TOSS = 2  # the number of a game's first ruling that has pictures

CALLS = (
    Call("get", "/", "The page of the table.", HTML, query={"seat": {"type": "string"}}),
    Call("get", "/kiosk", "The screen beside the table.", HTML),
    Call(
        "get", "/overlay", "A transparent page for a streaming program: score, turn, toss, ruling, chances.", HTML,
        query={
            "show": {"type": "string", "description": "What is shown, in this order: turn,score,toss,ruling,chances."},
            "scale": {"type": "number", "exclusiveMinimum": 0, "maximum": 8, "default": 1},
            "lang": {"type": "string", "enum": list(LANGUAGES)},
            "side": {"type": "string", "enum": ["left", "right"], "default": "left"},
        },
    ),
    Call("get", "/app.webmanifest", "How a phone keeps the page among its apps.", "application/manifest+json"),
    Call("get", "/rules", "The rulebook of the first game.", HTML),
    Call("get", "/rules/{game}", "The rulebook of a game.", HTML, within={"game": _GAME}),
    Call("get", "/learn", "The lessons.", HTML),
    Call("get", "/learn/{game}", "The lesson of a game.", HTML, within={"game": _GAME}),
    Call("post", "/api/learn/{game}", "A step in the lesson of a game, at a virtual table of its own.",
         answers.LessonShown, takes=LessonBody, within={"game": _GAME}),
    Call("get", "/score", "Score a photo.", HTML),
    Call("get", "/calibrate", "The wizard that sets the table up.", HTML),
    Call("get", "/teach", "Teach a map.", HTML),
    Call("get", "/healthz", "Whether the program is well: its frames and, at the table, its version.", answers.Alive),
    Call("get", "/join", "Where the code at the table leads.", HTML),
    Call("get", "/access", "Who may play: the owner's page.", HTML),
    Call("get", "/settings", "The owner's settings.", HTML),
    Call("get", "/api/settings", "The settings of the next start, and what may be done.", answers.OwnerState),
    Call(
        "post", "/api/settings", "Keep settings. They hold from the next start on.", answers.OwnerState,
        takes=SettingsBody,
    ),
    Call("get", "/api/settings/log", "The log's newest lines without secrets.", answers.LogLines),
    Call("get", "/api/settings/report.zip", "A bug report without secrets.", "application/zip"),
    Call(
        "post", "/api/settings/restart", "Start the program again, where something does that.", answers.OwnerState,
        takes=Nothing,
    ),
    Call(
        "post", "/api/settings/off", "Switch the computer off, where its owner allows it.", answers.OwnerState,
        takes=Nothing,
    ),
    Call("get", "/health", "What the checks say of the running table.", HTML),
    Call("get", "/api/health", "What the checks found lately, for people.", answers.HealthReport),
    Call("post", "/api/health/read", "The owner has read what the journal lost.", answers.HealthReport, takes=Nothing),
    Call("get", "/api/state", "The newest snapshot, as the seat may see it.", Snapshot, seated=True),
    Call(
        "get", "/api/stream",
        "Every new snapshot as a server-sent event: `id` is its `seq`, `data` its JSON. Comments are heartbeats.",
        EVENTS, seated=True,
    ),
    Call(
        "get", "/frame.jpg",
        "The newest picture, numbered by the header X-Frame-Number; X-Mat names the mat of a rectified one. Of the "
        "camera's view X-Mat-Corners tells where the mat's corners lie, as shares of width and height, clockwise from "
        "the mat's top left.",
        JPEG,
        query={
            "view": {"type": "string", "enum": ["camera", "mat"], "default": "camera"},
            "after": {"type": "integer", "description": "Wait up to a second for a picture with a higher number."},
            "when": {
                "type": "string", "enum": ["newer", "changed"], "default": "newer",
                "description": "changed: only a picture that shows something new counts, and one now and then.",
            },
        },
        empty="No newer picture came within a second.",
    ),
    Call(
        "get", "/api/coin.jpg", "The coin that the prompt asks about, large.", JPEG,
        query={"of": {"type": "string", "description": "Not read: another value makes a browser ask again."}},
        empty="The prompt asks about no coin.",
    ),
    Call("get", "/api/games", "Every game with its seats and house rules.", answers.Games),
    Call("post", "/api/games", "Start a game; one under way is closed.", answers.Told, takes=_START, seated=True),
    Call("get", "/api/assigned", "The game that a club would like to be played here.", answers.Assigned),
    Call("put", "/api/assigned", "A club of this machine, without a broker, wants a game played.", answers.Brought,
         takes=BroughtBody),
    Call("post", "/api/assigned/begin", "Begin it.", answers.Told, takes=AssignedBody),
    Call("post", "/api/assigned/decline", "Decline it; the club is told.", answers.Told, takes=AssignedBody),
    Call("get", "/api/acts", "What the seat may do now by hand; no tosses.", answers.Acts, seated=True),
    Call("post", "/api/act", "An action entered by hand, judged as any other.", answers.Told, takes=_ACT, seated=True),
    Call("post", "/api/press", "What a button of the panel does.", answers.Told, takes="PressBody", seated=True),
    Call("post", "/api/answer", "Answer the question.", answers.Told, takes="AnswerBody", seated=True),
    Call("post", "/api/correct", "Overrule the reader on a coin, or an earlier toss.", answers.Told, takes=_CORRECT,
         seated=True),
    Call("post", "/api/undo", "Take back the last ruling, once the others agree where it is theirs too.", answers.Told,
         takes=Nothing, seated=True),
    Call("post", "/api/dispute", "Dispute a ruling, the last one unless another is named.", answers.Told,
         takes="DisputeBody", seated=True),
    Call("post", "/api/pause", "Make a break; an answer goes on.", answers.Told, takes="PauseBody", seated=True),
    Call("post", "/api/resign", "A side gives the game up.", answers.Told, takes="ResignBody", seated=True),
    Call("post", "/api/draw", "Offer the other side a draw.", answers.Told, takes="OfferDrawBody", seated=True),
    Call("post", "/api/hint", "What the computer would do, for a seat in its turn. That it was asked is recorded.",
         Hint, takes=Nothing, seated=True),
    Call(
        "get", "/api/rulebook/{game}", "The clauses of a game.", answers.Rulebook, within={"game": _GAME},
        query={"lang": {"type": "string", "enum": list(LANGUAGES), "default": "en"}},
    ),
    Call("get", "/api/primer/{game}", "A game in one minute, with pictures.", answers.PrimerShown,
         within={"game": _GAME}),
    Call("get", "/api/record", "The newest game's record, one JSON object a line.", LINES),
    Call("get", "/history/{number}", "The page of one game of history.", HTML, within=_PLAYED),
    Call("get", "/api/history/{number}", "One game that is over, step by step.", Replay, within=_PLAYED),
    Call("get", "/api/history/{number}/record", "Its record, one JSON object a line.", LINES, within=_PLAYED),
    Call("get", "/api/history/{number}/game.html", "It as one file that opens with no network.", HTML, within=_PLAYED),
    Call(
        "get", "/api/history/{number}/picture.png", "Its end and its graph, to share.", PNG, within=_PLAYED,
        query={"lang": {"type": "string", "enum": list(LANGUAGES), "default": "en"}},
    ),
    Call("get", "/api/history/{number}/analysis", "Its chances, luck and skill; worked out when first asked for.",
         answers.Analysis, within=_PLAYED),
    Call("get", "/api/evidence/{number}", "What was kept with a ruling.", Exhibited, within=_RULING),
    Call("get", "/api/evidence/{number}/before.jpg", "The table before a ruling.", JPEG, within=_RULING),
    Call("get", "/api/evidence/{number}/after.jpg", "The table that was ruled on.", JPEG, within=_RULING),
    Call(
        "get", "/api/evidence/{number}/clip",
        "The seconds before a ruling. The first line is JSON, `{\"stills\": [{\"at_s\": -1.25, \"bytes\": 11873}]}`; "
        "behind it stand the JPEGs, each with so many bytes, oldest first. `at_s` counts from the picture ruled on.",
        BYTES, within=_RULING,
    ),
    Call(
        "get", "/api/flips", "Every toss, and how evenly the coins fell.", Summary,
        query={"tosses": {"type": "integer", "minimum": 0, "maximum": 2**53 - 1,
                          "description": "Only so many tosses one by one, the newest; all are counted."}},
    ),
    Call("get", "/history", "The games played at this table.", HTML),
    Call(
        "get", "/api/history", "The games played at this table, newest first.", answers.GamesPlayed,
        query={
            "player": {"type": "string", "maxLength": LONGEST_NAME,
                       "description": "A player's name in any case; where nobody is called so, a part of names."},
            "game": _GAME,
            "before": {"type": "integer", "minimum": 1, "maximum": history.FARTHEST,
                       "description": "Only games of lower numbers."},
            "limit": {"type": "integer", "minimum": 1, "maximum": history.MOST, "default": history.PAGE},
        },
    ),
    Call("get", "/api/history/players", "Everybody who gave a name, and what their games tell.", answers.Players),
    Call(
        "post", "/api/score", "Score a photo of a Coin Age map.", Score,
        form={"photo": _FILE, "map": {"type": "string", "description": "Its name; left out, the markers tell."}},
    ),
    Call("post", "/api/score/tally", "Count a Coin Age map whose coins are known.", answers.MapScore, takes=ScoredMap),
    Call("get", "/api/virtual", "The virtual table.", answers.VirtualState),
    Call("put", "/api/virtual", "Set the virtual table.", answers.VirtualState, takes=answers.VirtualChange),
    Call("patch", "/api/virtual", "Move, turn over, lay down or take off one coin of the virtual table.",
         answers.VirtualState, takes=Carry),
    Call("post", "/api/virtual/arrange", "Set the virtual table as the game wants it.", answers.VirtualState,
         takes=Nothing),
    Call("post", "/api/virtual/toss", "Toss coins into a zone.", answers.VirtualState, takes=TossBody),
    Call(
        "get", "/mat/{name}.pdf", "A mat to print.", PDF,
        within={"name": {"type": "string", "enum": list(mats.names())}},
        query={"paper": {"type": "string", "enum": list(PAPERS_MM), "default": "a3"}},
    ),
    Call("get", "/mat/coin-age:{name}.svg", "A map as a small drawing.", "image/svg+xml",
         within={"name": {"type": "string"}}),
    Call("get", "/api/calibrate", "Everything the wizard's page shows.", answers.WizardState),
    Call("get", "/api/calibrate/aim", "The first step on the newest picture; changes nothing.", answers.StepResult),
    Call("get", "/api/calibrate/picture/{step}.jpg", "What a step saw, with what it found drawn on it.", JPEG,
         within={"step": {"type": "string", "enum": list(get_args(StepName))}}),
    Call("post", "/api/calibrate/run", "Run a step on new pictures.", answers.StepRun, takes=StepBody),
    Call("post", "/api/calibrate/restart", "Start over.", answers.WizardState, takes=Nothing),
    Call("get", "/api/access", "How the table stands, and how the caller does.", answers.AccessState),
    Call("post", "/api/access/join", "Come in by the code at the table.", answers.AccessState, takes=CodeBody),
    Call("post", "/api/access/seat", "Sit down at a seat; a side's DONE may have to confirm it.", answers.AccessState,
         takes=SeatBody),
    Call("post", "/api/access/leave", "Give up the seat.", answers.AccessState, takes=Nothing),
    Call("get", "/api/access/table", "Who sits where.", answers.AccessTable),
    Call("post", "/api/access/admit", "Let the phone sit down that asks for a seat.", answers.AccessTable,
         takes=SeatBody),
    Call("post", "/api/access/free", "Free a seat.", answers.AccessTable, takes=SeatBody),
    Call("post", "/api/access/sign-in", "Become the owner by the PIN.", answers.AccessState, takes=PinBody),
    Call("post", "/api/access/sign-out", "Be the owner no more.", answers.AccessState, takes=Nothing),
    Call("post", "/api/access/open", "Open the table to the network.", answers.AccessState, takes=OpenBody),
    Call("post", "/api/access/pin", "Change the PIN.", answers.AccessState, takes=PinBody),
    Call("post", "/api/access/trust", "Whether everybody here is trusted.", answers.AccessState, takes=TrustBody),
    Call("post", "/api/access/close", "Close the table to the network.", answers.AccessState, takes=Nothing),
    Call("get", "/api/lobby", "The game that is laid out, and who is ready.", answers.LobbyState),
    Call("put", "/api/lobby", "Lay a game out.", answers.LobbyState, takes=_START),
    Call("post", "/api/lobby/me", "Say who sits at one's seat.", answers.LobbyState, takes=GuestBody, seated=True),
    Call("post", "/api/lobby/close", "Lay it aside.", answers.LobbyState, takes=Nothing),
    Call("post", "/api/lobby/begin", "Begin the game that is laid out.", answers.Told, takes=Nothing),
    Call("get", "/api/known", "The coins that the table remembers, and whether it learns.", answers.KnownCoins),
    Call("get", "/api/known/{number}.jpg", "A remembered coin.", JPEG, within=_RULING),
    Call("get", "/api/known/coins.npz", "All remembered coins, to be carried to another table.", BYTES),
    Call("post", "/api/known/learn", "Whether the table may learn its own coins.", answers.KnownCoins,
         takes=LearnBody),
    Call("post", "/api/known/forget", "Forget every coin.", answers.KnownCoins, takes=Nothing),
    Call("post", "/api/known/coins", "Remember the coins of another table too.", answers.KnownCoins,
         form={"coins": _FILE}),
    Call(
        "post", "/api/teach", "Learn a map from a photo of its card.", answers.Taught,
        form={"photo": _FILE, "lesson": {"type": "string", "description": "JSON: what was tapped on the photo."}},
    ),
    Call("post", "/api/teach/guess", "The card's shape, and which spaces are neighbours.", answers.Guessed,
         takes=TapsBody),
)  # fmt: skip


def document() -> Schema:
    """The whole OpenAPI 3.1 document."""
    paths: dict[str, Schema] = {}
    for call in CALLS:
        paths.setdefault(call.path, {})[call.method] = _operation(call)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tablecoin",
            "version": __version__,
            "description": "Pages, live stream and API of a running table.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "http://127.0.0.1:8000"}],
        "paths": paths,
        "components": {"schemas": schemas()},
    }


def schemas() -> dict[str, Schema]:
    """Name -> JSON schema of every shape in the document."""
    games = [rules.load(name) for name in rules.NAMES]
    parts = [kind for game in games for kind in (*game.action_types, game.options_type)]
    kinds = [*_ANSWERS, *_BODIES, *_COMMANDS, *parts]
    found, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    made, ref = dict(components), dict(zip(kinds, found, strict=True))
    for schema in made.values():
        if "description" in schema:  # a docstring
            schema["description"] = cleandoc(schema["description"])
    names = {kind: ref[kind]["$ref"].removeprefix(_REF.format(name="")) for kind in _COMMANDS}
    for name in names.values():  # the path says which command it is: the body has no tag
        made[name]["properties"].pop("type")
        made[name]["required"].remove("type")
    start = made.pop(names[commands.Start])
    made[_START] = {"anyOf": [_started(start, game.name, ref[game.options_type]) for game in games]}
    every = {json.dumps(ref[kind]): ref[kind] for game in games for kind in game.action_types}  # each once
    made[_ACT] = {"anyOf": list(every.values())}
    made[_CORRECT] = {"anyOf": [ref[commands.Correct], ref[commands.Reread]]}
    return _renamed(_evened(made), {name: f"{kind.__name__}Body" for kind, name in names.items() if name in made})


def _started(start: Schema, game: str, options: Schema) -> Schema:
    """The body that starts one game: its own house rules stand under `options`."""
    return start | {"properties": start["properties"] | {"game": {"const": game}, "options": options}}


def _evened(schema: Any) -> Any:
    """A tuple whose members are all alike, written as a list of that length: schemathesis 4.32 fails on the other."""
    match schema:
        case {"prefixItems": [first, *others], **rest} if all(other == first for other in others):
            return rest | {"items": _evened(first)}
        case dict():
            return {key: _evened(value) for key, value in schema.items()}
        case list():
            return [_evened(value) for value in schema]
        case _:
            return schema


def _renamed(components: dict[str, Schema], names: Mapping[str, str]) -> dict[str, Schema]:
    """The components under their new `names`. One that shares its name with a struct of another room comes with its
    module's name: `tablecoin.rules.coin_age.state.Toss` is called CoinAgeToss."""
    new = dict(names)
    for name in components:
        if "." in name and name not in new:
            new[name] = f"{name.split('.')[2].title().replace('_', '')}{name.rpartition('.')[2]}"
    text = json.dumps(components)
    for old, name in new.items():
        text = text.replace(json.dumps(_REF.format(name=old)), json.dumps(_REF.format(name=name)))
    made = {new.get(name, name): schema for name, schema in json.loads(text).items()}
    assert len(made) == len(components), "two schemas of one name"
    return made


def _operation(call: Call) -> Schema:
    ok: Schema = {"description": call.what, "content": _content(call.gives)}
    problem = {"description": "One sentence saying what is wrong.", "content": _content(answers.Problem)}
    answered = {"200": ok} | ({"204": {"description": call.empty}} if call.empty else {})
    operation: Schema = {"summary": call.what, "responses": answered | {"4XX": problem, "5XX": problem}}
    if least := least_role(call.method.upper(), re.sub(r"\{\w+\}", "0", call.path)):
        operation["x-least-role"] = least.name.lower()
    if parameters := list(_parameters(call)):
        operation["parameters"] = parameters
    if call.takes is Nothing:
        operation["requestBody"] = {"content": {"application/json": {"schema": _NOTHING}}}
    elif call.takes:
        operation["requestBody"] = {"required": True, "content": _content(call.takes, "application/json")}
    elif call.form:
        schema = {"type": "object", "properties": call.form, "additionalProperties": False}
        schema["required"] = [name for name in call.form if name != "map"]
        operation["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": schema}}}
    return operation


_NOTHING: Schema = {"type": "object", "additionalProperties": False}


def _content(gives: type[msgspec.Struct] | str, media: str | None = None) -> Schema:
    if isinstance(gives, str) and media is None:
        return {gives: {"schema": {"type": "object" if gives.endswith("+json") else "string"}}}
    name = gives if isinstance(gives, str) else gives.__name__
    return {media or "application/json": {"schema": {"$ref": _REF.format(name=name)}}}


def _parameters(call: Call) -> Iterator[Schema]:
    for name, schema in (call.within or {}).items():
        shown = {"example": _FIRST_TOSS} if name == "number" else {}
        yield {"name": name, "in": "path", "required": True, "schema": schema} | shown
    for name, schema in (call.query or {}).items():
        yield {"name": name, "in": "query", "schema": schema}
    if call.seated:
        said = "The seat it speaks for, percent-encoded; at an open table only its own. Left out: that, or all."
        yield {"name": "X-Seat", "in": "header", "description": said, "schema": {"type": "string"}}
        yield {"name": "seat", "in": "query", "description": "The same, where no header can be sent.",
               "schema": {"type": "string"}}  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(document(), indent=1, ensure_ascii=False))
