"""How often games with such a share of won samples were won in the end."""

from __future__ import annotations


def chance(rule: str, hidden: int, share: float) -> int | None:
    """About how many of ten such games are won by the expert."""
    return None
