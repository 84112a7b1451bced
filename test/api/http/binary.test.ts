import { HttpAgent } from '@ag-ui/client';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { formatFor } from '../../../src/api/http/formats.ts';
import { refuse } from '../../../src/core/base/errors.ts';
import { encodeBinaryFrame } from '../../../src/wire/agui/project/event-frames.ts';
import {
  aHold,
  aTask,
  admittedAs,
  fakeTasks,
  finished,
  freshThread,
  openingWorker,
  runBody,
  words,
  writeRun,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { endRun } from '../../rigs/store/store-writes.ts';

const proto = 'application/vnd.ag-ui.event+proto';

let url: string;
const rig = describeApi({ limits: { heartbeatMs: 30, undrainedMs: 30_000 } });
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => void Object.assign(rig.tasks, fakeTasks()));

const post = (accept: string, payload: object) =>
  rig.app.inject({ method: 'POST', url: '/agents/expenses/run', headers: { accept }, payload });

/** Asks for protobuf, which the plain client never does. */
class BinaryAgent extends HttpAgent {
  protected override requestInit(input: Parameters<HttpAgent['requestInit']>[0]): RequestInit {
    const init = super.requestInit(input);
    const headers = new Headers(init.headers);
    headers.set('Accept', proto);
    return { ...init, headers };
  }
}

const agentOn = (threadId: string): BinaryAgent =>
  new BinaryAgent({
    url: `${url}/agents/expenses/run`,
    threadId,
    initialMessages: [{ id: `${threadId}-m`, role: 'user', content: 'Please' }],
  });

describe('a run asked for as protobuf', () => {
  // Promise G25
  test('a run asked for as protobuf is read by the real client, events and interrupts alike', async () => {
    const threadId = freshThread();
    const task = await aTask(rig.store, threadId);
    const hold = await aHold(rig.store, task);
    rig.tasks.open = async ({ opening }) => {
      const key = { agent: 'expenses', threadId, runId: opening.runId };
      const interrupts = [{ id: hold.interruptId, reason: 'input_required', metadata: { standfast: {} } }];
      const events = [...words('a', 'Where to?'), finished(key, { type: 'interrupt', interrupts })];
      await writeRun(rig.store, key, events, 'interrupt', { fingerprint: opening.fingerprint });
      return admittedAs(task.taskId, opening.runId, 'opened');
    };
    const agent = agentOn(threadId);
    await agent.runAgent({ runId: 'r1' });
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Where to?' });
    expect(agent.pendingInterrupts).toMatchObject([
      { id: hold.interruptId, metadata: { standfast: { mayDecide: true } } },
    ]);
  });

  test('a run asked for as protobuf has nothing between its frames while the agent is silent', async () => {
    const threadId = freshThread();
    rig.tasks.open = async ({ opening, taskId }) => {
      const key = { agent: 'expenses', threadId, runId: opening.runId };
      await aTask(rig.store, threadId);
      const run = await writeRun(rig.store, key, words('a', 'Wait'), null, { fingerprint: opening.fingerprint });
      setTimeout(() => {
        void rig.store.log
          .append(run.logId, 1, [...words('b', 'Done'), finished(key)])
          .then(() => endRun(rig.store, run.logId, 1, 'success'));
      }, 200);
      return admittedAs(taskId, opening.runId, 'opened');
    };
    const agent = agentOn(threadId);
    await agent.runAgent({ runId: 'r1' });
    expect(agent.messages.map((message) => message.content)).toEqual(['Please', 'Wait', 'Done']);
  });

  test('a run asked for as protobuf is refused in protobuf after the stream has begun, and by problem+json before', async () => {
    rig.tasks.open = async () => ({ kind: 'refusal', refusal: refuse('busy', 'later') });
    const refused = await post(proto, runBody(freshThread(), 'r1'));
    expect(refused.headers['content-type']).toBe(proto);
    const frame = encodeBinaryFrame({ type: 'RUN_ERROR', code: 'busy', message: 'later' });
    expect(refused.rawPayload).toEqual(Buffer.from(frame));
    const invalid = await post(proto, { threadId: 't' });
    expect(invalid.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  // Promise G25
  test('a run asked for as protobuf comes as SSE where the type is not requested', async () => {
    rig.tasks.open = openingWorker(rig.store);
    for (const accept of ['*/*', 'application/*', 'text/event-stream', `${proto};q=0`, '']) {
      const response = await post(accept, runBody(freshThread(), 'r1'));
      expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
    }
  });
});

test.each([
  [proto, proto],
  [proto.toUpperCase(), proto],
  [`text/html, ${proto} ; q=0.5`, proto],
  [`text/event-stream, ${proto}`, proto],
  [`text/event-stream;q=0.4, ${proto};q=0.5`, proto],
  [`text/event-stream, ${proto};q=0.9`, 'text/event-stream; charset=utf-8'],
  [`${proto};q=much`, 'text/event-stream; charset=utf-8'],
  [`${proto}x`, 'text/event-stream; charset=utf-8'],
])('Accept: %s is answered with %s', (accept, contentType) => {
  expect(formatFor(accept).contentType).toBe(contentType);
});
