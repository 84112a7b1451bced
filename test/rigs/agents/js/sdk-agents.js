// Agents on the official JavaScript SDK, put together as its samples are: an express app with its card and one binding.
//
//     hello     says that it works, gives an artifact, completes (as the SDK's sample agent)
//     survey    asks in words until it has a colour and a size, says in between what it does, completes
//     trip      asks by a form, refuses more than five days with the errors in the form, completes
//     echo      gives back every part it got, in one artifact
//     reply     answers with a message alone, without a task
//     steps     three steps, which a cancellation ends between two of them (as the cancellable sample)
//     listener  works until the message "enough", and notes other messages meanwhile
//     mute      asks, and does not say a word to the answer
//     tck       what the public A2A TCK asks of the agent that it is run against (tck-play.js)
//
// node sdk-agents.js <kind> --port N [--version 1.0|0.3|both] [--binding JSONRPC|HTTP+JSON] [--no-streaming]
//     [--status-first]  begins a follow-up with a status, not with the task, as most public samples do
//     [--gated]         waits at its gate (POST /go lets it through) before it goes on
//     [--late]          waits there before its first event too, as one that thinks first
//     [--push]          notifies addresses that clients give it (as the push notification sample)
//     [--extension]     offers the extension "timestamps" (as the sample of extensions)
//
// GET /executions: the messages that its executor was called with, in order.
import { EventEmitter, once } from 'node:events';
import { parseArgs } from 'node:util';
import express from 'express';
import { AGENT_CARD_PATH, AgentCard } from '@a2a-js/sdk';
import {
  DefaultPushNotificationSender,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { cancel, plays, textOf, timestamps } from './plays.js';

const flag = { type: 'boolean', default: false };
const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string' },
    version: { type: 'string', default: '1.0' },
    binding: { type: 'string', default: 'JSONRPC' },
    'no-streaming': flag,
    'status-first': flag,
    gated: flag,
    late: flag,
    push: flag,
    extension: flag,
  },
});
const [kind = ''] = positionals;
const play = plays[kind];
if (play === undefined) throw new Error(`no agent "${kind}": ${Object.keys(plays).join(', ')}`);

const url = `http://127.0.0.1:${String(options.port)}`;
const versions = options.version === 'both' ? ['1.0', '0.3'] : [options.version];
const card = AgentCard.fromJSON({
  name: `${kind} agent`,
  description: 'An agent of the official JavaScript SDK',
  version: '1.0.0',
  capabilities: {
    streaming: !options['no-streaming'],
    pushNotifications: options.push,
    extensions: options.extension ? [{ uri: timestamps, description: 'When each status was said' }] : [],
  },
  // The TCK searches for kinds of parts, not for media types.
  defaultInputModes: ['text/plain', ...(kind === 'tck' ? ['text', 'file', 'data'] : [])],
  defaultOutputModes: ['text/plain'],
  skills: [],
  supportedInterfaces: versions.map((protocolVersion) => ({
    url: `${url}/a2a`,
    protocolBinding: options.binding,
    protocolVersion,
  })),
});

const executions = [];
const gate = new EventEmitter();
let opened = 0;
/** One let through for each POST /go, whichever comes first. */
async function pass() {
  while (opened === 0) await once(gate, 'go');
  opened -= 1;
}
const manner = { isStatusFirst: options['status-first'], gate: async () => options.gated && (await pass()) };

const pushStore = new InMemoryPushNotificationStore();
const requestHandler = new DefaultRequestHandler(
  card,
  new InMemoryTaskStore(),
  {
    // As in the samples, the handler itself sees from the last state whether the turn is over.
    async execute(context, bus) {
      const { messageId } = context.userMessage;
      const extensions = [...(context.context.requestedExtensions ?? [])];
      executions.push({ messageId, text: textOf(context.userMessage), extensions });
      if (options.late) await pass();
      await play(context, bus, manner);
    },
    async cancelTask(taskId, bus) {
      console.log('cancel');
      cancel(taskId, bus);
    },
  },
  undefined,
  pushStore,
  new DefaultPushNotificationSender(pushStore),
);
const { resubscribe } = requestHandler;
requestHandler.resubscribe = async function* (...args) {
  console.log('subscribed');
  yield* resubscribe.apply(requestHandler, args);
};
const legacyCompat = { enabled: options.version !== '1.0' };
const parts = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
const app = express();
app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }));
app.get('/executions', (_request, response) => response.json(executions));
app.post('/go', (_request, response) => {
  opened += 1;
  gate.emit('go');
  response.end();
});
app.use('/a2a', options.binding === 'HTTP+JSON' ? restHandler(parts) : jsonRpcHandler(parts));
app.listen(Number(options.port), '127.0.0.1', () => console.log(`${kind} agent ready ${url}/`));
