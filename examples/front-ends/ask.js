// AG-UI's own client, without a page: says something, and answers what is asked with the values of the demo agent's form.
//   STANDFAST_API_KEY=… node ask.js        with `auth` in the configuration each request needs a key
import { HttpAgent } from '@ag-ui/client';

const { STANDFAST_URL = 'http://127.0.0.1:8600', STANDFAST_API_KEY: key = '' } = process.env;
const url = `${STANDFAST_URL}/agents/expenses/run`;
const threadId = crypto.randomUUID();
const agent = new HttpAgent({ url, threadId, headers: { Authorization: `Bearer ${key}` } });
agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: 'Lunch with the customer, 84.50 EUR' });
await agent.runAgent();
for (const { id, message } of agent.pendingInterrupts) console.log(id, message);
// The form of the demo agent; `responseSchema` of each interrupt has the fields.
const payload = { amount: 84.5, costCentre: 'sales', purpose: 'Lunch with the customer', approve: true };
const answer = { status: 'resolved', payload };
await agent.runAgent({ resume: agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, ...answer })) });
console.log(agent.messages.findLast(({ role }) => role === 'assistant').content);
