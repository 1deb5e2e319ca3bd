"""Stacklaw proves what a game's priority and stack rules guarantee, and shows the play that breaks them."""

from __future__ import annotations

TYPE_CHECKING = False  # not that of `typing`, which takes long to import: a signal may come before anybody takes it

if TYPE_CHECKING:
    from .checker.api import check
    from .checker.rulings.api import ask

__version__ = "0.1.0"
__all__ = ["__version__", "ask", "check"]


def __getattr__(name: str) -> object:
    """Import the checker when it is first asked for: ``import stacklaw`` alone stays light."""
    if name == "check":
        from .checker.api import check  # noqa: PLC0415 - `import stacklaw` alone stays light

        return check
    if name == "ask":
        from .checker.rulings.api import ask  # noqa: PLC0415 - as above

        return ask
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
