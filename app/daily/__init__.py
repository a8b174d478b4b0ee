"""Daily deals: one sealed, winnable deal a game and UTC day, with a calendar and a streak."""
