// Through what an answer came, as its record says it: a page of Standfast's own, or a program.
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DecideCommand } from '../../../src/contract/holds/decision.ts';
import { aDecision, aHold, aTask, bearer, fakeTasks, freshThread } from '../rig.ts';
import type { RunCommand } from '../../../src/contract/tasks/run.ts';
import { describeApi } from '../describe-api.ts';
import { answer, asked, carrying, resume } from '../runs/asked-tasks.ts';

const keyless = describeApi();
const keyed = describeApi({ withKeys: true });
const commands: DecideCommand[] = [];

beforeEach(() => {
  commands.length = 0;
  for (const { tasks } of [keyless, keyed]) {
    Object.assign(tasks, fakeTasks());
    tasks.decide = async (_task, command) => {
      commands.push(command);
      const { entry, principal, source } = command;
      const { status, values, reason } = entry;
      const decision = aDecision({ by: principal.id, status, values, reason, ...(source !== undefined && { source }) });
      const value = { holdId: entry.hold, decision, votes: { have: 1, need: 1 }, isRepeat: false };
      return { kind: 'answer', value: { ...value, taskStatus: 'USER_INPUT_RECEIVED' } };
    };
  }
});

async function sourceOf(rig: typeof keyless, headers: Record<string, string>): Promise<string | undefined> {
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  const hold = await aHold(rig.store, task, { audience: ['role:finance'] });
  const response = await rig.app.inject({
    method: 'POST',
    url: `/api/holds/${encodeURIComponent(hold.holdId)}/decision`,
    headers: { host: '127.0.0.1:8080', 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ status: 'resolved', values: { city: 'Rome' } }),
  });
  expect(response.statusCode).toBe(200);
  return commands.at(-1)?.source;
}

const ownPage = { 'sec-fetch-site': 'same-origin' };

describe('the record of an answer', () => {
  test('the record of an answer of a page says so where there are no keys, too', async () => {
    expect(await sourceOf(keyless, ownPage)).toBe('page');
    expect(await sourceOf(keyless, { origin: 'http://127.0.0.1:8080' })).toBe('page');
  });

  test('the record of an answer of a program says the interface, without keys and with one', async () => {
    expect(await sourceOf(keyless, {})).toBe('rest');
    expect(await sourceOf(keyed, bearer('fin'))).toBe('rest');
    expect(await sourceOf(keyed, { ...bearer('fin'), ...ownPage })).toBe('rest');
  });

  test('the record of an answer that a run brings says whether our own chat or a front end of others sent it', async () => {
    const sources: unknown[] = [];
    for (const headers of [ownPage, {}]) {
      const { threadId, task, hold } = await asked(keyless);
      const runs: RunCommand[] = [];
      carrying(keyless, task, [hold], runs);
      const payload = resume(threadId, `r-${sources.length}`, [answer(hold, { city: 'Rome' })]);
      await keyless.app.inject({ method: 'POST', url: '/agents/expenses/run', headers, payload });
      sources.push(runs[0]?.kind === 'resume' ? runs[0].source : null);
    }
    expect(sources).toEqual(['page', 'resume']);
  });
});
