"""Statistics: what a player has played and won, counted once a game."""
