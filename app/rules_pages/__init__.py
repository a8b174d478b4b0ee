"""The rules' pages: each game's rules, written from the data that the engine plays by."""
