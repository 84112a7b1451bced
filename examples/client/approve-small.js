// A program that decides what people need not: tool calls whose amount is small. Everything else waits for a person.
// How it is started: README.md.
import { createStandfastClient, StandfastError } from '@standfast/client';

const standfast = createStandfastClient({
  baseUrl: process.env.STANDFAST_URL ?? 'http://127.0.0.1:8600',
  ...(process.env.STANDFAST_API_KEY && { apiKey: process.env.STANDFAST_API_KEY }),
});
const most = Number(process.env.MOST ?? 50);

async function review(hold) {
  const amount = hold.context.toolArgs.amount;
  if (hold.kind !== 'tool_call' || typeof amount !== 'number' || amount > most) {
    console.log(`waiting for a person: ${hold.headline}`);
    const decided = await standfast.waitForDecision(hold.id);
    console.log(`${decided.ended?.why} by ${decided.ended?.by}: ${hold.headline}`);
    return;
  }
  try {
    await standfast.holds.answer(hold, { approved: true });
    console.log(`approved: ${hold.headline}`);
  } catch (error) {
    // Somebody was faster, or this key may not decide it.
    if (!(error instanceof StandfastError)) throw error;
    console.log(`${error.code}: ${hold.headline}`);
  }
}

const seen = new Set();
for await (const { event } of standfast.inbox()) {
  if (event !== 'hello' && event !== 'hold') continue;
  for await (const hold of standfast.holds.all({ status: 'open' })) {
    if (seen.has(hold.id)) continue;
    seen.add(hold.id);
    void review(hold);
  }
}
