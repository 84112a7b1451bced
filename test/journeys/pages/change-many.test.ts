// An operator changes all open questions of a policy from its card: how many there are, their number typed, what became of them;
// and the deadline of one from its page.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import { openReader, startBrowser } from '../../rigs/pages/browser.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { ended, longMs, openHold, readHold, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

let browser: Browser | undefined;

const { supervisor, up } = startProduct(async () => {
  const fake = await startFakeAgent(supervisor);
  return `agents:
  pay: { url: '${fake.url}', policy: pay }
  other: { url: '${fake.url}' }
ask: { policy: small }
policies:
  pay: { expire: { after: 4h } }
  small: {}
`;
});
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const ask = async (agent: string, threadId: string): Promise<string> => {
  ended(await up.run(agent, { threadId, text: 'form => complete' }, longMs), 'interrupt');
  return (await openHold(up, agent, threadId)).id;
};

const expiry = async (id: string): Promise<number> => Date.parse((await readHold(up, id)).expiresAt ?? '');

/** What a test names of an element of the page. */
interface Scrolled {
  scrollIntoView(how: { block: 'start' }): void;
}

interface Changes {
  card: Locator;
  choose(what: string): Promise<void>;
  /** Counts, types the number, and has it done. */
  confirm(button: Locator): Promise<void>;
}

/** The changes on the card of a policy, of which two questions are open. */
async function changesOf(policy: string): Promise<Changes> {
  if (browser === undefined) throw new Error('nothing was started');
  const { open, page } = await openReader(browser, up.url);
  await open('/operate/policies');
  const card = page.getByRole('region', { name: policy, exact: true });
  await card.getByText('Change all open questions together').click();
  return {
    card,
    async choose(what) {
      const box = card.getByRole('combobox', { name: 'What' });
      // A list that has to be scrolled to closes.
      await box.evaluate((element) => (element as unknown as Scrolled).scrollIntoView({ block: 'start' }));
      await box.click();
      await page.getByRole('option', { name: what }).click();
    },
    async confirm(button) {
      await card.getByRole('button', { name: 'How many?' }).click();
      await card.getByText('2 open questions match.').waitFor();
      const number = card.getByLabel('Type 2 to confirm');
      await number.fill('3');
      expect(await button.isDisabled()).toBe(true);
      await number.fill('2');
      await button.click();
      await card.getByText('2 of 2 done.').waitFor();
    },
  };
}

// Promise Q75, Q77
test('an operator extends, reapplies, reassigns and cancels all questions of a policy, after typing how many there are', async () => {
  const holds = [await ask('pay', 'first'), await ask('pay', 'second')];
  const other = await ask('other', 'apart');
  const before = await Promise.all(holds.map(expiry));

  const { card, choose, confirm } = await changesOf('pay');

  await choose('Extend the deadlines');
  await confirm(card.getByRole('button', { name: 'Extend 2' }));
  expect(await Promise.all(holds.map(expiry))).toEqual(before.map((at) => at + 86_400_000));

  await choose('Apply the policy again');
  await card.getByRole('button', { name: 'How many?' }).click();
  await card
    .getByText(/expires at .* → /)
    .first()
    .waitFor();
  await confirm(card.getByRole('button', { name: 'Apply again to 2' }));
  expect(await Promise.all(holds.map(expiry))).toEqual(before);

  await choose('Ask others instead');
  await card.getByLabel('To, for example role:finance user:anna').fill('role:finance, user:local');
  await confirm(card.getByRole('button', { name: 'Reassign 2' }));
  for (const id of holds) expect((await readHold(up, id)).audience).toEqual(['role:finance', 'user:local']);

  await choose('Cancel their tasks');
  await confirm(card.getByRole('button', { name: 'Cancel the tasks of 2' }));
  for (const id of holds) await waitForTask(up, (await readHold(up, id)).taskId, 'CANCELED');
  expect((await readHold(up, other)).status).toBe('open');
});

// Promise Q75, Q76
test('an operator approves all questions of a policy, after what each asks was shown and their number typed', async () => {
  const asked = await Promise.all(
    ['one', 'two'].map((id) => up.post('/api/ask', { id, tool: { name: 'refund', args: { case: id } } })),
  );
  const ids = asked.map(({ body }) => (body as { holdId: string }).holdId);
  const { card, choose, confirm } = await changesOf('small');
  await choose('Approve them');
  await card.getByRole('button', { name: 'How many?' }).click();
  const each = card.getByRole('list', { name: 'What would become of each' }).getByRole('listitem');
  await each.filter({ hasText: 'refund: ' }).nth(1).waitFor();
  await confirm(card.getByRole('button', { name: 'Approve 2' }));
  for (const id of ids) {
    const hold = await readHold(up, id);
    expect(hold).toMatchObject({
      status: 'decided',
      decision: { by: 'local', source: 'bulk', seenDigest: hold.digest },
    });
  }
});

// Promise Q75, Q76
test('an operator rejects all questions of a policy, and programs read the no', async () => {
  const ids = ['three', 'four'];
  for (const id of ids) await up.post('/api/ask', { id, tool: { name: 'refund', args: { case: id } } });
  const { card, choose, confirm } = await changesOf('small');
  await choose('Reject them');
  await confirm(card.getByRole('button', { name: 'Reject 2' }));
  for (const id of ids) expect((await up.get(`/api/ask?id=${id}`)).body).toMatchObject({ status: 'declined' });
});

test('an operator extends one question from its page, from the deadline that it has', async () => {
  const id = await ask('pay', 'alone');
  const before = await expiry(id);
  if (browser === undefined) throw new Error('nothing was started');
  const { open, page } = await openReader(browser, up.url);
  await open(`/holds/${id}`);
  await page.getByText('Extend', { exact: true }).click();
  await page.getByRole('button', { name: /^4 hours more/ }).click();
  await waitFor(async () => (await expiry(id)) === before + 4 * 3_600_000, longMs, 'the later deadline');
});
