"""Races: several players on one sealed deal at once, and one against the computer."""
