"""What can keep a program from an answer, each as an error of its own."""

from __future__ import annotations


class HoldpointError(Exception):
    """Any of the errors below."""


class RequestRefused(HoldpointError):
    """Holdpoint refused the request: a wrong key, a policy that may not be named, an id used for another question."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.status = status
        #: One of the codes in Holdpoint's docs/errors.md.
        self.code = code
        self.detail = detail


class HoldpointUnreachable(HoldpointError):
    """Holdpoint did not answer for longer than ``outage``; the question, once asked, is open still."""


class NotAnswered(HoldpointError):
    """The question has no answer; ``id`` names it."""

    def __init__(self, message: str, id: str) -> None:
        super().__init__(message)
        self.id = id


class StillWaiting(NotAnswered):
    """``timeout`` is over and the question is open: the same ``id`` waits on."""


class QuestionRefused(NotAnswered):
    """A person refused to answer."""

    def __init__(self, id: str, by: str, reason: str | None) -> None:
        super().__init__(f"{by} refused the question" + (f": {reason}" if reason else ""), id)
        self.by = by
        self.reason = reason


class QuestionExpired(NotAnswered):
    """No one answered in time, and the policy says that this is not an answer."""


class QuestionCancelled(NotAnswered):
    """The question was cancelled or withdrawn before anybody answered."""
