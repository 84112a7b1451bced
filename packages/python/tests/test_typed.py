"""Answers and arguments that have the types of the program."""

from __future__ import annotations

import asyncio
import datetime as dt
import enum
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

import standfast
from standfast import AsyncStandfast, File, Standfast, requires_approval
from standfast.__main__ import main
from stub_server import Stub, stub_server


class Centre(enum.Enum):
    SALES = "sales"
    WORKS = "works"


@dataclass
class Booking:
    centre: Centre
    amount: Decimal
    on: dt.date
    kind: Literal["cash", "credit"]
    note: Annotated[str | None, "What the auditor should know"] = None
    tags: list[str] | None = None


class Refund(BaseModel):
    amount: Decimal = Field(ge=0, title="Amount")
    on: dt.date
    note: str | None = None


@pytest.fixture
def stub() -> Iterator[Stub]:
    with stub_server() as server:
        yield server


def answered(stub: Stub, values: dict[str, Any]) -> None:
    stub.replies = [(202, {"status": "waiting"}), (200, {"status": "answered", "by": "ana", "values": values})]


# Promise OT12
def test_a_dataclass_is_the_form_that_people_fill_in_and_the_answer(stub: Stub) -> None:
    answered(stub, {"centre": "works", "amount": 42.1, "on": "2026-11-28", "kind": "cash", "note": None})
    proposed = Booking(Centre.SALES, Decimal("4210"), dt.date(2026, 11, 27), "credit")
    booking = Standfast(stub.url).ask("Where does it belong?", schema=Booking, defaults=proposed)
    assert booking == Booking(Centre.WORKS, Decimal("42.1"), dt.date(2026, 11, 28), "cash")
    asked = stub.requests[0][1]
    properties = asked["schema"]["properties"]
    assert (properties["amount"], properties["on"]) == ({"type": "number"}, {"type": "string", "format": "date"})
    assert properties["centre"] == {"enum": ["sales", "works"]} and properties["kind"] == {"enum": ["cash", "credit"]}
    assert properties["note"]["description"] == "What the auditor should know"
    assert asked["schema"]["required"] == ["centre", "amount", "on", "kind"]
    assert asked["defaults"]["on"] == "2026-11-27" and asked["defaults"]["centre"] == "sales"


# Promise OT12
def test_a_model_of_pydantic_is_the_form_and_the_answer_in_both_clients(stub: Stub) -> None:
    async def ask() -> Refund:
        async with AsyncStandfast(stub.url) as client:
            return await client.ask("How much?", schema=Refund)

    for asked in (lambda: Standfast(stub.url).ask("How much?", schema=Refund), lambda: asyncio.run(ask())):
        answered(stub, {"amount": 0.1, "on": "2026-11-28"})
        refund = asked()
        assert (refund.amount, refund.on, refund.note) == (Decimal("0.1"), dt.date(2026, 11, 28), None)
    amount = stub.requests[0][1]["schema"]["properties"]["amount"]
    assert (amount["type"], amount["title"], amount["minimum"]) == ("number", "Amount", 0)


def test_a_class_that_people_cannot_be_asked_for_is_refused_before_it_is_sent(stub: Stub) -> None:
    @dataclass
    class Odd:
        connection: complex

    with pytest.raises(TypeError, match="complex"):
        Standfast(stub.url).ask("q", schema=Odd)
    with pytest.raises(TypeError, match="neither a dataclass"):
        Standfast(stub.url).ask("q", schema=int)
    with pytest.raises(TypeError, match="unexpected keyword argument 'polcy'"):
        Standfast(stub.url).ask("q", polcy="finance")  # type: ignore[call-overload]
    assert stub.requests == []


# Promise OT12
def test_arguments_come_back_as_they_were_given_and_edited_ones_with_the_types_of_the_tool(stub: Stub) -> None:
    def pay(amount: Decimal, on: dt.date, to: str) -> None:
        """A tool."""

    given = {"amount": Decimal("42.10"), "on": dt.date(2026, 11, 28), "to": "Miller"}
    approved = {"amount": 40.5, "on": "2026-11-28", "to": "Miller"}
    stub.replies = [(200, {"status": "answered", "approved": True, "args": approved, "by": "ana"})]
    approval = Standfast(stub.url).approve(pay, given, editable=True)
    assert approval.args == {"amount": Decimal("40.5"), "on": dt.date(2026, 11, 28), "to": "Miller"}
    assert stub.requests[0][1]["tool"]["args"] == {"amount": 42.1, "on": "2026-11-28", "to": "Miller"}


# Promise OT13
def test_a_function_that_requires_approval_runs_with_what_was_approved_and_not_after_a_no(stub: Stub) -> None:
    ran: list[tuple[Decimal, str]] = []

    @requires_approval(client=Standfast(stub.url), named=lambda amount, to: f"pay-{to}", editable=True)
    def pay(amount: Decimal, to: str = "Miller") -> str:
        ran.append((amount, to))
        return f"paid {amount}"

    stub.replies = [(200, {"status": "answered", "approved": True, "args": {"amount": 40, "to": "Miller"}, "by": "ana"})]
    assert pay(Decimal("42.10"), to="Miller") == "paid 40"
    assert stub.requests[0][1]["tool"]["name"] == "pay" and stub.requests[0][1]["id"] == "pay-Miller"
    stub.replies = [(200, {"status": "answered", "approved": False, "by": "ana", "reason": "too dear"})]
    with pytest.raises(standfast.NotApproved, match="too dear"):
        pay(Decimal("1"), to="Smith")
    stub.replies = [(200, {"status": "expired"})]
    with pytest.raises(standfast.QuestionExpired):
        pay(Decimal("1"), to="Jones")
    assert ran == [(Decimal("40"), "Miller")]


# Promise OT13
def test_a_coroutine_function_that_requires_approval_waits_in_its_event_loop(
    stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STANDFAST_URL", stub.url)

    @requires_approval
    async def deploy(version: str) -> str:
        return f"deployed {version}"

    stub.replies = [(200, {"status": "answered", "approved": True, "args": {"version": "1.4"}, "by": "ana"})]
    assert asyncio.run(deploy("1.4")) == "deployed 1.4"
    with pytest.raises(TypeError, match="any number"):
        requires_approval(lambda *all: None)


# Promise OT8
def test_a_handle_has_the_page_before_the_answer_and_the_id_waits_on(stub: Stub) -> None:
    stub.replies = [(202, {"status": "waiting", "holdId": None, "link": None})]
    stub.replies += [(202, {"status": "waiting", "expiresAt": "2026-11-29T00:00:00.000Z"})]
    stub.replies += [(200, {"status": "answered", "by": "ana", "values": {"text": "red"}})]
    client = Standfast(stub.url)
    pending = client.start_ask(
        "Which colour?",
        id="paint",
        if_changed="wait",
        risk="low",
        links=["https://a.example"],
        files=[File("a.txt", b"hello", "text/plain")],
        callback={"temporal": {"workflowId": "w", "signal": "answer"}},
    )
    assert (pending.link, pending.hold_id) == ("http://h/holds/h-1", "h-1")
    assert pending.expires_at == "2026-11-29T00:00:00.000Z"
    assert pending.answer().text == "red"
    asked = stub.requests[0][1]
    assert asked["files"] == [{"name": "a.txt", "mediaType": "text/plain", "data": "aGVsbG8="}]
    assert asked["callback"] == {"temporal": {"workflowId": "w", "signal": "answer"}}
    assert (asked["ifChanged"], asked["risk"], asked["links"]) == ("wait", "low", [{"url": "https://a.example"}])
    found = client.wait("paint")
    assert isinstance(found, standfast.Answer)
    stub.replies = [(200, {"status": "answered", "approved": False, "by": "ana"})]
    call = client.wait("paint")
    assert isinstance(call, standfast.Approval) and not call


# Promise OT8
def test_a_thousand_questions_are_all_put_and_followed_by_few_requests(stub: Stub) -> None:
    asked: set[str] = set()

    def decide(question: dict[str, Any]) -> dict[str, Any]:
        return {"status": "answered", "by": "ana", "values": {"text": question["id"]}}

    async def ask_all() -> list[standfast.Answer]:
        async with AsyncStandfast(stub.url) as client:
            waits = [asyncio.create_task(client.ask("q", id=f"q-{n}")) for n in range(1_000)]
            while len(stub.questions) < 1_000:
                await asyncio.sleep(0.01)
            asked.update(stub.questions)
            stub.waits = False
            return await asyncio.gather(*waits)

    stub.decide, stub.waits = decide, True
    answers = asyncio.run(ask_all())
    assert {answer.text for answer in answers} == {f"q-{n}" for n in range(1_000)} == asked
    follows = [given for method, given in stub.requests if method == "FOLLOW"]
    assert len(follows) < 500 and max(len(given["ids"]) for given in follows) > 500


def test_python_dash_m_ends_with_the_codes_of_the_command(
    stub: Stub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STANDFAST_URL", stub.url)
    ends: list[tuple[dict[str, Any], int]] = [
        ({"status": "answered", "approved": True, "args": {"n": 1}, "by": "ana"}, 0),
        ({"status": "answered", "approved": False, "by": "ana", "reason": "no"}, 1),
        ({"status": "expired"}, 8),
        ({"status": "withdrawn"}, 9),
    ]
    for fields, code in ends:
        stub.replies = [(202, {"status": "waiting"}), (200, fields)]
        assert main(["approve", "deploy", "--id", "x", "--args", '{"n": 1}']) == code
    stub.replies = [(202, {"status": "waiting"}), (202, {"status": "waiting"})]
    assert main(["ask", "Which?", "--timeout", "0"]) == 10
    stub.replies = [(403, {"code": "forbidden", "detail": "no"})]
    assert main(["wait", "x"]) == 3
    out, err = capsys.readouterr()
    assert out == '{"n": 1}\n' and "http://h/holds/h-1" in err
