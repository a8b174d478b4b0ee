"""Games: one player's play of one deal, kept by the server."""
