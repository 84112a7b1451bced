// Through what an answer came, as its record says it: a page of Holdpoint's own, or a program.
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DecideCommand } from '../../../src/contract/holds/decision.ts';
import { aDecision, aHold, aTask, bearer, fakeTasks, freshThread } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

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
});
