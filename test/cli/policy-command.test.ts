// `standfast policy try` against the api on a real database, as the program runs it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { questionOfToolCall } from '../../src/core/questions/ask.ts';
import { aDecision, aHold, anEnd, aTask, freshThread, keys } from '../api/rig.ts';
import { describeApi } from '../api/describe-api.ts';
import { runInProcess, type CommandRun } from '../rigs/product/command.ts';

let url = '';
const dir = mkdtempSync(join(tmpdir(), 'policy-try-'));
const rig = describeApi({ withKeys: true });
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const next = `
agents:
  expenses: { url: 'http://agent.example', policy: pay, rules: [{ when: { data: 'amount > 1000' }, policy: lead }] }
policies:
  pay: { audience: ['role:finance'], grants: { within: ['amount <= 100'], times: 10, for: 30d } }
  lead: { audience: ['role:lead'] }
`;

function tryFile(text: string, ...args: string[]): Promise<CommandRun> {
  const file = join(dir, 'next.yaml');
  writeFileSync(file, text);
  return runInProcess(['policy', 'try', file, ...args, '--url', url, '--api-key', keys.op]);
}

async function approvedCall(amount: number): Promise<string> {
  const task = await aTask(rig.store, freshThread(), { owner: 'anna', agent: 'expenses' });
  const question = {
    ...questionOfToolCall(
      { name: 'pay', args: { amount, to: 'acme' }, why: 'It is due.', isEditable: false },
      'call-1',
    ),
    dialect: 'form',
  };
  const at = new Date().toISOString();
  const decision = aDecision({ by: 'fin', values: { approved: true }, at });
  const { holdId } = await aHold(rig.store, task, { question });
  await rig.store.holds.close(holdId, anEnd('decided', decision));
  return holdId;
}

describe('policy try', () => {
  // Promise Y60
  test('policy try says what of the past would have been asked, by which policy, and which grant would have spared it', async () => {
    expect((await tryFile(next)).out).toBe('No question was asked in that time.\n');
    const first = await approvedCall(50);
    for (const amount of [60, 70, 5_000]) await approvedCall(amount);
    const { out, err } = await tryFile(next);
    expect(err).toBe('');
    expect(out).toMatch(/2 +not asked: a grant by fin/);
    expect(out).toMatch(/1 +asked under pay +role:finance/);
    expect(out).toMatch(/1 +asked under lead +role:lead/);
    expect(out).toContain(`standfast grants give ${first}`.slice(0, 28));
    const json = JSON.parse((await tryFile(next, '--json')).out) as { proposed: object[] };
    expect(json.proposed).toMatchObject([{ hold: first, by: 'fin', spared: 2 }]);
  });

  test('policy try names each mistake of the file, and asks nothing', async () => {
    const { code, err } = await tryFile("policies:\n  pay: { audience: ['finance'] }\n");
    expect(code).not.toBeNull();
    expect(err).toContain('next.yaml:2');
  });
});
