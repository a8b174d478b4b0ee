"""Friends: found by a link alone, for the leaderboards' filter."""
