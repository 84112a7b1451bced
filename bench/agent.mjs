// The agent of the bench: an A2A server of the SDK that does as the message says:
// `ask [what else]` asks with a form, and on the answer does what else, or completes · `hello` completes at once ·
// `stream N PER_SECOND [GROUP SIZE]` sends N tokens, from when so many streams of the group have come, each carrying the time it was sent at by the machine's monotonic clock, which all processes share.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { AGENT_CARD_PATH, AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, ServerCallContext, UnauthenticatedUser } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { createTurn } from '../examples/agents/turn.js';
import { serveParent } from './child.mjs';
import { createTasks } from './kept-tasks.mjs';

const form = {
  type: 'a2a.hitl.form',
  formId: 'colour',
  title: 'Which colour?',
  fields: [
    { name: 'colour', label: 'Colour', type: 'select', options: ['green', 'red'], required: true },
    { name: 'note', label: 'Note', type: 'text' },
  ],
};

const textOf = (message) =>
  message.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');

/** Streams that wait for others of their group. @type {Map<string, (() => void)[]>} */
const groups = new Map();

/** Until all of a group are there: those that are measured together flow together, however slowly they began. */
async function together(group, size) {
  const waiting = groups.get(group) ?? [];
  groups.set(group, waiting);
  await new Promise((resolve) => {
    waiting.push(() => resolve(undefined));
    if (waiting.length < size) return;
    groups.delete(group);
    for (const begin of waiting) begin();
  });
}

async function streamTokens(turn, count, perSecond) {
  const everyMs = 1000 / perSecond;
  // Streams that begin together do not stay in step.
  const startedAt = performance.now() + Math.random() * everyMs;
  for (let n = 0; n < count; n += 1) {
    await sleep(Math.max(0, startedAt + n * everyMs - performance.now()), undefined, { signal: turn.signal });
    const parts = [{ text: `${process.hrtime.bigint()} ` }];
    turn.artifact({ artifactId: 'reply', parts }, { append: n > 0, lastChunk: n === count - 1 });
  }
}

/** What is done when the answer to a question comes, by the agent's task. */
const whenAnswered = new Map();

async function execute(ctx, bus) {
  const turn = createTurn(ctx, bus, new AbortController().signal);
  turn.open();
  const words = ctx.task ? (whenAnswered.get(ctx.taskId) ?? []) : textOf(ctx.userMessage).split(' ');
  whenAnswered.delete(ctx.taskId);
  const [what, count, perSecond, group, size] = words;
  if (what === 'ask') {
    whenAnswered.set(ctx.taskId, words.slice(1));
    turn.status('TASK_STATE_INPUT_REQUIRED', [{ text: 'I need an answer.' }, { data: form }]);
  } else {
    if (group !== undefined) await together(group, Number(size));
    if (what === 'stream') await streamTokens(turn, Number(count), Number(perSecond));
    turn.status('TASK_STATE_COMPLETED');
  }
  bus.finished();
}

/** A cancelled task ends at once: what asks Standfast to stop it would wait for five minutes otherwise. */
const cancelIn = (tasks) => async (taskId, bus) => {
  whenAnswered.delete(taskId);
  const { contextId } = await tasks.load(taskId, new ServerCallContext({ user: new UnauthenticatedUser() }));
  /** @type {any} */
  const context = { taskId, contextId, userMessage: { messageId: taskId } };
  createTurn(context, bus, new AbortController().signal).status('TASK_STATE_CANCELED');
  bus.finished();
};

let server;

/**
 * Keeps its tasks in a file, if one is given, and knows them again after a restart.
 * @param {{ keepIn?: string, port?: number }} [given]
 */
async function start({ keepIn, port = 0 } = {}) {
  const app = express();
  server = app.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/`;
  const card = AgentCard.fromJSON({
    name: 'Bench',
    description: 'Asks, or streams.',
    version: '1.0.0',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'any', name: 'Anything', description: 'Scripted', tags: ['bench'] }],
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  });
  const tasks = createTasks(keepIn);
  const requestHandler = new DefaultRequestHandler(card, tasks, { execute, cancelTask: cancelIn(tasks) });
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return { url };
}

serveParent({ start }, async () => {
  server?.closeAllConnections();
  server?.close();
});
