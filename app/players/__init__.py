"""Players: an opaque cookie, and a display name."""
