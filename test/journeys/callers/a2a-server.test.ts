// Callers over A2A on the official JavaScript SDK, with real agents behind Standfast: what such a caller sees, in both versions
// of A2A and over both bindings.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Message, type Part, SendMessageRequest, type Task, TaskState, taskStateToJSON } from '@a2a-js/sdk';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { type HoldView, HoldViewSchema } from '../../../src/contract/holds/hold.ts';
import { type A2aCaller, type AgentTurn, createA2aCaller, emptyTurn, note } from '../../rigs/agents/a2a-caller.ts';
import { type JsAgent, startJsAgent } from '../../rigs/agents/js-agent.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { codeOf, longMs } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const agents = new Map<string, JsAgent>();

type Binding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';
const caller = (agent: string, binding?: Binding, version?: '1.0' | '0.3'): Promise<A2aCaller> =>
  createA2aCaller(`${up.url}/a2a/${agent}/`, binding, version);

const textOf = ({ content }: Part): string => (content?.$case === 'text' ? content.value : (content?.$case ?? ''));
const stateName = (state: TaskState | undefined): string =>
  taskStateToJSON(state ?? TaskState.UNRECOGNIZED).replace('TASK_STATE_', '');

/** The events of a stream, one a line. */
function linesOf({ events }: AgentTurn): string[] {
  return events.map(({ payload }) => {
    switch (payload?.$case) {
      case 'task':
      case 'statusUpdate': {
        const { status } = payload.value;
        return `${stateName(status?.state)} ${(status?.message?.parts ?? []).map(textOf).join(' ')}`.trim();
      }
      case 'artifactUpdate':
        return `artifact ${(payload.value.artifact?.parts ?? []).map(textOf).join(' ')}`;
      case 'message':
        return `message ${payload.value.parts.map(textOf).join(' ')}`;
      default:
        return 'nothing';
    }
  });
}

const stateOf = (task: Task): string => stateName(task.status?.state);

/** All messages, oldest first. */
const wordsOf = ({ history, status }: Task): string[] =>
  [...history, ...(status?.message === undefined ? [] : [status.message])].map(({ parts }) =>
    parts.map(textOf).join(' '),
  );

function requestOf(parts: object[], names: object = {}, configuration: object = {}): SendMessageRequest {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts, ...names };
  return SendMessageRequest.fromJSON({ message, configuration });
}

function waitForText(client: A2aCaller, id: string, text: string): Promise<true> {
  return waitFor(async () => wordsOf(await client.getTask(id)).includes(text) || undefined, longMs, text);
}

const holdsAt = async (query: string): Promise<HoldView[]> => {
  const { body } = await up.get(`/api/holds?${query}&limit=200`);
  const { items } = z.object({ items: z.array(HoldViewSchema) }).parse(body);
  return items.toSorted((a, b) => (a.openedAt < b.openedAt ? -1 : 1));
};
const openHolds = (agent: string): Promise<HoldView[]> => holdsAt(`agent=${agent}&status=open`);
const holdsOfTask = async (taskId: string): Promise<HoldView[]> =>
  (await holdsAt('')).filter((hold) => hold.taskId === taskId);
const taskIdOf = async (agent: string): Promise<string> => (await openHolds(agent)).at(-1)?.taskId ?? '';

const { supervisor, up, startAgain } = startProduct(async () => {
  for (const kind of ['hello', 'trip', 'echo', 'reply'] as const)
    agents.set(kind, await startJsAgent(supervisor, kind));
  agents.set('steps', await startJsAgent(supervisor, 'steps', { gated: true }));
  const names = {
    hello: 'hello',
    trip: 'trip',
    'trip-caller': 'trip',
    'trip-both': 'trip',
    'trip-grace': 'trip',
    'trip-soon': 'trip',
    echo: 'echo',
    reply: 'reply',
    steps: 'steps',
  };
  const lines = Object.entries(names).map(([name, kind]) => {
    const policy = name.split('-')[1] ?? 'people';
    return `  ${name}: { url: '${agents.get(kind)?.url ?? ''}', policy: ${policy} }`;
  });
  const configText = [
    `server: { grpc: { port: ${await supervisor.freePort()} } }`,
    `agents:\n${lines.join('\n')}`,
    'policies:',
    "  people: { audience: ['role:finance'] }",
    "  caller: { audience: ['role:finance'], ask: caller }",
    "  both: { audience: ['role:finance'], ask: both }",
    "  grace: { audience: ['role:finance'], ask: both, grace: 1s }",
    "  soon: { audience: ['role:finance'], ask: caller, expire: { after: 3s, then: fail } }",
  ].join('\n');
  return configText;
});

const wires = [
  ['1.0', 'JSONRPC'],
  ['1.0', 'HTTP+JSON'],
  ['0.3', 'JSONRPC'],
  ['0.3', 'HTTP+JSON'],
  ['1.0', 'GRPC'],
] as const;

describe.each(wires)('a caller on the JavaScript SDK that speaks A2A %s over %s', (version, binding) => {
  // Promise V1
  test('a caller on the JavaScript SDK receives by a stream what the agent sends, and finds the same task later', async () => {
    const client = await caller('hello', binding, version);
    expect(client.client.protocolVersion).toBe(version);
    const turn = await client.send('hi there');
    expect(turn.error).toBeNull();
    // A slow agent's own SUBMITTED comes after Standfast's.
    const lines = linesOf(turn);
    expect(lines.filter((line, index) => line !== lines[index - 1])).toEqual([
      'SUBMITTED',
      'WORKING I read your message.',
      'artifact Hello, you said: hi there',
      'COMPLETED',
    ]);
    const task = await client.getTask(turn.taskId);
    expect(stateOf(task)).toBe('COMPLETED');
    expect(task.history.map(({ parts }) => parts.map(textOf).join(' '))).toEqual(['hi there', 'I read your message.']);
    expect(task.artifacts.map(({ parts }) => parts.map(textOf))).toEqual([['Hello, you said: hi there']]);
  });

  // Promise V12a
  test('a caller on the JavaScript SDK sets up a push, is asked and answers by a stream, and cancels another task', async () => {
    const client = await caller('trip-caller', binding, version);
    const { taskId, data } = await client.send('plan it');
    expect(data).toMatchObject([{ formId: 'trip' }]);
    const config = { tenant: '', taskId, id: 'ours' };
    const receiver = { url: 'http://127.0.0.1:1/', token: 'a token', authentication: undefined };
    await client.client.createTaskPushNotificationConfig({ ...config, ...receiver });
    expect(await client.client.getTaskPushNotificationConfig(config)).toMatchObject({ taskId, id: 'ours', token: '' });
    await client.client.deleteTaskPushNotificationConfig(config);
    const answer = [{ data: { type: 'a2a.hitl.formResponse', formId: 'trip', values: { days: 2 } } }];
    expect(linesOf(await client.send(answer, { taskId })).slice(-2)).toEqual(['artifact 2 days', 'COMPLETED']);
    const { taskId: id } = await client.send('plan another');
    expect(stateOf(await client.client.cancelTask({ tenant: '', id, metadata: undefined }))).toBe('CANCELED');
  });

  test('a caller on the JavaScript SDK gets a reply that is only a message as a message', async () => {
    const client = await caller('reply', binding, version);
    expect(linesOf(await client.send('hi'))).toEqual(['message You said: hi']);
    const reply = await client.client.sendMessage(requestOf([{ text: 'again' }]));
    expect('messageId' in reply ? reply.parts.map(textOf) : reply).toEqual(['You said: again']);
  });
});

describe('a caller over A2A', () => {
  // Promise V1
  test('a caller over A2A gets data and files of the agent as they were', async () => {
    const client = await caller('echo');
    const parts = [
      { text: 'see', metadata: { lang: 'en' } },
      { data: { rows: [1, { deep: true }] }, metadata: { schema: 'x' } },
      { raw: Buffer.from('PDF').toString('base64'), filename: 'a.pdf', mediaType: 'application/pdf' },
      { url: 'https://files.example/b.png', filename: 'b.png', mediaType: 'image/png' },
    ];
    const turn = await client.send(parts);
    const sent = Message.fromJSON({ parts }).parts;
    expect((await client.getTask(turn.taskId)).artifacts[0]?.parts).toEqual(sent);
  });

  // Promise V1
  test('a caller over A2A sends a file without a name, and the agent gets one', async () => {
    const client = await caller('echo');
    const file = { raw: Buffer.from('PDF').toString('base64'), mediaType: 'application/pdf' };
    const turn = await client.send([{ text: 'see' }, file, { url: 'https://files.example/b' }]);
    const [, first, second] = (await client.getTask(turn.taskId)).artifacts[0]?.parts ?? [];
    expect([first?.filename, second?.filename]).toEqual(['file-2.pdf', 'file-3']);
  });

  // Promise V3
  test('who sends a message twice has one task, which the agent did once', async () => {
    const client = await caller('hello');
    const messageId = randomUUID();
    const [first, second] = [await client.send('once', { messageId }), await client.send('once', { messageId })];
    expect(second.taskId).toBe(first.taskId);
    expect(linesOf(second).at(-1)).toBe('COMPLETED');
    const done = (await agents.get('hello')?.executions()) ?? [];
    expect(done.filter(({ text }) => text === 'once')).toHaveLength(1);
    expect((await client.send('other', { messageId })).error?.message).toMatch(/used before/);
  });

  // Promise V4
  test('a caller over A2A has ids that are not those of the agent', async () => {
    const turn = await (await caller('hello')).send('ids');
    const { body } = await up.get(`/api/tasks/${turn.taskId}`);
    const known = Object(body) as Record<string, unknown>;
    expect(known['id']).toBe(turn.taskId);
    expect([known['a2aTaskId'], known['contextId']]).not.toContain(turn.taskId);
    expect(known['contextId']).not.toBe(turn.contextId);
    expect(JSON.stringify(turn.events)).not.toContain(String(known['a2aTaskId']));
  });

  test('a caller over A2A lists their tasks by context and state, page by page', async () => {
    const client = await caller('hello');
    const contextId = randomUUID();
    for (const text of ['one', 'two', 'three']) await client.client.sendMessage(requestOf([{ text }], { contextId }));
    const page = await client.list({ contextId, pageSize: 2 });
    expect([page.tasks.length, page.totalSize]).toEqual([2, 3]);
    const rest = await client.list({ contextId, pageSize: 2, pageToken: page.nextPageToken });
    expect([rest.tasks.length, rest.nextPageToken]).toEqual([1, '']);
    expect((await client.list({ contextId, status: 'TASK_STATE_FAILED' })).totalSize).toBe(0);
  });

  // Promise V11
  test('a caller over A2A cancels a task whose question waits, at the agent too', async () => {
    const client = await caller('trip');
    const begun = await client.client.sendMessage(requestOf([{ text: 'plan' }]));
    const id = 'messageId' in begun ? '' : begun.id;
    expect(stateOf(await client.client.cancelTask({ tenant: '', id, metadata: undefined }))).toBe('CANCELED');
    expect((await holdsOfTask(id)).map(({ status }) => status)).toEqual(['cancelled']);
    await expect(client.client.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toMatchObject({
      envelopeCode: -32002,
    });
  });

  // Promise V9
  test('a caller over A2A receives signed push notifications, in order, also what they did not stay for', async () => {
    const pushed: { state: string; headers: IncomingHttpHeaders; body: string }[] = [];
    const sink = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        // Away for a moment: it is delivered again.
        const isFirst = pushed.length === 0;
        const { task, statusUpdate, artifactUpdate } = JSON.parse(body) as Record<
          string,
          { status?: { state: string } }
        >;
        pushed.push({
          state: (task ?? statusUpdate)?.status?.state ?? (artifactUpdate ? 'artifact' : ''),
          headers: request.headers,
          body,
        });
        response.writeHead(isFirst ? 503 : 204).end();
      });
    });
    await new Promise<void>((done) => sink.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/told`;
    const client = await caller('trip');
    const push = { url, token: 'a token of ours' };
    const begun = await client.client.sendMessage(
      requestOf([{ text: 'plan' }], {}, { returnImmediately: true, taskPushNotificationConfig: push }),
    );
    const id = 'messageId' in begun ? '' : begun.id;
    const hold = await waitFor(async () => (await holdsOfTask(id)).at(-1), longMs, 'a question');
    await up.post(`/api/holds/${hold.id}/decision`, { status: 'resolved', values: { days: 3 } });
    await waitFor(
      async () => pushed.some(({ state }) => state === 'TASK_STATE_COMPLETED') || undefined,
      longMs,
      'the end',
    );
    const [first, again, ...rest] = pushed;
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect([again, ...rest].map((one) => one?.state.replace('TASK_STATE_', ''))).toEqual([
      'SUBMITTED',
      'WORKING',
      'WORKING',
      'artifact',
      'COMPLETED',
    ]);
    for (const { headers, body } of pushed) {
      expect(headers['x-a2a-notification-token']).toBe(push.token);
      const secret = Buffer.from(push.token).toString('base64');
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
        name,
        String(headers[name]),
      ]);
      expect(() => new Webhook(secret).verify(body, Object.fromEntries(names) as Record<string, string>)).not.toThrow();
    }
    const config = { tenant: '', taskId: id, id: 'message' };
    expect(await client.client.getTaskPushNotificationConfig(config)).toMatchObject({ url, token: '' });
    await client.client.deleteTaskPushNotificationConfig(config);
    await expect(client.client.getTaskPushNotificationConfig(config)).rejects.toMatchObject({ envelopeCode: -32001 });
    sink.close();
  });

  // Promise V2
  test.each(['JSONRPC', 'HTTP+JSON', 'GRPC'] as const)(
    'a caller over A2A by %s receives all of a task once, through kill -9 of Standfast in the middle of it',
    async (binding) => {
      const client = await caller('steps', binding);
      const begun = await client.client.sendMessage(requestOf([{ text: 'go on' }], {}, { returnImmediately: true }));
      const id = 'messageId' in begun ? '' : begun.id;
      await waitForText(client, id, 'Step 1 of 3.');
      await up.process.kill9();
      await agents.get('steps')?.go();
      await startAgain();
      const received: string[] = [];
      const stream = client.client.resubscribeTask({ tenant: '', id });
      const reading = (async () => {
        for await (const { payload } of stream)
          if (payload?.$case === 'statusUpdate') received.push(stateName(payload.value.status?.state));
      })();
      await waitForText(client, id, 'Step 2 of 3.');
      await agents.get('steps')?.go();
      await waitForText(client, id, 'Step 3 of 3.');
      await agents.get('steps')?.go();
      await reading;
      expect(received.at(-1)).toBe('COMPLETED');
      const task = await client.getTask(id);
      expect(wordsOf(task)).toEqual(['go on', 'Step 1 of 3.', 'Step 2 of 3.', 'Step 3 of 3.', 'All steps are done.']);
    },
  );
});

describe('what an agent asks in a task that came over A2A', () => {
  // Promise V6
  test('what an agent asks in a task that came over A2A is asked of people, whom the caller sees asked while the task works', async () => {
    const client = await caller('trip');
    const turn = client.send('plan it');
    const hold = await waitFor(async () => (await openHolds('trip')).at(-1), longMs, 'a question');
    const held = await client.getTask(await taskIdOf('trip'));
    expect(stateOf(held)).toBe('WORKING');
    expect(wordsOf(held).at(-1)).toMatch(/^Asked finance, until .*Z: Trip$/);
    expect(held.status?.message?.metadata?.['urn:standfast:a2a:hold:v1']).toMatchObject({
      holds: [{ id: hold.id, url: expect.stringContaining(`/holds/${hold.id}`), audience: ['role:finance'] }],
    });
    await expect(client.client.sendMessage(requestOf([{ text: '3' }], { taskId: held.id }))).rejects.toMatchObject({
      envelopeCode: -32004,
    });
    await up.post(`/api/holds/${hold.id}/decision`, { status: 'resolved', values: { days: 3 } });
    const lines = linesOf(await turn);
    expect(lines.slice(-3)).toEqual(['WORKING Answered by local.', 'artifact 3 days', 'COMPLETED']);
  });

  // Promise V6
  test('what an agent asks in a task that came over A2A does not hold a blocking request while people are asked', async () => {
    const client = await caller('trip');
    const task = await client.client.sendMessage(requestOf([{ text: 'plan another' }]));
    expect('messageId' in task ? 'a message' : wordsOf(task).at(-1)).toMatch(/^Asked finance/);
  });

  // Promise V7
  test('what an agent asks in a task that came over A2A goes through to the caller with the agent’s own parts, whose message answers it once', async () => {
    const client = await caller('trip-caller');
    const turn = await client.send('plan it');
    expect(linesOf(turn).at(-1)).toBe('INPUT_REQUIRED How long? data');
    expect(turn.data[0]).toMatchObject({ type: 'a2a.hitl.form', formId: 'trip' });
    const answer = (days: unknown) => [{ data: { type: 'a2a.hitl.formResponse', formId: 'trip', values: { days } } }];
    const wrong = await client.send(answer('many'), { taskId: turn.taskId });
    expect(wrong.error?.message).toMatch(/does not fit/);
    const messageId = randomUUID();
    const right = await client.send(answer(3), { taskId: turn.taskId, messageId });
    expect(linesOf(right).slice(-2)).toEqual(['artifact 3 days', 'COMPLETED']);
    const again = await client.client.sendMessage(requestOf(answer(3), { taskId: turn.taskId, messageId }));
    expect('messageId' in again ? '' : stateOf(again)).toBe('COMPLETED');
    const [hold] = await holdsOfTask(turn.taskId);
    expect(hold).toMatchObject({ status: 'decided', decision: { by: 'local', values: { days: 3 } } });
  });

  // Promise V8
  test('what an agent asks in a task that came over A2A is asked of both, and who comes second learns who was first', async () => {
    const client = await caller('trip-both');
    const turn = await client.send('plan it');
    expect(linesOf(turn).at(-1)).toBe('INPUT_REQUIRED How long? data');
    const [hold] = await holdsOfTask(turn.taskId);
    const values = [{ data: { type: 'a2a.hitl.formResponse', formId: 'trip', values: { days: 2 } } }];
    expect(linesOf(await client.send(values, { taskId: turn.taskId })).at(-1)).toBe('COMPLETED');
    const second = await up.post(`/api/holds/${hold?.id ?? ''}/decision`, { status: 'resolved', values: { days: 4 } });
    expect(codeOf(second)).toBe('hold_closed');
    const other = await client.send('plan it');
    const [asked] = await holdsOfTask(other.taskId);
    await up.post(`/api/holds/${asked?.id ?? ''}/decision`, { status: 'resolved', values: { days: 3 } });
    await waitFor(
      async () => stateOf(await client.getTask(other.taskId)) === 'COMPLETED' || undefined,
      longMs,
      'the end',
    );
    expect((await client.send(values, { taskId: other.taskId })).error?.message).toMatch(/is over/);
  });

  // Promise V8a
  test('what an agent asks in a task that came over A2A tells its caller by the SDK’s stream of a decision under a grace, and that no answer came in time', async () => {
    const follow = async (agent: string): Promise<{ taskId: string; lines: Promise<string[]> }> => {
      const client = await caller(agent);
      const turn = await client.send('plan it');
      expect(linesOf(turn).at(-1)).toBe('INPUT_REQUIRED How long? data');
      const later = emptyTurn();
      const lines = (async () => {
        for await (const event of client.client.resubscribeTask({ tenant: '', id: turn.taskId })) note(later, event);
        return linesOf(later);
      })();
      return { taskId: turn.taskId, lines };
    };
    const [decided, expired] = [await follow('trip-grace'), await follow('trip-soon')];
    const [hold] = await holdsOfTask(decided.taskId);
    await up.post(`/api/holds/${hold?.id ?? ''}/decision`, { status: 'resolved', values: { days: 3 } });
    expect(await decided.lines).toEqual([
      'INPUT_REQUIRED How long? data',
      expect.stringMatching(/^WORKING Decided by local, to be sent at .*: Trip$/),
      'WORKING Answered by local.',
      'artifact 3 days',
      'COMPLETED',
    ]);
    expect(await expired.lines).toEqual(['INPUT_REQUIRED How long? data', expect.stringMatching(/^FAILED no answer/)]);
  });
});
