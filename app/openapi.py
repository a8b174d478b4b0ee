"""The description of the JSON: FastAPI's, with refusals as they are sent."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from app.responses import PROBLEM_JSON

_PROBLEM = {"schema": {"$ref": "#/components/schemas/ProblemOut"}}
_FRAMEWORKS_OWN = ("HTTPValidationError", "ValidationError")


class Application(FastAPI):
    """FastAPI whose description shows every refusal as the problem document that it is."""

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI description, made once."""
        if self.openapi_schema is None:
            schema = super().openapi()
            for operations in schema["paths"].values():
                for operation in operations.values():
                    for status, answer in operation["responses"].items():
                        if status.startswith("4"):
                            answer["content"] = {PROBLEM_JSON: _PROBLEM}
            for name in _FRAMEWORKS_OWN:
                schema["components"]["schemas"].pop(name, None)
            self.openapi_schema = schema
        return self.openapi_schema
