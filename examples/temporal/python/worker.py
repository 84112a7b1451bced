"""pip install -r requirements.txt, the package of packages/python, and: python worker.py"""

import asyncio
import os

from activities import pay
from temporalio.client import Client
from temporalio.worker import Worker
from workflows import PayInvoice


async def main() -> None:
    client = await Client.connect(os.environ.get("TEMPORAL_ADDRESS", "127.0.0.1:7233"))
    worker = Worker(client, task_queue="payments-python", workflows=[PayInvoice], activities=[pay])
    print("ready", flush=True)
    await worker.run()


asyncio.run(main())
