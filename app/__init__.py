"""The server: FastAPI over the engine, one service layer behind HTML and JSON."""
