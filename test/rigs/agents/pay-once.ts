// Asks an agent to pay, approves what it asks, and prints the states it was in: a process of its own, whose authorities
// (NODE_EXTRA_CA_CERTS) are those of its start.
//   node --import tsx pay-once.ts <address of the card> <origin of its gRPC> <invoice>
import { answer, ask, stateOf, transportTo } from '../../activities/a2a-agents.ts';

const [, , url = '', origin = '', invoice = ''] = process.argv;
const transport = transportTo(url, { allowOrigins: [origin] });
const asked = await ask(transport, `pay ${invoice}`);
const last = (await answer(transport, asked, [{ approved: true }])).at(-1);
console.log(JSON.stringify(['input-required', last === undefined ? null : stateOf(last)]));
process.exit(0);
