"""Whether what was sent comes back."""

from __future__ import annotations

from tablecoin.publishing.echo import Echo


def test_an_echo_is_missing_once_a_slow_broker_would_have_sent_it() -> None:
    echo = Echo()
    assert not echo.is_missing(1000.0)
    echo.sent(1000.0)
    echo.sent(1015.0)
    assert not echo.is_missing(1020.0)
    assert echo.is_missing(1020.5)
    echo.heard()
    assert not echo.is_missing(1021.0)
    echo.sent(1021.0)
    assert not echo.is_missing(1041.0)
