"""Boards, records and codes that a player pastes."""
