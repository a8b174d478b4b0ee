"""The description of the JSON: FastAPI's, with refusals as they are sent."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from app.responses import PROBLEM_JSON

_PROBLEM = {"schema": {"$ref": "#/components/schemas/ProblemOut"}}
_FRAMEWORKS_OWN = ("HTTPValidationError", "ValidationError")


def describe_problems(app: FastAPI) -> None:
    """Have every refusal described as the problem document that it is."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = made()
            for operations in schema["paths"].values():
                for operation in operations.values():
                    for status, answer in operation["responses"].items():
                        if status.startswith("4"):
                            answer["content"] = {PROBLEM_JSON: _PROBLEM}
            for name in _FRAMEWORKS_OWN:
                schema["components"]["schemas"].pop(name, None)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
