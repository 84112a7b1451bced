from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

import standfast
from standfast import AsyncStandfast, Standfast
from standfast._adapter import Call, Verdict, verdicts
from stub_server import Stub, stub_server


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    monkeypatch.setattr("standfast._flow._FIRST_PAUSE_S", 0.001)
    with stub_server() as server:
        yield server


def client_of(stub: Stub, outage: float = 30.0) -> Standfast:
    return Standfast(stub.url, "a-key", policy="finance", outage=outage)


def test_asks_once_and_waits_on_by_the_same_id(stub: Stub) -> None:
    stub.replies = [(202, {"status": "waiting"}), (202, {"status": "waiting"})]
    stub.replies += [(200, {"status": "answered", "by": "ana", "values": {"text": "red"}})]
    answer = client_of(stub).ask("Which colour?", id="paint-1", title="A colour")
    assert (answer.text, answer.by, answer.id, answer.assumed) == ("red", "ana", "paint-1", False)
    methods = [method for method, _ in stub.requests]
    assert methods == ["POST", "GET", "GET"]
    first = stub.requests[0][1]
    assert first["key"] == "Bearer a-key"
    assert (first["id"], first["policy"], first["title"], first["wait"]) == ("paint-1", "finance", "A colour", 0)
    assert float(stub.requests[1][1]["wait"]) == 50.0


# Promise OT9a
def test_takes_no_answer_to_a_question_that_was_asked_in_the_place_of_its_own(stub: Stub) -> None:
    other = (200, {"status": "answered", "by": "ana", "values": {"text": "yes"}, "version": 2})
    stub.replies = [(202, {"status": "waiting", "version": 1}), other]
    with pytest.raises(standfast.QuestionCancelled):
        client_of(stub).ask("Deploy 1?", id="deploy")

    async def ask() -> None:
        async with AsyncStandfast(stub.url, "a-key") as client:
            await client.ask("Deploy 1?", id="deploy")

    stub.replies = [(202, {"status": "waiting", "version": 1}), other]
    with pytest.raises(standfast.QuestionCancelled):
        asyncio.run(ask())
    stub.replies = [(202, {"status": "waiting", "version": 1})]
    pending = client_of(stub).start_ask("Deploy 1?", id="deploy")
    stub.replies = [other]
    with pytest.raises(standfast.QuestionCancelled):
        pending.answer()


def test_sends_again_what_got_no_answer_also_the_question_itself(stub: Stub) -> None:
    stub.replies = [(0, {}), (503, {"code": "worker_unavailable"}), (202, {"status": "waiting"}), (0, {})]
    assert client_of(stub).ask("Which colour?", id="paint-1").by == "ana"
    assert [method for method, _ in stub.requests] == ["POST", "POST", "POST", "GET", "GET"]
    assert {given["id"] for _, given in stub.requests} == {"paint-1"}


def test_tells_apart_refused_expired_cancelled_and_not_reachable(stub: Stub) -> None:
    client = client_of(stub, outage=0.0)
    declined = {"status": "declined", "by": "ana", "reason": "not mine", "values": {}}
    cases: list[tuple[int, dict[str, object], type[Exception]]] = [
        (200, declined, standfast.QuestionRefused),
        (200, {"status": "expired"}, standfast.QuestionExpired),
        (200, {"status": "cancelled"}, standfast.QuestionCancelled),
        (200, {"status": "withdrawn"}, standfast.QuestionCancelled),
        (0, {}, standfast.StandfastUnreachable),
        (503, {}, standfast.StandfastUnreachable),
        (403, {"code": "forbidden", "detail": "no such policy"}, standfast.RequestRefused),
    ]
    for status, fields, error in cases:
        stub.replies = [(status, fields)]
        with pytest.raises(error) as raised:
            client.ask("Which colour?", id="paint-1")
        assert isinstance(raised.value, standfast.StandfastError)
        if isinstance(raised.value, standfast.RequestRefused):
            assert (raised.value.status, raised.value.code) == (403, "forbidden")
        if isinstance(raised.value, standfast.QuestionRefused):
            assert (raised.value.by, raised.value.reason) == ("ana", "not mine")


def test_an_approval_is_true_for_a_yes_alone_and_brings_the_arguments(stub: Stub) -> None:
    def pay(amount: int) -> None:
        """A tool."""

    client = client_of(stub)
    stub.replies = [(200, {"status": "answered", "approved": True, "args": {"amount": 42}, "by": "ana"})]
    approval = client.approve(pay, {"amount": 4210}, id="pay-1", why="Invoice 7", editable=True)
    assert approval and approval.args == {"amount": 42}
    assert stub.requests[0][1]["tool"] == {"name": "pay", "args": {"amount": 4210}, "editable": True}
    stub.replies = [(200, {"status": "answered", "approved": False, "by": "ana", "reason": "too dear"})]
    refused = client.approve("pay", {"amount": 4210}, id="pay-2")
    assert not refused and refused.args == {} and refused.reason == "too dear"
    stub.replies = [(200, {"status": "declined", "approved": False, "by": "ana"})]
    assert not client.approve("pay", id="pay-3")
    stub.replies = [(200, {"status": "expired"})]
    with pytest.raises(standfast.QuestionExpired):
        client.approve("pay", id="pay-4")


def test_a_timeout_leaves_the_question_open_and_names_its_id(stub: Stub) -> None:
    stub.replies = [(202, {"status": "waiting"})]
    with pytest.raises(standfast.StillWaiting) as raised:
        client_of(stub).ask("Which colour?", id="paint-1", timeout=0)
    assert (raised.value.id, raised.value.link) == ("paint-1", "http://h/holds/h-1")
    assert [method for method, _ in stub.requests] == ["POST"]


def test_withdraws_by_id(stub: Stub) -> None:
    stub.replies = [(200, {"status": "cancelled"})]
    client_of(stub).withdraw("paint-1")
    assert [(method, given["id"]) for method, given in stub.requests] == [("DELETE", "paint-1")]


def test_waits_for_several_answers_at_a_time_in_one_event_loop(stub: Stub) -> None:
    async def ask_two() -> list[str]:
        async with AsyncStandfast(stub.url) as client:
            answers = await asyncio.gather(*(client.ask("q", id=name) for name in ("one", "two")))
            return [answer.id for answer in answers]

    stub.replies = [(202, {"status": "waiting"}), (202, {"status": "waiting"})]
    assert asyncio.run(ask_two()) == ["one", "two"]
    assert [method for method, _ in stub.requests][:2] == ["POST", "POST"]
    followed = [set(given["ids"]) for method, given in stub.requests if method == "FOLLOW"]
    assert set().union(*followed) == {"one", "two"}


def test_the_functions_of_the_module_take_address_and_key_from_the_environment(
    stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STANDFAST_URL", stub.url)
    monkeypatch.setenv("STANDFAST_API_KEY", "of-the-environment")
    assert standfast.ask("q").by == "ana"
    assert stub.requests[0][1]["key"] == "Bearer of-the-environment"


def test_an_empty_key_of_the_environment_is_none(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANDFAST_URL", stub.url)
    monkeypatch.setenv("STANDFAST_API_KEY", "")
    # The module's own client is made once, with the environment of its first use.
    with Standfast() as client:
        assert client.ask("q").by == "ana"
    assert stub.requests[0][1]["key"] is None


def test_the_file_memory_keeps_whole_states_by_any_id(tmp_path: object) -> None:
    memory = standfast.FileMemory(f"{tmp_path}/runs")
    assert memory.load("a/b\n") is None
    memory.save("a/b\n", "one")
    memory.save("a/b\n", "two")
    assert (memory.load("a/b\n"), memory.load("a")) == ("two", None)
    memory.forget("a/b\n")
    memory.forget("a/b\n")
    assert memory.load("a/b\n") is None


def test_calls_of_a_run_with_a_long_name_are_questions_of_their_own(stub: Stub) -> None:
    stub.decide = lambda asked: {"status": "answered", "by": "ana", "approved": asked["tool"]["args"]["n"] == 1, "args": {}}
    calls = [Call(f"call-{n}", "pay", {"n": n}) for n in (1, 2)]

    async def decided() -> dict[str, Verdict]:
        async with AsyncStandfast(stub.url) as client:
            return await verdicts(client, calls, run_id="invoice-" * 20)

    found = asyncio.run(decided())
    assert [found[call.id].approved for call in calls] == [True, False]
    assert all(len(given["id"]) <= 120 for _, given in stub.requests)
