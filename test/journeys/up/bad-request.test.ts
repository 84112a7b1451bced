// What clients may do wrong, and what they get. docs/errors.md names these tests: each proves the code, and that the same
// question can still be answered.
import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { endOf, interruptsOf } from '../../rigs/streams/agui.ts';
import { checkRun } from '../../rigs/streams/check-run.ts';
import { type Answer } from '../../rigs/product/standfast.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import {
  codeOf,
  ended,
  failedWorkflowTasks,
  green,
  greenDecision,
  holdsOf,
  interruptOf,
  openHold,
  problemOf,
  waitForTask,
} from '../setting.ts';
import { startProduct } from '../start-product.ts';

let fake: FakeAgent;

const { supervisor, up } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  return `
agents: { fake: { url: '${fake.url}' } }
server: { bodyLimitBytes: 200000 }
`;
});

const script = 'form => say thanks; complete';
const outcomeOf = (answer: Answer): [number, string | null] => [answer.status, codeOf(answer)];
const post = (body: unknown, agent = 'fake'): Promise<Answer> => up.post(`/agents/${agent}/run`, body);
const ask = async (threadId: string): Promise<HoldView> => {
  ended(await up.run('fake', { threadId, text: script }), 'interrupt');
  return openHold(up, 'fake', threadId);
};
/** The question is still open, and its answer is still taken. */
async function stillAnswered(hold: HoldView): Promise<void> {
  expect(await openHold(up, 'fake', hold.threadId)).toEqual(hold);
  ended(await up.run('fake', { threadId: hold.threadId, resume: green(hold.interruptId) }), 'success');
  await waitForTask(up, hold.taskId, 'DONE');
}
/** A run refused by RUN_ERROR: one event, the code. */
function refused(run: { status: number; events: WireEvent[] }, code: string): WireEvent {
  expect(run.status).toBe(200);
  checkRun(run.events);
  expect([run.events.length, endOf(run.events)]).toEqual([1, `error:${code}`]);
  return run.events[0] ?? { type: '' };
}

describe('a request that cannot be read', () => {
  const run = { threadId: 'bad', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'hi' }] };

  test.each([
    ['that is not JSON', '{"threadId": "bad",', ''],
    ['that is JSON but no object', '[1,2]', ''],
    ['that nests without end', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, ''],
    ['without messages', { ...run, messages: undefined }, 'messages'],
    ['with a message that is none', { ...run, messages: [{ id: 'm', role: 'wizard', content: 'x' }] }, 'messages.0'],
    ['with an empty threadId', { ...run, threadId: '' }, 'threadId'],
    ['with control characters in its runId', { ...run, runId: 'a\u0000b' }, 'runId'],
    ['with answers that are none', { ...run, resume: [{ interruptId: 'x', status: 'perhaps' }] }, 'resume.0'],
    [
      'with options of the wrong kind',
      { ...run, forwardedProps: { a2a: { subscribeOnly: 'yes' } } },
      'forwardedProps.a2a.subscribeOnly',
    ],
    ['that says nothing', { ...run, messages: [] }, 'messages'],
  ])('a run %s is refused with input_invalid, naming the path', async (_what, body, path) => {
    const answer = await post(body);
    expect(outcomeOf(answer)).toEqual([400, 'input_invalid']);
    const { detail, errors } = problemOf(answer);
    expect([detail, ...errors.map((error) => error.path)].join('\n')).toContain(path);
  });

  test('a run of an agent that is not configured gets not_found', async () => {
    expect(outcomeOf(await post(run, 'nobody'))).toEqual([404, 'not_found']);
    expect(outcomeOf(await up.get('/agents/nobody/threads/t/events'))).toEqual([404, 'not_found']);
  });

  test('a body that is too large gets too_large', async () => {
    const messages = [{ id: 'm', role: 'user', content: 'x'.repeat(300_000) }];
    expect(outcomeOf(await post({ ...run, messages }))).toEqual([413, 'too_large']);
  });

  test('a body of another type, an unknown route and an unknown filter are refused as problems', async () => {
    const other = await up.post('/agents/fake/run', JSON.stringify(run), { 'content-type': 'text/plain' });
    expect(outcomeOf(other)[0]).toBeGreaterThanOrEqual(400);
    expect(outcomeOf(other)[0]).toBeLessThan(500);
    expect(outcomeOf(await up.get('/api/nothing'))).toEqual([404, 'not_found']);
    expect(outcomeOf(await up.get('/api/holds?status=lost'))).toEqual([400, 'input_invalid']);
    expect(outcomeOf(await up.get('/api/holds/nothing'))).toEqual([404, 'not_found']);
  });
});

describe('an answer that does not fit', () => {
  test('a resume that names an unknown question gets interrupt_unknown, and the open one stays', async () => {
    const hold = await ask('unknown');
    refused(await up.run('fake', { threadId: 'unknown', resume: green('hitl-nobody-1') }), 'interrupt_unknown');
    refused(await up.run('fake', { threadId: 'never-seen', resume: green(hold.interruptId) }), 'interrupt_unknown');
    await stillAnswered(hold);
  });

  test('a resume that leaves an open question out gets interrupts_not_covered, and both stay', async () => {
    const asked = ended(
      await up.run('fake', { threadId: 'two', text: 'forms 2 => say thanks; complete' }),
      'interrupt',
    );
    const [one, two] = interruptsOf(asked).map(({ id }) => id);
    refused(await up.run('fake', { threadId: 'two', resume: green(one ?? '') }), 'interrupts_not_covered');
    expect((await holdsOf(up, 'fake', 'two')).map(({ status }) => status)).toEqual(['open', 'open']);
    const both = [...green(one ?? ''), ...green(two ?? '')];
    ended(await up.run('fake', { threadId: 'two', resume: both }), 'success');
  });

  test('values that do not fit the form get payload_invalid with their paths, by run and by REST, and the question stays', async () => {
    const hold = await ask('invalid');
    const resume = [{ interruptId: hold.interruptId, status: 'resolved' as const, payload: { colour: 'transparent' } }];
    const event = refused(await up.run('fake', { threadId: 'invalid', resume }), 'payload_invalid');
    expect(event['metadata']).toMatchObject({ errors: [{ path: expect.stringContaining('colour') }] });
    const missing = [{ interruptId: hold.interruptId, status: 'resolved' as const }];
    refused(await up.run('fake', { threadId: 'invalid', resume: missing }), 'payload_invalid');
    const rest = await up.post(`/api/holds/${hold.id}/decision`, { status: 'resolved', values: { colour: 7 } });
    expect(outcomeOf(rest)).toEqual([422, 'payload_invalid']);
    expect(new Set(problemOf(rest).errors.map(({ path }) => path))).toEqual(new Set(['/colour']));
    await stillAnswered(hold);
  });

  test('a decision that cannot be read gets input_invalid, and the question stays', async () => {
    const hold = await ask('unreadable');
    for (const body of [
      {},
      { status: 'perhaps' },
      { status: 'resolved' },
      { status: 'resolved', values: [] },
      'not json',
    ]) {
      expect(outcomeOf(await up.post(`/api/holds/${hold.id}/decision`, body))).toEqual([400, 'input_invalid']);
    }
    await stillAnswered(hold);
  });

  test('an answer to a question other than the one shown gets digest_mismatch, and the question stays', async () => {
    const hold = await ask('digest');
    const body = { ...greenDecision(), digest: `sha256:${'0'.repeat(64)}` };
    expect(outcomeOf(await up.post(`/api/holds/${hold.id}/decision`, body))).toEqual([409, 'digest_mismatch']);
    const resume = green(hold.interruptId).map((entry) => ({ ...entry, metadata: { digest: body.digest } }));
    refused(await up.run('fake', { threadId: 'digest', resume }), 'digest_mismatch');
    await stillAnswered(hold);
  });

  test('a message while a question is open gets interrupts_pending, and the question stays', async () => {
    const hold = await ask('pending');
    refused(await up.run('fake', { threadId: 'pending', text: 'never mind' }), 'interrupts_pending');
    await stillAnswered(hold);
  });

  test('another answer after the decision gets hold_closed, the same one gets the same outcome', async () => {
    const hold = await ask('closed');
    const answered = await up.run('fake', { threadId: 'closed', resume: green(hold.interruptId) });
    ended(answered, 'success');
    refused(await up.run('fake', { threadId: 'closed', resume: green(hold.interruptId, 'other') }), 'hold_closed');
    expect(outcomeOf(await up.post(`/api/holds/${hold.id}/decision`, greenDecision('other')))).toEqual([
      409,
      'hold_closed',
    ]);
    ended(await up.run('fake', { threadId: 'closed', resume: green(hold.interruptId) }), 'success');
    expect((await up.post(`/api/holds/${hold.id}/decision`, greenDecision())).status).toBe(200);
    const { a2aTaskId } = await waitForTask(up, hold.taskId, 'DONE');
    expect((await fake.messages()).filter(({ taskId }) => taskId === a2aTaskId)).toHaveLength(1);
  });

  test('a cancelled form that the agent cannot be refused ends its task, and the client parks of it', async () => {
    const asked = ended(await up.run('fake', { threadId: 'declined', text: script }), 'interrupt');
    const resume = [{ interruptId: interruptOf(asked), status: 'cancelled' as const }];
    ended(await up.run('fake', { threadId: 'declined', resume }), 'cancelled');
    const [hold] = await holdsOf(up, 'fake', 'declined');
    expect(hold?.status).toBe('cancelled');
    await waitForTask(up, hold?.taskId ?? '', 'CANCELED');
    ended(await up.run('fake', { threadId: 'declined', resume }), 'cancelled');
  });
});

test('no workflow task failed on any of it', async () => {
  expect(await failedWorkflowTasks(up.temporalAddress)).toEqual([]);
});
