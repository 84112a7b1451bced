// A caller on the A2A JavaScript SDK: says one thing to an agent behind Standfast and prints what comes, an event a line. It may be
// stopped at any time: `--task <id>` goes on where the task is by then. STANDFAST_API_KEY: its key, where Standfast has keys.
import { randomUUID } from 'node:crypto';
import { SendMessageRequest, taskStateToJSON } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';

const holdExtension = 'urn:standfast:a2a:hold:v1';

const [url, ...rest] = process.argv.slice(2);
if (url === undefined || rest.length === 0) {
  console.error('usage: node caller.js http://127.0.0.1:8600/a2a/expenses/ "Lunch with the customer, 84.50 EUR"');
  console.error('       node caller.js http://127.0.0.1:8600/a2a/expenses/ --task <id>');
  process.exit(2);
}

const textOf = (parts = []) =>
  parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join(' ');

function print({ payload }) {
  if (payload?.$case === 'artifactUpdate') console.log(`artifact: ${textOf(payload.value.artifact?.parts)}`);
  if (payload?.$case === 'message') console.log(`message: ${textOf(payload.value.parts)}`);
  if (payload?.$case !== 'task' && payload?.$case !== 'statusUpdate') return;
  const { status } = payload.value;
  const state = taskStateToJSON(status?.state ?? 0).replace('TASK_STATE_', '');
  if (payload.$case === 'task') console.log(`task ${payload.value.id}`);
  console.log(`${state} ${textOf(status?.message?.parts)}`.trim());
  for (const { url: page } of status?.message?.metadata?.[holdExtension]?.holds ?? [])
    console.log(`  answer it at ${page}`);
}

const key = process.env['STANDFAST_API_KEY'];
const withKey = (address, init = {}) => {
  const headers = new Headers(init.headers);
  if (key !== undefined) headers.set('Authorization', `Bearer ${key}`);
  return fetch(address, { ...init, headers });
};
const client = await new ClientFactory({
  transports: [new JsonRpcTransportFactory({ fetchImpl: withKey }), new RestTransportFactory({ fetchImpl: withKey })],
  cardResolver: new DefaultAgentCardResolver({ fetchImpl: withKey }),
}).createFromUrl(url);
const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: rest.join(' ') }] };
const stream =
  rest[0] === '--task'
    ? client.resubscribeTask({ tenant: '', id: rest[1] ?? '' })
    : client.sendMessageStream(SendMessageRequest.fromJSON({ message }));
for await (const event of stream) print(event);
