// Agents on the official Python SDK, as its samples are made, through Standfast. Skipped where there is no Python
// (scripts/python-agents.mjs).
import { describe, expect, test } from '@jest/globals';
import { textsOf } from '../../rigs/streams/agui.ts';
import { hasPython, startGrpcSdkAgent, startSdkAgent } from '../../rigs/agents/python-agent.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import {
  ended,
  failedWorkflowTasks,
  interruptOf,
  longMs,
  openHold,
  readHold,
  readTask,
  tasksOf,
  waitForTask,
} from '../setting.ts';
import { startProduct } from '../start-product.ts';

let surveyUrl: string;

const wordsOf = (events: readonly WireEvent[]): string[] => [...textsOf(events).values()];
const run = async (agent: string, threadId: string, text: string, end: string): Promise<WireEvent[]> =>
  ended(await up.run(agent, { threadId, text }, longMs), end);
const answer = async (agent: string, threadId: string, asked: WireEvent[], text: string, end: string) => {
  const resume = [{ interruptId: interruptOf(asked), status: 'resolved' as const, payload: { text } }];
  return ended(await up.run(agent, { threadId, resume }, longMs), end);
};

const suite = hasPython ? describe : describe.skip;

const { supervisor, up } = startProduct(async () => {
  const [hello, survey, rest, grpc, reply] = await Promise.all([
    startSdkAgent(supervisor, 'hello'),
    startSdkAgent(supervisor, 'survey'),
    startSdkAgent(supervisor, 'survey', 'HTTP+JSON'),
    startGrpcSdkAgent(supervisor, 'survey'),
    startSdkAgent(supervisor, 'reply'),
  ]);
  surveyUrl = survey.url;
  return `
agents:
  hello: { url: '${hello.url}' }
  survey: { url: '${survey.url}' }
  rest: { url: '${rest.url}' }
  grpc: { url: '${grpc.url}', allowOrigins: ['${grpc.grpcOrigin}'] }
  reply: { url: '${reply.url}' }
`;
});

suite('an agent on the Python SDK', () => {
  // Promise P4
  test('an agent on the Python SDK says what it does, gives its artifact and completes, though its card names no protocol version', async () => {
    expect(wordsOf(await run('hello', 'hello', 'hi there', 'success'))).toEqual([
      'I read your message.',
      'Hello, you said: hi there',
      'That was all.',
    ]);
  });

  test('an agent on the Python SDK that answers with a message alone ends the run without a task of its own', async () => {
    expect(wordsOf(await run('reply', 'reply', 'hi', 'success'))).toEqual(['You said: hi']);
    expect((await tasksOf(up, 'reply', 'reply')).map(({ status, a2aTaskId }) => [status, a2aTaskId])).toEqual([
      ['DONE', null],
    ]);
  });

  // The SDK adds the message of a status to the history only when the next status comes, and begins the stream of a
  // follow-up with that: nothing may be lost for it, and nothing be sent twice.
  // Promise B9g
  test.each([
    ['JSON-RPC', 'survey'],
    ['HTTP+JSON', 'rest'],
    ['gRPC', 'grpc'],
  ])('an agent on the Python SDK over %s asks twice in text, and each text is shown once', async (_, agent) => {
    const first = await run(agent, 'twice', 'start', 'interrupt');
    expect(wordsOf(first)).toEqual(['I begin the survey.', 'Which colour?']);
    expect(await openHold(up, agent, 'twice')).toMatchObject({ kind: 'text', message: 'Which colour?' });
    const second = await answer(agent, 'twice', first, 'green', 'interrupt');
    expect(wordsOf(second)).toEqual(['I note green.', 'Which size?']);
    const third = await answer(agent, 'twice', second, 'large', 'success');
    expect(wordsOf(third)).toEqual(['I note large.', 'start / green / large', 'Thank you.']);
    const snapshot = third.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT')?.['messages'];
    expect(assistantTexts(snapshot)).toEqual([...wordsOf(first), ...wordsOf(second), ...wordsOf(third)]);
  });

  test('an agent on the Python SDK keeps the message of its last status out of its history, and is asked from it all the same', async () => {
    await run('survey', 'history', 'start', 'interrupt');
    const hold = await openHold(up, 'survey', 'history');
    const { a2aTaskId } = await readTask(up, hold.taskId);
    const { history, status } = await taskAtAgent(a2aTaskId ?? '');
    expect(JSON.stringify(history)).toContain('I begin the survey.');
    expect(JSON.stringify(history)).not.toContain('Which colour?');
    expect(JSON.stringify(status)).toContain('Which colour?');
    expect(hold.message).toBe('Which colour?');
  });

  test('an agent on the Python SDK is answered in the inbox as by a resume', async () => {
    await run('survey', 'inbox', 'start', 'interrupt');
    for (const [question, text] of [
      ['Which colour?', 'green'],
      ['Which size?', 'large'],
    ]) {
      const hold = await openHold(up, 'survey', 'inbox');
      expect(hold.message).toBe(question);
      const decided = await up.post(`/api/holds/${hold.id}/decision`, { status: 'resolved', values: { text } });
      expect(decided.status).toBe(200);
      await waitForTask(up, hold.taskId, 'NEEDS_REVIEW', 'DONE');
    }
    const [task] = await tasksOf(up, 'survey', 'inbox');
    expect((await waitForTask(up, task?.id ?? '', 'DONE')).status).toBe('DONE');
    const last = await (await up.follow('survey', 'inbox', { query: '?follow=false' })).over(longMs);
    expect(wordsOf(last)).toContain('start / green / large');
  });

  test.each([
    ['JSON-RPC', 'survey'],
    ['gRPC', 'grpc'],
  ])('an agent on the Python SDK over %s is cancelled while it asks, and the question with it', async (_, agent) => {
    await run(agent, 'cancelled', 'start', 'interrupt');
    const hold = await openHold(up, agent, 'cancelled');
    expect((await up.post(`/api/tasks/${hold.taskId}/cancel`)).status).toBeLessThan(300);
    expect((await waitForTask(up, hold.taskId, 'CANCELED')).status).toBe('CANCELED');
    expect((await readHold(up, hold.id)).status).not.toBe('open');
  });

  test('an agent on the Python SDK leaves no failed workflow task behind', async () => {
    expect(await failedWorkflowTasks(up.temporalAddress)).toEqual([]);
  });
});

function assistantTexts(messages: unknown): string[] {
  if (!Array.isArray(messages)) throw new Error('a closing run restates its messages');
  return messages.flatMap((message: { role: string; content: string }) =>
    message.role === 'assistant' ? [message.content] : [],
  );
}

/** The task as the agent itself tells it. */
async function taskAtAgent(id: string): Promise<{ history: unknown; status: unknown }> {
  const response = await fetch(surveyUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id } }),
  });
  const { result }: { result: { history: unknown; status: unknown } } = JSON.parse(await response.text());
  return result;
}
