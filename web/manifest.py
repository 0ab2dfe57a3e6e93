"""The web app manifest: with it a phone keeps the page among its apps, under its own icon and without the bar."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, url_for

PATH = "/app.webmanifest"
_SIZES_PX = (192, 512)  # what Chrome asks for; drawn from icon.svg to its very edge, so that phones may cut a shape out


def blueprint() -> Blueprint:
    routes = Blueprint("manifest", __name__)

    @routes.get(PATH)
    def manifest() -> Response:
        icons = [
            {
                "src": url_for("static", filename=f"icon-{side}.png"),
                "sizes": f"{side}x{side}",
                "type": "image/png",
                "purpose": "any maskable",
            }
            for side in _SIZES_PX
        ]
        told = {
            "name": "tablecoin",
            "short_name": "tablecoin",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#f4efe4",
            "theme_color": "#174a38",
            "icons": icons,
        }
        answer = Response(msgspec.json.encode(told), mimetype="application/manifest+json")
        answer.headers["Cache-Control"] = "no-cache"  # its icons' addresses change with the program
        return answer

    return routes
