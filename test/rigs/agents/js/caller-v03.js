// A caller on the JavaScript SDK of A2A 0.3, which scripts/a2a-v03-sdks.mjs installs into the directory that is named first:
// is asked, wants to be pushed, joins the stream again, answers, and cancels another task. Prints what came of it.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [installed, url, binding, pushUrl] = process.argv.slice(2);
const from = (path) => import(pathToFileURL(join(installed, 'node_modules', path)));
const { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } = await from('@a2a-js/sdk/dist/client/index.js');
const { GrpcTransportFactory } = await from('@a2a-js/sdk/dist/client/transports/grpc/index.js');
const { credentials } = await from('@grpc/grpc-js/build/src/index.js');

// In clear, or, with CALLER_CA (a file in PEM), to whom that certificate proves.
const { CALLER_CA } = process.env;
const grpcChannelCredentials =
  CALLER_CA === undefined ? credentials.createInsecure() : credentials.createSsl(readFileSync(CALLER_CA));
const factory = new ClientFactory({
  transports: [
    new JsonRpcTransportFactory(),
    new RestTransportFactory(),
    new GrpcTransportFactory({ grpcChannelCredentials }),
  ],
  preferredTransports: [binding],
});
const client = await factory.createFromUrl(url);

function ask(parts, taskId) {
  const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts, ...(taskId && { taskId }) };
  return client.sendMessageStream({ message });
}

/** Where the task is when its stream ends, and what came on the way. */
async function read(stream, onBegun = () => {}) {
  const seen = { id: '', state: '', data: [], artifacts: [] };
  for await (const event of stream) {
    seen.id ||= event.taskId ?? event.id;
    if (event.kind === 'artifact-update') seen.artifacts.push(event.artifact.parts.map(({ text }) => text).join(''));
    else seen.state = event.status.state;
    seen.data = (event.status?.message?.parts ?? []).flatMap((part) => (part.kind === 'data' ? [part.data] : []));
    onBegun();
  }
  return seen;
}

const asked = await read(ask([{ kind: 'text', text: 'plan it' }]));
const config = { id: 'ours', url: pushUrl, token: 'a token' };
const taskId = asked.id;
await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig: config });
const push = await client.getTaskPushNotificationConfig({ id: taskId, pushNotificationConfigId: 'ours' });

let onJoined = () => {};
const isJoined = new Promise((resolve) => (onJoined = resolve));
const joining = read(client.resubscribeTask({ id: taskId }), onJoined);
await Promise.race([isJoined, joining]);
const data = { type: 'a2a.hitl.formResponse', formId: 'trip', values: { days: 3 } };
const answered = await read(ask([{ kind: 'data', data }], taskId));

const other = await read(ask([{ kind: 'text', text: 'plan another' }]));
const cancelled = await client.cancelTask({ id: other.id });
const brief = ({ state, artifacts }) => [state, ...artifacts];
console.log(
  JSON.stringify({
    asked: [asked.state, asked.data[0]?.formId],
    push: [push.pushNotificationConfig.id, push.pushNotificationConfig.url],
    joined: brief(await joining),
    answered: brief(answered),
    cancelled: cancelled.status.state,
  }),
);
