import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure, WorkflowUpdateFailedError } from '@temporalio/client';
import { cancelsOf } from '../../rigs/agents/agent-facts.ts';
import { answer, bob, local, otto, refusal, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { eventually, leastBoundMs, waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;

const audience = ['role:finance'];
beforeAll(async () => {
  core = await startCore(supervisor, {
    agents: { asking: { policy: 'asking' }, expiring: { policy: 'expiring' } },
    policies: { asking: { audience }, expiring: { expire: { after: '2s', then: 'cancel' } } },
  });
});
afterAll(() => core?.stop());

const refusedWith = (code: string): object => ({ kind: 'refusal', refusal: { code } });

describe('a refusal leaves nothing in history', () => {
  test.concurrent('a refusal leaves nothing in history of one who is not asked: not_allowed_to_decide', async () => {
    const task = await core.engine.open('form => complete', { agent: 'asking' });
    const hold = await task.asked();
    const before = await task.quiet();
    for (const who of [bob, otto]) {
      expect(await task.decide(answer(hold, { colour: 'green' }), who)).toMatchObject(
        refusedWith('not_allowed_to_decide'),
      );
    }
    const resumed = await task.run('by-otto', { resume: [answer(hold, { colour: 'green' })] }, otto);
    expect(resumed).toMatchObject(refusedWith('not_allowed_to_decide'));
    expect(await task.historyLength()).toBe(before);
  });

  test.concurrent('a refusal leaves nothing in history of a question that is not there: interrupt_unknown', async () => {
    const task = await core.engine.open('form => complete');
    await task.asked();
    const before = await task.quiet();
    const other = answer({ interruptId: 'hitl-elsewhere-1' }, { colour: 'green' });
    expect(await task.decide(other)).toMatchObject(refusedWith('interrupt_unknown'));
    expect(await task.run('elsewhere', { resume: [other] })).toMatchObject(refusedWith('interrupt_unknown'));
    expect(await task.historyLength()).toBe(before);
  });

  test.concurrent('a refusal leaves nothing in history of another question than the one that was shown: digest_mismatch', async () => {
    const task = await core.engine.open('form => complete');
    const hold = await task.asked();
    const before = await task.quiet();
    const entry = answer(hold, { colour: 'green' });
    expect(await task.decide({ ...entry, digest: 'sha256:other' })).toMatchObject(refusedWith('digest_mismatch'));
    expect(await task.historyLength()).toBe(before);
    expect(await task.decide({ ...entry, digest: hold.digest })).toMatchObject({ kind: 'answer' });
  });

  test.concurrent('a refusal leaves nothing in history of a message while questions are open: interrupts_pending, naming them', async () => {
    const task = await core.engine.open('form => complete');
    const hold = await task.asked();
    const before = await task.quiet();
    const result = await task.run('chat', { message: 'hello?' });
    expect(result).toMatchObject({ refusal: { code: 'interrupts_pending', data: { open: [hold.interruptId] } } });
    expect(await task.historyLength()).toBe(before);
  });

  test.concurrent('a refusal leaves nothing in history of a resume that leaves a question out: interrupts_not_covered, naming it', async () => {
    const task = await core.engine.open('forms 2 => complete');
    const [one, two] = [await task.asked(1), await task.asked(2)];
    const before = await task.quiet();
    const result = await task.run('half', { resume: [answer(one, { colour: 'green' })] });
    expect(result).toMatchObject({ refusal: { code: 'interrupts_not_covered', data: { missing: [two.interruptId] } } });
    expect(await task.historyLength()).toBe(before);
    expect((await task.asked(1)).status).toBe('open');
  });

  test.concurrent('a refusal leaves nothing in history of a late answer: interrupt_expired', async () => {
    const task = await core.engine.open('form => complete', { agent: 'expiring' });
    const hold = await task.hold();
    const { a2aTaskId } = await task.row();
    // The agent holds the end up, so that the workflow itself still answers.
    await core.agent.arm({ do: 'hang', times: 3, on: 'CancelTask', match: a2aTaskId ?? '' });
    await waitFor(
      async () => (await cancelsOf(core.agent, a2aTaskId)).length > 0,
      leastBoundMs,
      'a cancel at the agent',
    );
    const late = answer(hold, { colour: 'green' });
    // What is repeated at the agent adds to the history too: the refusals are asked between two of these.
    await eventually(async () => {
      const before = await task.historyLength();
      expect(await task.decide(late)).toMatchObject(refusedWith('interrupt_expired'));
      expect(await task.run('late', { resume: [late] })).toMatchObject(refusedWith('interrupt_expired'));
      expect(await task.historyLength()).toBe(before);
    });
    expect(await task.closed()).toBe('CANCELLED');
  });
});

describe('an answer', () => {
  test.concurrent('an answer with values that do not fit is refused with payload_invalid and each error, and nothing changes', async () => {
    const task = await core.engine.open('form => complete');
    const hold = await task.asked();
    const wrong = { colour: 'blue', note: 5 };
    for (const result of [
      await task.decide(answer(hold, wrong)),
      await task.run('wrong', { resume: [answer(hold, wrong)] }),
    ]) {
      expect(result).toMatchObject(refusedWith('payload_invalid'));
      const errors = result.kind === 'refusal' ? result.refusal.data?.errors : undefined;
      expect(errors?.map(({ path }) => path).toSorted()).toEqual(['/colour', '/note']);
    }
    expect((await task.asked()).holdId).toBe(hold.holdId);
    expect(await task.decide(answer(hold, { colour: 'green' }))).toMatchObject({ kind: 'answer' });
  });

  test.concurrent('an answer given again gets the same answer; another one is refused with hold_closed', async () => {
    const task = await core.engine.open('forms 2 => complete');
    const one = await task.asked(1);
    const entry = answer(one, { colour: 'green' });
    const first = await task.decide(entry);
    const second = await task.decide(entry);
    if (first.kind !== 'answer' || second.kind !== 'answer') throw new Error('not taken');
    expect([first.value.isRepeat, second.value.isRepeat]).toEqual([false, true]);
    expect(second.value.decision).toEqual(first.value.decision);
    expect(await task.decide(answer(one, { colour: 'red' }))).toMatchObject(refusedWith('hold_closed'));
    expect(await task.decide(refusal(one))).toMatchObject(refusedWith('hold_closed'));
  });

  test.concurrent('two different answers at the same moment: one is taken, the other refused', async () => {
    const task = await core.engine.open('forms 2 => complete');
    const one = await task.asked(1);
    const result = await Promise.all([
      task.decide(answer(one, { colour: 'green' })),
      task.decide(answer(one, { colour: 'red' })),
    ]);
    expect(result.map((each) => each.kind).toSorted()).toEqual(['answer', 'refusal']);
    expect(result.find((each) => each.kind === 'refusal')).toMatchObject(refusedWith('hold_closed'));
  });
});

describe('a run', () => {
  test.concurrent('a run posted again gets the same answer, under another body run_conflict', async () => {
    const task = await core.engine.open('forms 2 => gate twice; complete');
    const resume = [answer(await task.asked(1), { colour: 'green' }), answer(await task.asked(2), { colour: 'red' })];
    const first = await task.run('same', { resume });
    expect(await task.run('same', { resume })).toEqual(first);
    await core.agent.atGate('twice');
    // Past the server's own memory of update ids, the reducer's.
    const command = {
      runId: 'same',
      fingerprint: 'sha256:other',
      principal: local,
      receivedAt: new Date().toISOString(),
      resume,
    };
    const other = task.update('run', command, 'not-the-run-id');
    const failure = await other.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WorkflowUpdateFailedError);
    expect((failure as WorkflowUpdateFailedError).cause).toMatchObject({ type: 'run_conflict' });
    await core.agent.openGate('twice');
    await task.status('DONE');
  });
});

describe('with too many requests waiting on one task', () => {
  // Has a worker of its own, so it comes after all that runs at the same time.
  test('further ones are refused as busy, and those that wait are answered', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { engine } = core;
    const schemas: typeof engine.schemas = {
      ...engine.schemas,
      async check(...args) {
        await released;
        return engine.schemas.check(...args);
      },
    };
    const task = await engine.open('forms 2 => complete');
    const hold = await task.asked(1);
    await engine.stopWorker();
    await engine.startWorker({ schemas });
    const receivedAt = new Date().toISOString();
    const codes: (string | undefined)[] = [];
    const calls = Array.from({ length: 8 }, async (_, index) => {
      const entry = answer(hold, { colour: 'green', note: `n${index}` });
      try {
        await task.update('decide', { entry, principal: local, receivedAt });
        codes.push('taken');
      } catch (error) {
        const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
        codes.push(cause instanceof ApplicationFailure ? (cause.type ?? undefined) : String(error));
      }
    });
    await waitFor(() => codes.length >= 3, 10_000, 'three refusals');
    expect(codes).toEqual(['busy', 'busy', 'busy']);
    release();
    await Promise.all(calls);
    expect(codes.slice(3).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      'hold_closed',
      'hold_closed',
      'hold_closed',
      'hold_closed',
      'taken',
    ]);
  });
});
