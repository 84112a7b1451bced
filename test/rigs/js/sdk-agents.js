// Agents on the official JavaScript SDK, put together as its samples are: an express app with its card and one binding.
//
//     hello   says that it works, gives an artifact, completes (as the SDK's sample agent)
//     survey  asks in words until it has a colour and a size, says in between what it does, completes
//     trip    asks by a form, refuses more than five days with the errors in the form, completes
//     echo    gives back every part it got, in one artifact
//     reply   answers with a message alone, without a task
//
// node sdk-agents.js <kind> --port N [--version 1.0|0.3] [--binding JSONRPC|HTTP+JSON] [--no-streaming]
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import express from 'express';
import {
  AGENT_CARD_PATH,
  AgentCard,
  Message,
  Part,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';

const wordsOf = (message) =>
  message.parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join(' ');

/** What an executor says, as events of its task. The first event of each turn has to be the task itself. */
function speaker({ taskId, contextId, task, userMessage }, bus) {
  const fresh = Task.fromJSON({ id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' } });
  fresh.history = [userMessage];
  bus.publish(AgentEvent.task(task ?? fresh));
  const said = (parts) => ({ messageId: randomUUID(), role: 'ROLE_AGENT', taskId, contextId, parts });
  return {
    status(state, parts) {
      const status = { state: `TASK_STATE_${state}`, ...(parts && { message: said(parts) }) };
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status })));
    },
    artifact(name, parts) {
      const artifact = { artifactId: randomUUID(), name, parts };
      bus.publish(
        AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON({ taskId, contextId, artifact, lastChunk: true })),
      );
    },
  };
}

const form = (values, errors) => ({
  data: {
    type: 'a2a.hitl.form',
    formId: 'trip',
    title: 'Trip',
    fields: [{ name: 'days', label: 'Days', type: 'integer', required: true }],
    ...(errors && { metadata: { errors, values } }),
  },
});

const plays = {
  async hello(context, bus) {
    const say = speaker(context, bus);
    say.status('WORKING', [{ text: 'I read your message.' }]);
    say.artifact('Result', [{ text: `Hello, you said: ${wordsOf(context.userMessage)}` }]);
    say.status('COMPLETED');
  },
  async survey(context, bus) {
    const say = speaker(context, bus);
    if (context.task === undefined) {
      say.status('WORKING', [{ text: 'I begin the survey.' }]);
      say.status('INPUT_REQUIRED', [{ text: 'Which colour?' }]);
      return;
    }
    // The handler has added this message to the history already.
    const told = context.task.history.filter((message) => message.role === context.userMessage.role).map(wordsOf);
    say.status('WORKING', [{ text: `I note ${told.at(-1)}.` }]);
    if (told.length < 3) {
      say.status('INPUT_REQUIRED', [{ text: 'Which size?' }]);
      return;
    }
    say.artifact('survey', [{ text: told.join(' / ') }]);
    say.status('COMPLETED', [{ text: 'Thank you.' }]);
  },
  async trip(context, bus) {
    const say = speaker(context, bus);
    const answer = context.userMessage.parts.find(
      ({ content }) => content?.$case === 'data' && content.value.type === 'a2a.hitl.formResponse',
    );
    const values = answer?.content.value.values;
    if (values === undefined) say.status('INPUT_REQUIRED', [{ text: 'How long?' }, form()]);
    else if (values.days > 5) {
      say.status('INPUT_REQUIRED', [{ text: 'Not so long.' }, form(values, { days: 'at most 5' })]);
    } else {
      say.artifact('trip', [{ text: `${values.days} days` }]);
      say.status('COMPLETED');
    }
  },
  async echo(context, bus) {
    const say = speaker(context, bus);
    say.artifact('echo', context.userMessage.parts.map(Part.toJSON));
    say.status('COMPLETED');
  },
  async reply({ contextId, userMessage }, bus) {
    const parts = [{ text: `You said: ${wordsOf(userMessage)}` }];
    const message = { messageId: randomUUID(), role: 'ROLE_AGENT', contextId, parts };
    bus.publish(AgentEvent.message(Message.fromJSON(message)));
  },
};

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string' },
    version: { type: 'string', default: '1.0' },
    binding: { type: 'string', default: 'JSONRPC' },
    'no-streaming': { type: 'boolean', default: false },
  },
});
const [kind = ''] = positionals;
const play = plays[kind];
if (play === undefined) throw new Error(`no agent "${kind}": ${Object.keys(plays).join(', ')}`);

const url = `http://127.0.0.1:${options.port}`;
const card = AgentCard.fromJSON({
  name: `${kind} agent`,
  description: 'An agent of the official JavaScript SDK',
  version: '1.0.0',
  capabilities: { streaming: !options['no-streaming'] },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: options.binding, protocolVersion: options.version }],
});
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), {
  // As in the sample, the handler itself sees from the last state whether the turn is over.
  execute: play,
  async cancelTask(taskId, bus) {
    const status = { state: 'TASK_STATE_CANCELED' };
    bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, status })));
  },
});
const legacyCompat = { enabled: options.version === '0.3' };
const parts = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
const app = express();
app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }));
app.use('/a2a', options.binding === 'HTTP+JSON' ? restHandler(parts) : jsonRpcHandler(parts));
app.listen(Number(options.port), '127.0.0.1', () => console.log(`${kind} agent ready ${url}/`));
