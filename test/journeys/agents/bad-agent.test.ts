// What agents may do wrong, and what comes of it. docs/errors.md names these tests: each proves the code, and that the task
// can still be answered or has honestly ended.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { cancelsOf } from '../../rigs/agents/agent-facts.ts';
import { startFakeAgent, type FakeAgent, type Fault } from '../../rigs/agents/agent.ts';
import { interruptsOf, textsOf, type RunResult } from '../../rigs/streams/agui.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  countsOf,
  ended,
  failedWorkflowTasks,
  green,
  greenDecision,
  interruptOf,
  longMs,
  openHold,
  readHold,
  runTemporal,
  tasksOf,
  waitForTask,
  waitForWorkflow,
} from '../setting.ts';
import { startProduct } from '../start-product.ts';

let fake: FakeAgent;
let deadPort: number;
/** Journeys that mostly wait are begun together and awaited by their tests. */
const begun = new Map<string, Promise<void>>();
const begin = (name: string, journey: () => Promise<void>): void => {
  const promise = journey();
  promise.catch(() => undefined);
  begun.set(name, promise);
};
const awaited = (name: string): Promise<void> => begun.get(name) ?? Promise.reject(new Error(`${name} was not begun`));

const run = (threadId: string, text: string, agent = 'fake'): Promise<RunResult> =>
  up.run(agent, { threadId, text }, 90_000);
const taskOf = async (threadId: string, agent = 'fake'): ReturnType<typeof waitForTask> => {
  const task = (await tasksOf(up, agent, threadId)).at(-1);
  if (task === undefined) throw new Error(`no task on ${threadId}`);
  return task;
};
/** The thread takes its next task, and that one completes. */
const goesOn = async (threadId: string, agent = 'fake'): Promise<void> =>
  void ended(await run(threadId, 'say next; complete', agent), 'success');
const reached = async (text: string): Promise<number[]> =>
  countsOf((await fake.messages()).filter(({ parts }) => JSON.stringify(parts).includes(text)));
const artifactText = (events: WireEvent[]): string =>
  [...textsOf(events)]
    .filter(([id]) => id.startsWith('artifact:'))
    .map(([, text]) => text)
    .join('|');
const tokens = (count: number): string => Array.from({ length: count }, (_, index) => `t${index + 1} `).join('');

const { supervisor, up } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  deadPort = await supervisor.freePort();
  return `
agents:
  fake: { url: '${fake.url}' }
  dead: { url: 'http://127.0.0.1:${deadPort}/' }
  mum: { url: '${fake.url}', limits: { silence: 2s } }
agentOutage: 6s
`;
});
beforeAll(async () => {
  // An agent that has shown our message ids once may be believed when it says that it has none.
  ended(await run('known', 'say hello; complete'), 'success');
  for (const [what, fault] of firstFaults) begin(what, () => failsFirst(what, fault));
  begin('down', agentDown);
  begin('html for ever', htmlForEver);
  begin('silent', agentSilent);
  begin('html to an answer', htmlToAnswer);
  begin('dropped', messageDropped);
});

const firstFaults: [string, Fault][] = [
  ['429', { do: 'status', status: 429, retryAfter: 1 }],
  ['503', { do: 'status', status: 503, retryAfter: 1 }],
  ['500', { do: 'status', status: 500 }],
  ['with a closed connection', { do: 'destroy' }],
  ['HTML', { do: 'html' }],
  ['JSON that is no JSON-RPC', { do: 'body', body: '{"hello":"world"}' }],
];

async function failsFirst(what: string, fault: Fault): Promise<void> {
  const word = what.replaceAll(/\W+/g, '-');
  await fake.arm({ ...fault, match: `say ${word};` });
  ended(await run(`first-${word}`, `say ${word}; complete`), 'success');
  expect(await reached(`say ${word};`)).toEqual([1]);
  expect((await taskOf(`first-${word}`)).status).toBe('DONE');
}

async function htmlToAnswer(): Promise<void> {
  const interruptId = interruptOf(ended(await run('html-answer', 'form => say thanks html; complete'), 'interrupt'));
  const { a2aTaskId } = await taskOf('html-answer');
  await fake.arm({ do: 'html', match: String(a2aTaskId) });
  ended(await up.run('fake', { threadId: 'html-answer', resume: green(interruptId) }, 90_000), 'success');
  expect(countsOf((await fake.messages()).filter(({ taskId }) => taskId === a2aTaskId))).toEqual([1]);
}

async function messageDropped(): Promise<void> {
  await fake.arm({ do: 'drop-response', match: 'say dropped' });
  ended(await run('dropped', 'say dropped; complete'), 'success');
  expect(await reached('say dropped')).toEqual([1]);
}

async function agentDown(): Promise<void> {
  const down = ended(await run('down', 'say hello; complete', 'dead'), 'error:agent_unreachable');
  expect(down.at(-1)?.['message']).toContain('cannot be reached');
  const task = await taskOf('down', 'dead');
  expect([task.status, task.error?.code]).toEqual(['FAILED', 'agent_unreachable']);
  expect(await waitForWorkflow(up.temporalAddress, 'dead', 'down', 'FAILED')).toBe('agent_unreachable');
  await startFakeAgent(supervisor, { port: deadPort });
  await goesOn('down', 'dead');
}

async function htmlForEver(): Promise<void> {
  await fake.arm({ do: 'html', match: 'say sign in', times: 1_000 });
  ended(await run('html-ever', 'say sign in; complete'), 'error:delivery_unknown');
  const unknown = await openHold(up, 'fake', 'html-ever');
  expect([unknown.kind, (await taskOf('html-ever')).status]).toEqual(['operator', 'NEEDS_REVIEW']);
  expect(await reached('say sign in')).toEqual([]);
  const decided = await up.post(`/api/holds/${unknown.id}/decision`, {
    status: 'resolved',
    values: { choice: 'give_up' },
  });
  expect(decided.status).toBe(200);
  const task = await waitForTask(up, unknown.taskId, 'FAILED');
  expect(task.error?.code).toBe('delivery_unknown');
  expect(await waitForWorkflow(up.temporalAddress, 'fake', 'html-ever', 'FAILED')).toBe('delivery_unknown');
  await goesOn('html-ever');
}

async function agentSilent(): Promise<void> {
  const events = ended(await run('silent', 'stream 5 2; mute; stream 5 2 more; complete'), 'success');
  expect(artifactText(events)).toBe(`${tokens(5)}|${tokens(5)}`);
  expect((await taskOf('silent')).status).toBe('DONE');
}

describe('an agent that does not take the message', () => {
  test('an agent that is down for longer than `agentOutage` fails its task with agent_unreachable, and the thread takes the next one', () =>
    awaited('down'));

  test.each(firstFaults.map(([what]) => [what]))(
    'an agent that answers %s at first fails nothing: it gets the message once, later',
    (what) => awaited(what),
  );

  test('an agent that answers HTML for ever leaves the message unconfirmed: delivery_unknown, and an operator ends it', () =>
    awaited('html for ever'));

  test('an agent that refuses the message fails its task with agent_failed, and the thread takes the next one', async () => {
    await fake.arm({ do: 'rpc-error', code: -32602, message: 'no such skill', match: 'say refused' });
    const events = ended(await run('refused', 'say refused; complete'), 'error:agent_failed');
    expect(events.at(-1)?.['message']).toContain('no such skill');
    expect((await taskOf('refused')).error?.code).toBe('agent_failed');
    await goesOn('refused');
  });

  test('an agent that reports an error on a first message fails its task with its words, at once and without asking', async () => {
    await fake.arm({ do: 'rpc-error', code: -32603, message: 'the till is empty', match: 'say broken' });
    const events = ended(await run('broken', 'say broken; complete'), 'error:agent_failed');
    expect(events.at(-1)?.['message']).toContain('the till is empty');
    expect(await reached('say broken')).toEqual([]);
    await goesOn('broken');
  });

  test('an agent that answers HTML to an answer fails nothing: the question is closed, and the answer reaches it once', () =>
    awaited('html to an answer'));
});

describe('an agent whose stream breaks', () => {
  test.each(['cut', 'end', 'half'])(
    'a stream that breaks (%s) fails nothing: the run goes on, no word lost or twice',
    async (how) => {
      const events = ended(
        await run(`stream-${how}`, `stream 10 5; ${how}; stream 10 5 more; wait 300; data; complete`),
        'success',
      );
      expect(artifactText(events)).toBe(`${tokens(10)}|${tokens(10)}`);
      expect((await taskOf(`stream-${how}`)).status).toBe('DONE');
    },
  );

  test('a stream that breaks just before the question shows the question all the same', async () => {
    const asked = ended(await run('cut-form', 'stream 5 5; cut; form => say thanks; complete'), 'interrupt');
    ended(await up.run('fake', { threadId: 'cut-form', resume: green(interruptOf(asked)) }), 'success');
  });

  test('a stream that falls silent is asked for after half a minute: the run ends, no word lost or twice', () =>
    awaited('silent'));

  test('a message that was taken while the connection broke is not sent again', () => awaited('dropped'));
});

describe('an agent that says what is not understood', () => {
  test('a task state that is unknown fails nothing: what comes after it counts', async () => {
    const asked = ended(
      await run('dreaming', 'state TASK_STATE_DREAMING; say awake; form => state TASK_STATE_DREAMING; complete'),
      'interrupt',
    );
    ended(await up.run('fake', { threadId: 'dreaming', resume: green(interruptOf(asked)) }), 'success');
  });

  test('an artifact of 3 MiB passes as text and as data, and the task is completed', async () => {
    const events = ended(await run('big-text', 'big 3; complete'), 'success');
    expect(artifactText(events)).toBe('x'.repeat(3 * 1024 * 1024));
    const script = JSON.stringify({
      turns: [[{ do: 'big', mib: 3, kind: 'data' }, { do: 'form' }], [{ do: 'complete' }]],
    });
    const asked = ended(await run('big-data', script), 'interrupt');
    ended(await up.run('fake', { threadId: 'big-data', resume: green(interruptOf(asked)) }), 'success');
    const history = await runTemporal(up.temporalAddress, [
      'workflow',
      'show',
      '--workflow-id',
      'a2a/fake/big-data',
      '--output',
      'json',
    ]);
    expect(history.length).toBeLessThan(200_000);
  });

  test('a question without any words can still be answered by text', async () => {
    const asked = ended(
      await run('wordless', '{"turns":[[{"do":"pause"}],[{"do":"echo"},{"do":"complete"}]]}'),
      'interrupt',
    );
    const hold = await openHold(up, 'fake', 'wordless');
    expect([hold.kind, hold.message === '']).toEqual(['text', false]);
    const resume = [{ interruptId: interruptOf(asked), status: 'resolved' as const, payload: { text: 'forty-two' } }];
    expect(artifactText(ended(await up.run('fake', { threadId: 'wordless', resume }), 'success'))).toContain(
      'forty-two',
    );
  });

  test.each([
    ['unknown field types', 'odd-form', { mood: 'good' }],
    ['the same field name twice', 'twin-form', { same: 'once' }],
  ])('a form with %s can still be answered', async (_what, step, values) => {
    ended(await run(step, `${step} => echo; complete`), 'interrupt');
    const hold = await openHold(up, 'fake', step);
    expect(Object.keys(hold.schema['properties'] ?? {}).length).toBeGreaterThan(0);
    const { status, body } = await up.post(`/api/holds/${hold.id}/decision`, { status: 'resolved', values });
    expect([status, body]).toMatchObject([200, { hold: { status: 'decided' } }]);
    await waitForTask(up, hold.taskId, 'DONE');
  });

  test('two pauses with the same form id are two questions, and an answer to the first is not taken for the second', async () => {
    const first = interruptOf(ended(await run('same-id', 'form F => form F => complete'), 'interrupt'));
    const second = interruptOf(ended(await up.run('fake', { threadId: 'same-id', resume: green(first) }), 'interrupt'));
    expect(second).not.toBe(first);
    const stale = await up.run('fake', { threadId: 'same-id', resume: green(first, 'changed my mind') });
    ended(stale, 'error:hold_closed');
    expect((await openHold(up, 'fake', 'same-id')).interruptId).toBe(second);
    ended(await up.run('fake', { threadId: 'same-id', resume: green(second) }), 'success');
    expect((await taskOf('same-id')).status).toBe('DONE');
  });

  test('forms asked together are answered together, one by REST and one by a run', async () => {
    const asked = ended(await run('together', 'forms 2 => complete'), 'interrupt');
    const holds = await Promise.all(interruptsOf(asked).map(({ id }): Promise<HoldView> => readHold(up, id)));
    const [one, two] = holds.toSorted((a, b) => (a.interruptId < b.interruptId ? -1 : 1));
    expect((await up.post(`/api/holds/${one?.id}/decision`, greenDecision())).status).toBe(200);
    await waitFor(async () => (await readHold(up, one?.id ?? '')).status === 'decided', longMs, 'the first decision');
    expect((await taskOf('together')).status).toBe('NEEDS_REVIEW');
    ended(await up.run('fake', { threadId: 'together', resume: green(two?.interruptId ?? '') }), 'success');
  });
});

describe('an agent that ends its task unasked', () => {
  test.each([
    ['fail broken', 'error:agent_failed', 'FAILED', 'FAILED'],
    ['reject unwanted', 'error:agent_rejected', 'FAILED', 'FAILED'],
    ['cancel', 'cancelled', 'CANCELED', 'CANCELLED'],
    ['message just this', 'success', 'DONE', 'COMPLETED'],
  ])(
    'an agent that ends its task unasked, by "%s", has the run, the task and the workflow say so',
    async (step, end, status, workflow) => {
      const threadId = `ends-${step.split(' ')[0]}`;
      ended(await run(threadId, step), end);
      expect((await taskOf(threadId)).status).toBe(status);
      await waitForWorkflow(up.temporalAddress, 'fake', threadId, workflow);
      await goesOn(threadId);
    },
  );
});

describe('an agent that leaves Standfast in the dark', () => {
  test('an agent that says nothing for longer than its limit is asked to stop, its task fails with agent_silent, and the thread goes on', async () => {
    ended(await run('mum', 'gate never; complete', 'mum'), 'error:agent_silent');
    const { a2aTaskId, status, error } = await taskOf('mum', 'mum');
    expect([status, error?.code]).toEqual(['FAILED', 'agent_silent']);
    await waitFor(async () => (await cancelsOf(fake, a2aTaskId)).length > 0, longMs, 'the agent to be asked to stop');
    await goesOn('mum', 'mum');
  });

  test('an agent that answers with the task of another thread fails its own task, and the other one is answered', async () => {
    const asked = interruptOf(ended(await run('robbed', 'form => say thanks; complete'), 'interrupt'));
    const { a2aTaskId } = await taskOf('robbed');
    const task = { id: a2aTaskId, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
    const body = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { task } })}\n\n`;
    await fake.arm({ do: 'body', body, contentType: 'text/event-stream', match: 'say stolen' });
    ended(await run('thief', 'say stolen; complete'), 'error:agent_failed');
    expect((await taskOf('thief')).a2aTaskId).toBeNull();
    ended(await up.run('fake', { threadId: 'robbed', resume: green(asked) }), 'success');
    await goesOn('thief');
  });
});

test('no workflow task failed on any of it', async () => {
  expect(await failedWorkflowTasks(up.temporalAddress)).toEqual([]);
});
