"""The catalogue: graded winnable deals of every game, each with a line that wins."""
