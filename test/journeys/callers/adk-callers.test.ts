// Agents on google-adk, and one that asks in kagent's words, behind Standfast; their questions go to their callers: a
// RemoteA2aAgent of google-adk, which ends after it was asked and answers from its session on disk, and the JavaScript SDK, for
// credentials, which a RemoteA2aAgent does not pass on. The worker is killed while all of them wait.
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SendMessageRequest, type Task, TaskState } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type HoldView, HoldViewSchema } from '../../../src/contract/holds/hold.ts';
import { type A2aCaller, createA2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { startExample } from '../../rigs/agents/js-agent.ts';
import { type CallerTurn, hasPython, runAnsweringCaller, startAdkAgent } from '../../rigs/agents/python-agent.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { buildOnce, longMs } from '../setting.ts';
import { type Api, startSplit } from '../split/split.ts';

const supervisor = createSupervisor();
let api: Api;
let refundsDir = '';

const call = (tool: string, args: object = {}): string => `call ${tool} ${JSON.stringify(args)}`;
const integer = { type: 'integer', title: 'How many?', minimum: 1 };

/** What a RemoteA2aAgent is asked, the response that its session gives, and what the agent's model had from its tool. */
const ways = {
  confirmation: {
    script: call('delete_file', { path: '/x' }),
    tool: 'adk_request_confirmation',
    response: { hint: '', confirmed: true, payload: null },
    result: 'delete_file returned {"deleted": "/x"}',
    values: { approved: true },
  },
  'confirmation with a payload': {
    script: call('book_trip', { city: 'Rome' }),
    tool: 'adk_request_confirmation',
    response: { confirmed: true, payload: { days: 2, fare: 'first' } },
    result: 'book_trip returned {"booked": "Rome", "days": 2.0, "fare": "first"}',
    values: { approved: true, editedArgs: { days: 2, fare: 'first' } },
  },
  'long-running call': {
    script: call('request_payment', { amount: 5, payee: 'Ada' }),
    tool: 'request_payment',
    response: { status: 'approved', receipt: 'R-1' },
    result: 'request_payment returned {"receipt": "R-1", "status": "approved"}',
    values: { approved: true, response: { receipt: 'R-1' } },
  },
  'long-running call with a result alone': {
    script: call('request_payment', { amount: 6, payee: 'Ben' }),
    tool: 'request_payment',
    response: { receipt: 'R-2' },
    result: 'request_payment returned {"receipt": "R-2"}',
    values: { data: [expect.objectContaining({ response: { receipt: 'R-2' } })] },
  },
  'request for a value': {
    script: call('adk_request_input', { message: 'Seats, please.', response_schema: integer }),
    tool: 'adk_request_input',
    response: { result: 4 },
    result: 'adk_request_input returned {"result": 4.0}',
    values: { result: 4 },
  },
  'request for words': {
    script: call('adk_request_input', { message: 'Anything else?' }),
    tool: 'adk_request_input',
    response: { result: 'No, thanks' },
    result: 'adk_request_input returned {"result": "No, thanks"}',
    values: { text: 'No, thanks' },
  },
};
const names = Object.keys(ways) as (keyof typeof ways)[];

let asked: Record<string, CallerTurn>;
let answered: Record<string, CallerTurn>;
/** Questions to callers on the JavaScript SDK. */
const sdk: Record<string, { client: A2aCaller; taskId: string; data: Record<string, unknown>[] }> = {};

async function askBySdk(agent: string, text: string): Promise<void> {
  const client = await createA2aCaller(`${api.url}/a2a/${agent}/`);
  const { taskId, data } = await client.send(text);
  sdk[`${agent} ${text}`] = { client, taskId, data };
}

const answerTo = (taskId: string, message: object): SendMessageRequest =>
  SendMessageRequest.fromJSON({ message: { messageId: randomUUID(), role: 'ROLE_USER', taskId, ...message } });

const responseTo = (id: unknown, name: string, response: object): object => ({
  parts: [{ data: { id, name, response }, metadata: { adk_type: 'function_response' } }],
});

async function holdsAt(agent: string): Promise<HoldView[]> {
  const { body } = await api.get(`/api/holds?agent=${agent}&limit=200`);
  return z.object({ items: z.array(HoldViewSchema) }).parse(body).items;
}

const textsOf = ({ artifacts }: Task): string =>
  artifacts
    .flatMap(({ parts }) => parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')))
    .join('\n');

function completed({ client, taskId }: { client: A2aCaller; taskId: string }): Promise<Task> {
  return waitFor(
    async () => {
      const task = await client.getTask(taskId);
      return task.status?.state === TaskState.TASK_STATE_COMPLETED ? task : undefined;
    },
    longMs,
    `the end of ${taskId}`,
  );
}

const secret = 'open-sesame';
const credential = call('read_report');
const mine = call('delete_file', { path: '/mine' });
const theirs = call('delete_file', { path: '/theirs' });
const refunds = 'refund 40 EUR to Ana and 12.50 EUR to Ben';

(hasPython ? describe : describe.skip)('after kill -9 of the worker', () => {
  beforeAll(async () => {
    buildOnce();
    refundsDir = await supervisor.tempDir('refunds');
    const [adk, guarded] = await Promise.all([
      startAdkAgent(supervisor),
      startExample(supervisor, 'refunds', refundsDir),
    ]);
    const split = await startSplit(
      supervisor,
      [
        'agents:',
        `  adk: { url: '${adk.url}', policy: caller }`,
        `  either: { url: '${adk.url}', policy: both }`,
        `  refunds: { url: '${guarded}', policy: caller }`,
        "policies: { caller: { ask: caller }, both: { audience: ['role:finance'], ask: both } }",
      ].join('\n'),
    );
    let worker;
    [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
    const session: [string, string] = [
      `${api.url}/a2a/adk/`,
      join(await supervisor.tempDir('sessions'), 'sessions.db'),
    ];
    asked = await runAnsweringCaller(
      supervisor,
      session,
      'ask',
      Object.fromEntries(names.map((name) => [name, ways[name].script])),
    );
    await askBySdk('adk', credential);
    await askBySdk('either', mine);
    await askBySdk('either', theirs);
    await askBySdk('refunds', refunds);
    await worker.kill9();
    await split.startWorker();
    answered = await runAnsweringCaller(
      supervisor,
      session,
      'answer',
      Object.fromEntries(names.map((name) => [name, { [ways[name].tool]: ways[name].response }])),
    );
  });
  afterAll(() => supervisor.end());

  // Promise V7a
  test.each(names)('a RemoteA2aAgent that was asked by a %s answers it, and its agent goes on with that', (name) => {
    const { tool, result } = ways[name];
    expect(asked[name]).toMatchObject({ calls: [{ name: tool }], errors: [] });
    expect(answered[name]).toMatchObject({ calls: [], errors: [] });
    expect(answered[name]?.texts.join('\n')).toContain(result);
  });

  // Promise V7a
  test('what RemoteA2aAgents answered is on record, each once', async () => {
    const holds = await holdsAt('adk');
    const decisions = holds.flatMap(({ decision, context }) => (decision === null ? [] : [{ ...decision, context }]));
    expect(decisions.map(({ by }) => by)).toEqual(decisions.map(() => 'local'));
    for (const name of names)
      expect(decisions.filter(({ values }) => jsonEqual(values, ways[name].values))).toHaveLength(1);
  });

  // Promise V7a
  test('a credential that a caller gives reaches the tool, and is shown nowhere', async () => {
    const key = sdk[`adk ${credential}`];
    if (key === undefined) throw new Error('nothing was asked');
    const { id, args } = z
      .object({ id: z.string(), args: z.object({ authConfig: z.record(z.string(), z.unknown()) }) })
      .parse(key.data[0]);
    const exchangedAuthCredential = { authType: 'apiKey', apiKey: secret };
    const response = { ...args.authConfig, exchangedAuthCredential };
    await key.client.client.sendMessage(answerTo(key.taskId, responseTo(id, 'adk_request_credential', response)));
    const task = await completed(key);
    const fingerprint = createHash('sha256').update(secret).digest('hex').slice(0, 12);
    expect(textsOf(task)).toContain(`read_report returned {"key": "${fingerprint}", "report": "all is well"}`);
    expect(JSON.stringify([task, await holdsAt('adk')])).not.toContain(secret);
  });

  // Promise V7a
  test('of caller and people (ask: both) the first counts, and the other is refused', async () => {
    const [first, second] = [sdk[`either ${mine}`], sdk[`either ${theirs}`]];
    if (first === undefined || second === undefined) throw new Error('nothing was asked');
    const confirm = ({ data, taskId }: typeof first): SendMessageRequest =>
      answerTo(taskId, responseTo(data[0]?.['id'], 'adk_request_confirmation', { confirmed: true }));
    const open = await holdsAt('either');
    const holdOf = (taskId: string): HoldView | undefined => open.find((hold) => hold.taskId === taskId);
    await first.client.client.sendMessage(confirm(first));
    expect(textsOf(await completed(first))).toContain('delete_file returned {"deleted": "/mine"}');
    const late = { status: 'resolved', values: { approved: false } };
    expect((await api.post(`/api/holds/${holdOf(first.taskId)?.id ?? ''}/decision`, late)).status).toBe(409);
    await api.post(`/api/holds/${holdOf(second.taskId)?.id ?? ''}/decision`, late);
    expect(textsOf(await completed(second))).not.toContain('deleted');
    await expect(second.client.client.sendMessage(confirm(second))).rejects.toMatchObject({ envelopeCode: -32004 });
  });

  // Promise V7a
  test('approvals of a caller in the words of kagent execute what they approve, and nothing else', async () => {
    const guarded = sdk[`refunds ${refunds}`];
    if (guarded === undefined) throw new Error('nothing was asked');
    const uri = 'https://kagent.dev/extensions/hitl/v1';
    const { status } = await guarded.client.getTask(guarded.taskId);
    const { tools } = z
      .object({ tools: z.array(z.object({ id: z.string() })) })
      .parse(status?.message?.metadata?.[uri]);
    const approvals = [
      { id: tools[0]?.id, approved: true },
      { id: tools[1]?.id, approved: false, rejection_reason: 'they have it already' },
    ];
    const payload = { type: 'tool_approval_response', approvals };
    const message = { parts: [{ text: 'Approved' }], extensions: [uri], metadata: { [uri]: payload } };
    await guarded.client.client.sendMessage(answerTo(guarded.taskId, message));
    await completed(guarded);
    expect(await readFile(join(refundsDir, 'payments.log'), 'utf8')).toBe('Ana 40\n');
    const values = (await holdsAt('refunds')).map(({ decision }) => decision?.values);
    expect(values).toEqual(
      expect.arrayContaining([{ approved: true }, { approved: false, reason: 'they have it already' }]),
    );
  });
});

/** By jest's own comparison, so that what is expected may contain matchers. */
function jsonEqual(actual: unknown, expected: unknown): boolean {
  try {
    expect(actual).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}
