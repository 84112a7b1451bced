"""``@requires_approval``: a function that is called only as people approved it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast, overload

from ._client import AsyncStandfast, Standfast
from ._question import Approval, ApproveOptions
from .errors import NotApproved

if TYPE_CHECKING:
    from typing_extensions import Unpack

P = ParamSpec("P")
R = TypeVar("R")


@overload
def requires_approval(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def requires_approval(
    *,
    client: Standfast | AsyncStandfast | None = None,
    named: Callable[P, str] | None = None,
    timeout: float | None = None,
    **options: Unpack[ApproveOptions],
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def requires_approval(
    function: Callable[P, R] | None = None,
    /,
    *,
    client: Standfast | AsyncStandfast | None = None,
    named: Callable[P, str] | None = None,
    timeout: float | None = None,
    **options: Unpack[ApproveOptions],
) -> Callable[P, R] | Callable[[Callable[P, R]], Callable[P, R]]:
    """Calls the function with the arguments that people approved; without their yes ``NotApproved`` is raised.

    ``named`` makes the question's id of the arguments, so that a program that starts again finds the same question.
    """

    def decorate(tool: Callable[P, R]) -> Callable[P, R]:
        if any(one.kind is one.VAR_POSITIONAL for one in inspect.signature(tool).parameters.values()):
            raise TypeError(f"{tool.__name__}: people approve arguments by name; it takes any number without one")
        make: Callable[..., Callable[..., Any]] = _async_of if inspect.iscoroutinefunction(tool) else _sync_of
        return functools.wraps(tool)(cast("Callable[P, R]", make(tool, client, named, timeout, options)))

    return decorate if function is None else decorate(function)


def _named(
    tool: Callable[..., Any], named: Callable[..., str] | None, options: ApproveOptions, args: Any, kwargs: Any
) -> tuple[dict[str, Any], ApproveOptions]:
    bound = inspect.signature(tool).bind(*args, **kwargs)
    bound.apply_defaults()
    given: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        is_rest = bound.signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD
        given.update(value if is_rest else {name: value})
    options = cast(ApproveOptions, dict(options))
    if named is not None:
        options["id"] = named(*args, **kwargs)
    return given, options


def _sync_of(
    tool: Callable[..., Any],
    client: Standfast | AsyncStandfast | None,
    named: Callable[..., str] | None,
    timeout: float | None,
    options: ApproveOptions,
) -> Callable[..., Any]:
    if isinstance(client, AsyncStandfast):
        raise TypeError(f"{tool.__name__} is no coroutine function: give it a Standfast, or make it one")

    def call(*args: Any, **kwargs: Any) -> Any:
        given, more = _named(tool, named, options, args, kwargs)
        return tool(**_approved((client or Standfast()).approve(tool, given, timeout=timeout, **more)))

    return call


def _async_of(
    tool: Callable[..., Awaitable[Any]],
    client: Standfast | AsyncStandfast | None,
    named: Callable[..., str] | None,
    timeout: float | None,
    options: ApproveOptions,
) -> Callable[..., Any]:
    if isinstance(client, Standfast):
        raise TypeError(f"{tool.__name__} is a coroutine function: give it an AsyncStandfast")

    async def call(*args: Any, **kwargs: Any) -> Any:
        given, more = _named(tool, named, options, args, kwargs)
        if client is not None:
            return await tool(**_approved(await client.approve(tool, given, timeout=timeout, **more)))
        async with AsyncStandfast() as own:
            approval = await own.approve(tool, given, timeout=timeout, **more)
        return await tool(**_approved(approval))

    return call


def _approved(approval: Approval) -> dict[str, Any]:
    if approval:
        return approval.args
    raise NotApproved(approval.id, approval.by, approval.reason)
