// Asks an agent to pay, approves what it asks, and prints the states it was in: a process of its own, whose authorities
// (NODE_EXTRA_CA_CERTS) are those of its start.
//   node --import tsx pay-once.ts <address of the card> <origin of its gRPC> <invoice>
import { aCall, collect, say, transportTo } from '../../activities/a2a-agents.ts';
import { encodeAnswers, readPause } from '../../../src/wire/a2a/dialects/registry.ts';
import { resolved } from '../../wire/a2a/factories.ts';

const [, , url = '', origin = '', invoice = ''] = process.argv;
const transport = transportTo(url, { allowOrigins: [origin] });
const asked = (await collect(transport.sendStream(say(`pay ${invoice}`), aCall()))).at(-1);
if (asked?.type !== 'status') throw new Error(`it ended with ${JSON.stringify(asked)}`);
const { a2aTaskId: taskId, contextId, message } = asked;
const { questions } = readPause({ state: 'input-required', a2aTaskId: taskId, message });
const given = encodeAnswers(questions.map((question) => ({ question, answer: resolved({ approved: true }) })));
if (given.result !== 'ok') throw new Error('the answer cannot be carried');
const { parts } = given;
const events = await collect(transport.sendStream(say('', { messageId: 'm-2', taskId, contextId, parts }), aCall()));
const last = events.at(-1);
console.log(JSON.stringify([asked.state, last?.type === 'status' ? last.state : last?.type]));
process.exit(0);
