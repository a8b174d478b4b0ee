"""Replays: a finished game move by move, from its own events."""
