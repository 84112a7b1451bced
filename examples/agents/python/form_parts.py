"""Forms as data parts, `a2a.hitl.form`, and what people filled in, `a2a.hitl.formResponse`."""

from typing import Any

from a2a.helpers import get_data_parts, new_data_part
from a2a.types import Message, Part

Json = dict[str, Any]


def form(form_id: str, title: str, fields: list[Json], **more: Any) -> Part:
    return new_data_part({'type': 'a2a.hitl.form', 'formId': form_id, 'title': title, 'fields': fields, **more})


def answers_in(message: Message) -> dict[str, Json]:
    """The values of each form that was answered, by its id."""
    responses = [data for data in get_data_parts(message.parts) if is_response(data)]
    return {str(one.get('formId')): values_of(one) for one in responses}


def is_response(data: Any) -> bool:
    return isinstance(data, dict) and data.get('type') == 'a2a.hitl.formResponse'


def values_of(response: Json) -> Json:
    values = response.get('values')
    return values if isinstance(values, dict) else {}


def whole(value: Any) -> Any:
    """Numbers of A2A's data are doubles: those that are whole become whole again."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: whole(item) for key, item in value.items()}
    return [whole(item) for item in value] if isinstance(value, list) else value
