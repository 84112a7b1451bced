"""Values of Python as JSON and back: dataclasses, Pydantic's models, Decimal, dates, enumerations."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, TypeGuard, TypeVar, Union, cast

T = TypeVar("T")

_FORMATS: dict[type, dict[str, Any]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    Decimal: {"type": "number"},
    str: {"type": "string"},
    dt.datetime: {"type": "string", "format": "date-time"},
    dt.date: {"type": "string", "format": "date"},
    dt.time: {"type": "string", "format": "time"},
}


def to_json(value: object) -> Any:
    """As JSON; a Decimal is a number where a double holds it, else its text."""
    if value is None or isinstance(value, (str, bool, int, float)) and not isinstance(value, enum.Enum):
        return value
    if isinstance(value, Decimal):
        return float(value) if Decimal(repr(float(value))) == value else str(value)
    if isinstance(value, enum.Enum):
        return to_json(value.value)
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if _is_model(type(value)):
        return to_json(cast(Any, value).model_dump())
    if isinstance(value, Mapping):
        return {str(name): to_json(one) for name, one in cast("Mapping[object, object]", value).items()}
    if isinstance(value, (Sequence, set, frozenset)) and not isinstance(value, (bytes, bytearray)):
        return [to_json(one) for one in cast("Iterable[object]", value)]
    if hasattr(value, "__fspath__") or type(value).__name__ == "UUID":
        return str(value)
    raise TypeError(f"{type(value).__name__} is no value that can be shown to people; give text, numbers, dates or lists of them")


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_model(of: object) -> bool:
    return isinstance(of, type) and hasattr(of, "model_json_schema") and hasattr(of, "model_validate")


def schema_of(of: type[object]) -> dict[str, Any]:
    """The JSON Schema of a dataclass or of one of Pydantic's models."""
    if _is_model(of):
        return cast("dict[str, Any]", _with_numbers(cast(Any, of).model_json_schema()))
    if not dataclasses.is_dataclass(of):
        raise TypeError(f"schema: {of.__name__} is neither a dataclass nor one of Pydantic's models")
    hints = typing.get_type_hints(of, include_extras=True)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for field in dataclasses.fields(of):
        has_default = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        title = field.metadata.get("title")
        properties[field.name] = {**_schema(hints[field.name]), **({"title": title} if title else {})}
        if field.default is not dataclasses.MISSING and field.default is not None:
            properties[field.name]["default"] = to_json(field.default)
        if not has_default:
            required.append(field.name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _with_numbers(schema: Any) -> Any:
    """Pydantic gives a Decimal as a number or a text; people are asked for the number."""
    if _is_list(schema):
        return [_with_numbers(one) for one in schema]
    if not _is_object(schema):
        return schema
    of = schema
    either = cast("list[dict[str, Any]]", of.get("anyOf", []))
    kinds = [one.get("type") for one in either]
    if "number" in kinds and "string" in kinds:
        left = [one for one in either if one.get("type") != "string"]
        rest = {name: value for name, value in of.items() if name != "anyOf"}
        of = {**rest, **left[0]} if len(left) == 1 else {**rest, "anyOf": left}
    return {name: _with_numbers(value) for name, value in of.items()}


def _schema(hint: Any) -> dict[str, Any]:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        words = [one for one in args[1:] if isinstance(one, str)]
        return {**_schema(args[0]), **({"description": words[0]} if words else {})}
    if origin in (Union, types.UnionType):
        rest = [one for one in args if one is not type(None)]
        if len(rest) == 1 and len(rest) < len(args):
            return {"anyOf": [_schema(rest[0]), {"type": "null"}]}
    if origin is Literal:
        return {"enum": [to_json(one) for one in args]}
    if origin in (list, Sequence, set, frozenset) and args:
        return {"type": "array", "items": _schema(args[0])}
    if isinstance(hint, type):
        kind = cast("type[object]", hint)
        if issubclass(kind, enum.Enum):
            return {"enum": [to_json(one) for one in kind]}
        if dataclasses.is_dataclass(kind) or _is_model(kind):
            return schema_of(kind)
        if kind in _FORMATS:
            return dict(_FORMATS[kind])
    raise TypeError(f"schema: {hint} is no type that people can be asked for; take text, numbers, dates, choices, lists of them")


def from_json(of: type[T], values: Mapping[str, Any]) -> T:
    """A dataclass or one of Pydantic's models with these values."""
    if _is_model(of):
        return cast(T, cast(Any, of).model_validate(dict(values)))
    hints = typing.get_type_hints(of, include_extras=True)
    given = {name: convert(hints[name], value) for name, value in values.items() if name in hints}
    return of(**given)


def convert(hint: Any, value: Any) -> Any:
    """A value of JSON as its type says; one that does not fit, or has no type, stays as it is."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return convert(args[0], value)
    if origin in (Union, types.UnionType):
        rest = [one for one in args if one is not type(None)]
        return None if value is None else convert(rest[0], value) if len(rest) == 1 else value
    if origin in (list, set, frozenset, Sequence) and args and _is_list(value):
        made = [convert(args[0], one) for one in value]
        return set(made) if origin is set else frozenset(made) if origin is frozenset else made
    return _converted(cast("type[Any]", hint), value) if isinstance(hint, type) and value is not None else value


def _converted(kind: type[Any], value: object) -> Any:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is Decimal and (is_number or isinstance(value, str)):
        return Decimal(str(value))
    if kind is float and is_number:
        return float(cast(float, value))
    if isinstance(value, str) and kind is dt.datetime:
        return dt.datetime.fromisoformat(value.replace("Z", "+00:00"))
    if isinstance(value, str) and kind in (dt.date, dt.time):
        return kind.fromisoformat(value)
    if issubclass(kind, enum.Enum):
        return kind(value)
    if _is_object(value) and (dataclasses.is_dataclass(kind) or _is_model(kind)):
        return from_json(kind, value)
    return value


def args_as_given(tool: str | Callable[..., Any], given: Mapping[str, Any], approved: Mapping[str, Any]) -> dict[str, Any]:
    """What was approved, as the values that were given; what people changed has the type of the tool's parameter."""
    hints: dict[str, Any] = {}
    if not isinstance(tool, str) and not inspect.isclass(tool):
        hints = typing.get_type_hints(tool)
    made: dict[str, Any] = {}
    for name, value in approved.items():
        before = given.get(name)
        if name in given and to_json(before) == value:
            made[name] = before
        else:
            made[name] = convert(hints.get(name, type(before) if name in given else None), value)
    return made
