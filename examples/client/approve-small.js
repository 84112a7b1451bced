// A program that decides what people need not: tool calls whose amount is small. Everything else waits for a person.
// How it is started: README.md.
import { createHoldpointClient, HoldpointError } from '@holdpoint/client';

const holdpoint = createHoldpointClient({
  baseUrl: process.env.HOLDPOINT_URL ?? 'http://127.0.0.1:8600',
  ...(process.env.HOLDPOINT_API_KEY && { apiKey: process.env.HOLDPOINT_API_KEY }),
});
const most = Number(process.env.MOST ?? 50);

async function review(hold) {
  const amount = hold.context.toolArgs.amount;
  if (hold.kind !== 'tool_call' || typeof amount !== 'number' || amount > most) {
    console.log(`waiting for a person: ${hold.headline}`);
    const decided = await holdpoint.waitForDecision(hold.id);
    console.log(`${decided.ended?.why} by ${decided.ended?.by}: ${hold.headline}`);
    return;
  }
  try {
    await holdpoint.holds.answer(hold, { approved: true });
    console.log(`approved: ${hold.headline}`);
  } catch (error) {
    // Somebody was faster, or this key may not decide it.
    if (!(error instanceof HoldpointError)) throw error;
    console.log(`${error.code}: ${hold.headline}`);
  }
}

const seen = new Set();
for await (const { event } of holdpoint.inbox()) {
  if (event !== 'hello' && event !== 'hold') continue;
  for await (const hold of holdpoint.holds.all({ status: 'open' })) {
    if (seen.has(hold.id)) continue;
    seen.add(hold.id);
    void review(hold);
  }
}
