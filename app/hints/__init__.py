"""What the solver tells at the table: whether a game can still be won, and a proven next move."""
