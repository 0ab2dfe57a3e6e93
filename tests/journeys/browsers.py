"""The browsers of the people in the journeys. Each keeps its cache over the tests of a process, and nothing else."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.journeys.running import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

LOCALES = {"en": "en-US", "zh": "zh-CN"}  # of the browsers: each page speaks its browser's language
FORGOTTEN = "cookies,local_storage,indexeddb,service_workers,cache_storage"  # by `close`; what is left is the cache


class Browsers:
    """One browser a person and language. A page that opens costs three times as much where nothing is cached yet."""

    def __init__(self, chromium: Browser) -> None:
        self._chromium = chromium
        self._kept: dict[tuple[str, str], BrowserContext] = {}
        self.problems: list[str] = []  # what the pages' JavaScript threw

    def page(self, who: str, size: ViewportSize, language: str = "en") -> Page:
        """A new page in the browser of `who`."""
        if (who, language) not in self._kept:
            self._kept[who, language] = self._chromium.new_context(locale=LOCALES[language], reduced_motion="reduce")
        page = self._kept[who, language].new_page()
        page.set_viewport_size(size)
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        return page

    def close(self) -> None:
        """Close every page, and forget what the pages stored."""
        from playwright.sync_api import Error

        for context in self._kept.values():
            for page in context.pages:
                origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
                with suppress(Error):  # a page that never opened has no origin
                    told = {"origin": origin, "storageTypes": FORGOTTEN}
                    context.new_cdp_session(page).send("Storage.clearDataForOrigin", told)
                page.close()
            context.clear_cookies()
