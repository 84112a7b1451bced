import os

from temporalio import activity


@activity.defn
async def pay(args: dict) -> str:
    with open(os.environ.get("PAYMENTS", "payments.txt"), "a", encoding="utf-8") as payments:
        payments.write(f"{args['invoice']} {args['amount']}\n")
    return f"paid {args['amount']}"
