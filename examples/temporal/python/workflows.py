"""A workflow that pays only what a person approved. It holds no slot and polls nothing while they think."""

from datetime import timedelta

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities import pay
    from standfast.nexus import ApproveInput, StandfastService

people = workflow.create_nexus_client(service=StandfastService, endpoint="standfast")
week, minute = timedelta(days=7), timedelta(minutes=1)


@workflow.defn(name="payInvoice")
class PayInvoice:
    @workflow.run
    async def run(self, args: dict) -> str:
        question = ApproveInput(tool="pay", args=args, policy="finance", why=f"Invoice {args['invoice']} is due.")
        answer = await people.execute_operation(StandfastService.approve, question, schedule_to_close_timeout=week)
        if not answer["approved"]:
            return f"not paid: {answer['reason'] or answer['status']}"
        return await workflow.execute_activity(pay, answer["args"], start_to_close_timeout=minute)
