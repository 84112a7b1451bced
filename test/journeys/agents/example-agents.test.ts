// The agents in examples/agents, as their readers would run them: each way of asking through Standfast and back.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { startExample } from '../../rigs/agents/js-agent.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { ended, holdsOf, longMs, openHold, readHold, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

let refundsDir: string;
let mailboxDir: string;

const { supervisor, up } = startProduct(async () => {
  refundsDir = await supervisor.tempDir('refunds');
  const refunds = await startExample(supervisor, 'refunds', refundsDir);
  mailboxDir = await supervisor.tempDir('mailbox');
  const mailbox = await startExample(supervisor, 'mailbox', mailboxDir);
  const expenses = await startExample(supervisor, 'expenses', await supervisor.tempDir('expenses'));
  return `agents:\n  refunds: { url: '${refunds}' }\n  mailbox: { url: '${mailbox}' }\n  expenses: { url: '${expenses}' }\n`;
});

const payments = (): Promise<string> => readFile(join(refundsDir, 'payments.log'), 'utf8').catch(() => '');

test('the example of AG-UI’s own client asks the demo agent, and answers its form', async () => {
  const path = fileURLToPath(new URL('../../../examples/front-ends/ask.js', import.meta.url));
  const env = { STANDFAST_URL: up.url, NO_PROXY: '127.0.0.1' };
  const asking = supervisor.start({ name: 'ask.js', command: process.execPath, args: [path], env });
  expect((await asking.exited).code).toBe(0);
  expect(asking.output()).toMatch(/^hitl-\S+ .*Please check the claim/m);
  expect(asking.output()).toMatch(/^(The expense is booked|Approved: 84\.50 EUR)/m);
});

describe('an agent that guards its tools', () => {
  // Promise Q24
  test('an agent that guards its tools executes what was approved, and nothing before and nothing else', async () => {
    const text = 'refund 40 EUR to Ana and 12.50 EUR to Ben';
    ended(await up.run('refunds', { threadId: 'guard', text }, longMs), 'interrupt');
    const [ana, ben, ...more] = await holdsOf(up, 'refunds', 'guard');
    expect(more).toEqual([]);
    expect([ana?.kind, ben?.kind]).toEqual(['tool_call', 'tool_call']);
    expect(ana?.context.toolArgs).toEqual({ to: 'Ana', amount: 40 });
    const yes = { status: 'resolved', values: { approved: true } };
    const no = { status: 'resolved', values: { approved: false, reason: 'they have it already' } };
    expect((await up.post(`/api/holds/${ana?.id}/decision`, yes)).status).toBe(200);
    expect(await payments()).toBe('');
    expect((await up.post(`/api/holds/${ben?.id}/decision`, no)).status).toBe(200);
    await waitForTask(up, ana?.taskId ?? '', 'DONE');
    expect(await payments()).toBe('Ana 40\n');
  });
});

describe('an agent that waits for a permission from elsewhere', () => {
  // Promise W6
  test('an agent that waits for a permission from elsewhere is granted it by a person alone, then goes on, and its question is taken back', async () => {
    ended(await up.run('mailbox', { threadId: 'mail', text: 'what is new?' }, longMs), 'interrupt');
    const hold = await openHold(up, 'mailbox', 'mail');
    expect(hold.kind).toBe('authorization');
    const [link] = hold.links;
    expect(link?.url).toContain('/control/allow/');
    expect(await readdir(join(mailboxDir, 'grants'))).toEqual([]);
    expect(hold.context.files).toMatchObject([{ uri: link?.url, omitted: 'link', digest: null }]);
    const granted = await fetch(link?.url ?? '');
    expect(granted.status).toBe(200);
    const closed = await waitFor(
      async () => {
        const now = await readHold(up, hold.id);
        return now.status === 'open' ? undefined : now;
      },
      longMs,
      'the question to be withdrawn',
    );
    expect(closed).toMatchObject({ status: 'withdrawn', ended: { by: 'agent:mailbox', why: 'withdrawn' } });
    await waitForTask(up, hold.taskId, 'DONE');
  });
});
