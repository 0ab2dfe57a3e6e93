"""A club over messages that a test makes up, and a client of its application on the club's own machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tablecoin.club.ledger import Ledger
from web.access.gate import Gate
from web.club.app import create_app
from web.club.roles import least_role
from web.club.shown import ClubShown


@dataclass
class Club:
    ledger: Ledger
    shown: ClubShown
    gate: Gate
    app: Flask


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    ledger = Ledger(tmp_path, "Coin club")
    shown, gate = ClubShown(ledger.hall), Gate.of(tmp_path, (), least_role)
    yield Club(ledger, shown, gate, create_app(ledger, shown, gate, name="Coin club"))
    shown.stopping.set()
    ledger.close()


@pytest.fixture
def client(club: Club) -> FlaskClient:
    """On the club's own machine, and so the organiser's."""
    return club.app.test_client()
