"""The forms that every move sends, read by hand: the framework's way costs more than the move.

Whatever else a page sends is declared in its route, as FastAPI has it.
"""

from __future__ import annotations

from typing import TypeVar
from urllib.parse import parse_qsl

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

M = TypeVar("M", bound=BaseModel)
URL_ENCODED = "application/x-www-form-urlencoded"
_MOST_FIELDS = 20


async def form_of(request: Request, model: type[M]) -> M:
    """A request's form as a model; of a field given twice the last counts, as FastAPI has it.

    Raises RequestValidationError, with the faults where FastAPI would have them.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    fields: dict[str, object]
    if kind == URL_ENCODED:
        text = (await request.body()).decode("utf-8", "replace")
        try:
            fields = dict(parse_qsl(text, max_num_fields=_MOST_FIELDS))
        except ValueError:
            fault = {"type": "too_many", "loc": ("body",), "msg": "Too many fields", "input": None}
            raise RequestValidationError([fault]) from None
    else:  # a form with files in it, or no form: starlette knows
        async with request.form(max_fields=_MOST_FIELDS) as form:
            fields = dict(form)
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise RequestValidationError(
            [{**fault, "loc": ("body", *fault["loc"])} for fault in error.errors()]
        ) from None
