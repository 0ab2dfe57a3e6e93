"""What is right at each door: the content that made-up cases are made of."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np
import PIL.Image

from tablecoin import rules
from tablecoin.coins import BY_VALUE, Face
from tablecoin.journal.chain import Row
from tablecoin.storage import mapfiles
from tablecoin.vision import calibrated
from tablecoin.vision.coins.enrolment import Count, Enrolment
from tablecoin.vision.coins.neighbours import FEATURES
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.remembered import Remembered, RememberedCoin
from tablecoin.vision.coins.remembered_file import packed
from web.openapi import CALLS

SETTINGS = b"""data = "/srv/tablecoin"
[camera]
source = "usb:0"
colour_gains = [1.9, 1.4]
driver = { focus = 35 }
[table]
still_s = 0.8
[panel]
kind = "gpio"
[panel.pins]
heads_done = 5
[web]
host = "0.0.0.0"
hosts = ["coins.example"]
[virtual]
skin = "my-coins"
"""
LESSON_TOML = b"""name = "ours"
title = "Our Island"
size_mm = [210, 148]
neighbours = [[0, 1]]
corners_px = [[101, 92], [900, 95], [905, 640], [99, 633]]
[[regions]]
id = "A"
name = "Hills"
[[spaces]]
region = "A"
at_px = [812, 604]
[[spaces]]
region = "A"
at_px = [412, 304]
"""
LESSON = b"""{"name": "ours", "title": "Our Island", "size_mm": [210, 148], "neighbours": [[0, 1]],
 "regions": [{"id": "A"}], "spaces": [{"region": "A", "at_px": [812, 604]}, {"region": "A", "at_px": [412, 304]}]}"""
VIRTUAL = (
    b'{"mat":"two-row","coins":[{"denomination":"penny","face":"heads","x_mm":80.0,"y_mm":250.0,"angle_deg":10.0,'
    b'"design":3,"lean_deg":0.0},{"denomination":"dime","face":"tails","x_mm":100.0,"y_mm":150.0}]}'
)
SCRIPT = b"""place penny heads row.heads
place dime tails 210 40   # a comment
move penny row.heads row.tails
flip dime bank.tails
toss tray penny penny dime
hand on row.heads
fault glare on
wait 0.5
press heads.done
clear tray
"""
LABELS = b"""image,cx_px,cy_px,r_px,denomination,face,complete
ann/1.jpg,100.5,200,40,penny,heads,yes
ann/1.jpg,300,200,38,dime,tails,yes
"""
TOSS = b'{"do":"flip","coins":["penny:heads","penny:heads","penny:heads","penny:tails","penny:tails"]}'
RECORDS = (
    b"""{"game": "steal", "options": {"starter": "heads"}}
{"action": %b, "ok": true}
{"event": "undo"}
{"event": "correct", "place_mm": [1, 2], "denomination": "penny", "face": "heads"}
"""
    % TOSS,
    *(b'{"game": "%b"}\n{"event": "undo"}\n' % name.encode() for name in rules.NAMES),
)
SECOND_COPY = b"".join(
    msgspec.json.encode(Row(n, 1, "2026-11-22T12:00:00+00:00", "{}", None, f"{n:064x}")) + b"\n" for n in (1, 2, 3)
)
LINES = (
    TOSS
    + b"""
{"do": "place", "coin": "nickel"}
{"do": "done"}
{"do": "convert", "give": {"penny": 5}, "take": "nickel"}
""",
    b'{"do": "commit", "seat": "1", "action": "steal", "target": "2", "amount": 4}\n{"do": "reveal"}\n',
    b'{"do": "move", "from": "M1", "to": "M4"}\n{"do": "capture", "space": "M1"}\n',
    b'{"do": "scene", "name": "Ann", "title": "A", "text": "b", "components": {"bodiness": 4}}\n{"do": "draw"}\n',
)
COMMANDS = (
    b'{"start": {"game": "steal", "options": {"starter": "heads"}, "seats": {"heads": "person"}, "level": "easy"}}',
    b'{"start": {"game": "coin-age", "options": {"map": "classic"}}}',
    b'{"act": %b}' % TOSS,
    b'{"press": "heads.done"}',
    b'{"answer": {"choice": 0, "text": "yes"}}',
    b'{"correct": {"coin": 0, "denomination": "dime", "face": "heads", "center_mm": [1, 2]}}',
    b'{"correct": {"ruling": 1, "coins": ["penny:heads"]}}',
    b'{"undo": true}',
)
BODIES = (
    b'{"coins": [{"denomination": "penny", "face": "heads", "x_mm": 80, "y_mm": 250}], "faults": {"glare": true}}',
    b'{"size_px": [1200, 800], "corners_px": [[1, 2], [1100, 3], [1104, 700], [4, 705]], "spaces_px": [[300, 300]]}',
    b'{"learn": "on"}',
    b'{"step": "enrol", "tray": {"coins": {"penny": 4}, "face": "heads"}}',
    b'{"coins": {"penny": 3}, "zone": "tray"}',
    b'{"map": "classic", "spaces": {"M1": ["penny:heads"]}, "banks": {"heads": {"dime": 1}}}',
)
WORDS = (
    b'judge\0steal\0--options\0{"starter": "heads"}',
    b"judge\0coin-age\0--from\0record.jsonl",
    b"games\0steal\0--lang\0zh",
    b"replay\0record.jsonl\0--json",
    b"mat\0two-row\0--paper\0a4\0-o\0mat.svg",
    b"scorecard\0labels.csv\0--images\0.",
    b"look\0photo.jpg\0--mat\0none\0--json",
    b'score\0photo.jpg\0--map\0classic\0--bank\0heads={"dime": 1}',
    b"restore\0backup.tar\0--data\0.",
    b"calibrate\0teach\0photo.jpg\0lesson.json",
)
_MODES = {
    "png": ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"),
    "jpeg": ("L", "RGB", "CMYK"),
    "webp": ("RGB", "RGBA"),
    "tiff": ("1", "L", "RGB", "RGBA", "CMYK", "F", "I;16", "LAB"),
    "bmp": ("1", "L", "RGB"),
    "gif": ("L", "P"),
    "ppm": ("L", "RGB"),
}
_OWN_MODES = ("F", "I;16", "LAB")  # colours cannot be converted to these, so the picture is black


def shipped_maps() -> list[bytes]:
    """The TOML of the maps that come with tablecoin."""
    return [mapfiles.text(name).encode() for name in mapfiles.shipped()]


def calibration() -> bytes:
    """calibration.json with most of its parts."""
    begun = msgspec.to_builtins(calibrated.Calibration.begin("webcam 0", (1280, 960), "2026-11-22T12:00:00+00:00"))
    begun["light"] = {"gains": [[1.0, 1.1], [0.9, 1.0]], "colour": [1.0, 1.0, 1.1]}
    homography = [0.3, 0, 0, 0, 0.3, 0, 0, 0, 1]
    begun["plane"] = {"mat": "two-row", "homography": homography, "residual_mm": 0.1, "mm_per_px": 0.3}
    begun["sizes"] = [{"coin": "penny", "true_mm": 19.05, "measured_mm": 19.0}]
    return msgspec.json.encode(begun)


def own_coins(folder: Path, network: Identifier) -> bytes:
    """coins.npz. A file is written into `folder`."""
    change = np.random.default_rng(1).normal(0, 0.1, (6, 193)).astype(np.float32)
    Enrolment(change, network.network, 24, Count(13, 1, 0), Count(24, 7, 0)).save(folder / "coins.npz")
    return (folder / "coins.npz").read_bytes()


def known_coins(network: Identifier) -> bytes:
    """known.npz with a coin of each denomination."""
    features, logits = np.ones((4, FEATURES), np.float32), np.zeros((4, 6), np.float32)
    coins = [
        RememberedCoin(features * k, logits, kind, Face.HEADS, "answer", k, b"\xff\xd8a picture", 0.03)
        for k, kind in enumerate(BY_VALUE)
    ]
    return packed(Remembered(network.recogniser, tuple(coins)))


def positions() -> list[bytes]:
    """The state at the start of each game."""
    found = []
    for name in rules.NAMES:
        game = rules.load(name)
        found.append(msgspec.json.encode(game.write_state(game.start(game.read_options({})))))
    return found


def pictures() -> Iterator[bytes]:
    """A small picture in every mode of every format, and 12 million black pixels in some 30 kB."""
    yield cv2.imencode(".png", np.zeros((3000, 4000, 3), np.uint8), [cv2.IMWRITE_PNG_COMPRESSION, 9])[1].tobytes()
    colours = PIL.Image.fromarray(np.random.default_rng(3).integers(0, 256, (40, 60, 3)).astype(np.uint8))
    for form, modes in _MODES.items():
        for mode in modes:
            picture = PIL.Image.new(mode, colours.size) if mode in _OWN_MODES else colours.convert(mode)
            file = io.BytesIO()
            picture.save(file, form)
            yield file.getvalue()


def calls() -> list[bytes]:
    """Every call of the web API but the endless one, with each body where it takes one."""
    made = []
    for call in CALLS:
        path = re.sub(r"\{\w+\}", "two-row", call.path)
        if path != "/api/stream":
            bodies = BODIES if call.takes or call.form else (b"",)
            made += [f"{call.method.upper()} {path} application/json\n".encode() + body for body in bodies]
    return made
