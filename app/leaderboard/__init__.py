"""Leaderboards: per deal, and per game by day, week and all time."""
