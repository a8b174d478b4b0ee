"""A player's account: on several devices, by a link or a password; leaving, taking all along."""
