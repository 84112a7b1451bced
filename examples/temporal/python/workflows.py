"""A workflow that pays only what a person approved. It holds no slot and polls nothing while they think."""

from datetime import timedelta

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from holdpoint.nexus import HoldpointService

    from activities import pay


@workflow.defn(name="payInvoice")
class PayInvoice:
    @workflow.run
    async def run(self, args: dict) -> str:
        people = workflow.create_nexus_client(service=HoldpointService, endpoint="holdpoint")
        question = {"tool": "pay", "args": args, "policy": "finance", "why": f"Invoice {args['invoice']} is due."}
        limit = timedelta(days=7)
        answer = await people.execute_operation(HoldpointService.approve, question, schedule_to_close_timeout=limit)
        if not answer["approved"]:
            return f"not paid: {answer['reason'] or answer['status']}"
        return await workflow.execute_activity(pay, answer["args"], start_to_close_timeout=timedelta(minutes=1))
