"""club.toml: what a club is called, where its broker is, and where its pages are served.

    name = "Coin club"

    [mqtt]
    broker = "192.168.1.20"
    user = "club"
    password = "..."

docs/club.md lists every key. Without a broker the club shows the tables of `tables`, over their own pages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from tablecoin.mqtt.options import BrokerOptions
from tablecoin.rules.plain import plain
from tablecoin.rules.rulebook import Complaint, LanguageChoice, Message
from tablecoin.storage import durable, given
from tablecoin.storage.documents import DocumentError, read_toml

DEFAULT_FILE = Path("club.toml")
_LARGEST = 100_000  # bytes

Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]
NoNul = Annotated[str, msgspec.Meta(pattern=r"^[^\x00]*$")]
ShortName = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class SettingsError(Complaint, ValueError):
    """club.toml cannot be used: one sentence that names what is wrong and what would be right."""


class Web(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the pages are served while the club is closed: 127.0.0.1 to this machine alone. Open: to the network."""

    host: Annotated[str, msgspec.Meta(min_length=1)] = "127.0.0.1"
    port: Port = 8100  # 0: any free one
    hosts: tuple[str, ...] = ()  # names it answers to, besides its addresses and the machine's name


class ClubSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set."""

    name: ShortName = "Coin club"
    data: NoNul = ""  # the folder of club.db; empty: beside where tables keep theirs
    language: LanguageChoice = "auto"
    mqtt: BrokerOptions = BrokerOptions()  # as a table's section [mqtt]
    web: Web = Web()
    tables: tuple[str, ...] = ("http://127.0.0.1:8000",)  # read over HTTP where no broker is set

    @property
    def data_dir(self) -> Path:
        """`data`, else ~/.local/share/tablecoin-club. It may not exist yet."""
        return durable.expanded(self.data or "~/.local/share/tablecoin-club")


def load(path: Path | None = None) -> ClubSettings:
    """The settings in `path`; for None those in ./club.toml, or the defaults where there is no such file.

    Raises SettingsError.
    """
    file = path or DEFAULT_FILE
    try:
        raw = read_toml(given.read(file, _LARGEST).decode())
    except FileNotFoundError as error:
        if path is None:
            return ClubSettings()
        raise _wrong("club.file", file, error) from None
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong("club.file", file, error) from None
    except DocumentError as error:
        raise SettingsError(Message("club.toml", {"file": str(file), "why": str(error)})) from None
    try:
        settings = msgspec.convert(raw, ClubSettings)
    except msgspec.ValidationError as error:
        why = plain(error, raw, ClubSettings)
        raise SettingsError(Message("club.setting", {"file": str(file), "why": why})) from None
    for url in settings.tables:
        if not _is_address(url):
            raise SettingsError(Message("club.table_url", {"file": str(file), "url": url[:80]}))
    return settings


def with_flags(
    settings: ClubSettings, *, host: str | None = None, port: int | None = None, data: str | None = None
) -> ClubSettings:
    """The settings with the flags of the command line; None: not given."""
    web = replace(settings.web, host=host or settings.web.host, port=settings.web.port if port is None else port)
    return replace(settings, web=web, data=settings.data if data is None else data)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _wrong(key: str, file: Path, error: Exception) -> SettingsError:
    why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
    return SettingsError(Message(key, {"file": str(file), "why": why or "?"}))
