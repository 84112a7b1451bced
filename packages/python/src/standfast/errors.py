"""What can keep a program from an answer, each as an error of its own."""

from __future__ import annotations


class StandfastError(Exception):
    """Any of the errors below."""


class RequestRefused(StandfastError):
    """Standfast refused the request: a wrong key, a policy that may not be named, an id used for another question."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.status = status
        #: One of the codes in Standfast's docs/errors.md.
        self.code = code
        self.detail = detail


class WrongAddress(StandfastError):
    """What is at ``url`` can never be asked: no http(s) address, no Standfast, or another protocol than the address says."""


class StandfastUnreachable(StandfastError):
    """Standfast did not answer for ``outage`` seconds, or within ``timeout``; ``id`` asks again, or waits on."""

    def __init__(self, message: str, id: str | None = None, *, asked: bool = False) -> None:
        super().__init__(message)
        self.id = id
        #: True: Standfast has taken the question, and it is open. False: no request of it was answered.
        self.asked = asked


class NotAnswered(StandfastError):
    """The question has no answer; ``id`` names it, and ``link`` is its page where it has one."""

    def __init__(self, message: str, id: str, link: str | None = None) -> None:
        super().__init__(message)
        self.id = id
        self.link = link


class StillWaiting(NotAnswered):
    """``timeout`` is over and the question is open: the same ``id`` waits on."""


class QuestionRefused(NotAnswered):
    """A person refused to answer."""

    def __init__(self, id: str, by: str, reason: str | None, link: str | None = None) -> None:
        super().__init__(f"{by} refused the question" + (f": {reason}" if reason else ""), id, link)
        self.by = by
        self.reason = reason


class NotApproved(QuestionRefused):
    """A person did not approve a call of a function that is under ``requires_approval``; it was not called."""


class QuestionExpired(NotAnswered):
    """No one answered in time, and the policy says that this is not an answer."""


class QuestionCancelled(NotAnswered):
    """The question was cancelled or withdrawn before anybody answered."""
