// What others, the clock, the agent and a crash do to a question while its page is open.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from 'playwright-core';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { type Reader } from '../../rigs/pages/browser.ts';
import { shownTime } from '../../rigs/pages/page-times.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import {
  answered,
  openPage,
  standing,
  startHolds,
  waitForEnd,
  words,
  writeReason,
  yesNo,
} from './hold-page-setting.ts';
import { longMs, readHold } from '../setting.ts';

const holds = startHolds();
let ana: Reader;
let cem: Reader;
/** Has a question open whose time runs out while the others are tested. */
let late: Reader;
let hasty: HoldView;

beforeAll(async () => {
  ana = await holds.open('ana');
  cem = await holds.open('cem');
  late = await holds.open('ana');
  hasty = await holds.ask(words('What is the reason?'), 'hasty');
  await openPage(late, hasty);
  await late.page.getByLabel('Your reply to hasty').fill('I was about to say');
});

const textOf = (reader: Reader): Promise<string> => reader.page.locator('.hold').innerText();
const endedAt = async (hold: HoldView): Promise<string> =>
  shownTime((await waitForEnd(holds.as('ana'), hold)).ended?.at ?? '');

describe('another person', () => {
  // Promise S18
  test('who decides first is named, and what one had written stays to be copied', async () => {
    const hold = await holds.ask(yesNo('Who is first?'));
    await openPage(ana, hold);
    await openPage(cem, hold);
    await writeReason(cem, 'because of the budget');
    await ana.page.getByRole('button', { name: 'Approve' }).click();
    await standing(ana, 'ended');
    await standing(cem, 'ended');
    await eventually(async () =>
      expect(await textOf(cem)).toMatch(new RegExp(`Ana approved at ${await endedAt(hold)}; the agent goes on\\.`)),
    );
    await eventually(async () =>
      expect(await cem.page.locator('.unsent').innerText()).toContain('because of the budget'),
    );
    await eventually(async () => expect(await cem.page.locator('.decide-actions').count()).toBe(0));
    await eventually(async () =>
      expect(await cem.page.locator('[data-region="assertive"]').innerText()).toContain('Ana approved'),
    );
    await eventually(async () =>
      expect(await cem.page.evaluate('document.activeElement !== document.body')).toBe(true),
    );
  });

  // Promise S18
  test('who presses at the same moment gets a clear word, and the agent one answer', async () => {
    const hold = await holds.ask(yesNo('Both at once?'));
    await Promise.all([openPage(ana, hold), openPage(cem, hold)]);
    // Neither decision goes on before both were pressed: else the second button could be gone already.
    let pressed = 0;
    const decision = `**/api/holds/${hold.id}/decision`;
    const untilBoth = async (route: Route): Promise<void> => {
      pressed += 1;
      await waitFor(() => pressed >= 2, longMs, 'both to press');
      await route.continue();
    };
    await Promise.all([ana.page.route(decision, untilBoth), cem.page.route(decision, untilBoth)]);
    const press = (reader: Reader): Promise<void> => reader.page.getByRole('button', { name: 'Approve' }).click();
    await Promise.all([press(ana), press(cem)]);
    await Promise.all([standing(ana, 'ended'), standing(cem, 'ended')]);
    const ended = await waitForEnd(holds.as('ana'), hold);
    expect(['ana', 'cem']).toContain(ended.decision?.by);
    await eventually(async () => {
      const shown = [await textOf(ana), await textOf(cem)];
      expect(shown.filter((text) => text.includes('You approved at'))).toHaveLength(1);
      expect(shown.filter((text) => /(Ana|Cem) approved at/.test(text))).toHaveLength(1);
    });
    await holds.lastMessage(hold);
    expect(await holds.messagesOf(hold)).toHaveLength(2);
  });
});

describe('the clock', () => {
  // Promise S19
  test('the clock locks the page at nought, and the policy says what it did', async () => {
    await standing(late, 'ended');
    const at = await endedAt(hasty);
    await eventually(async () =>
      expect(await textOf(late)).toMatch(new RegExp(`Expired at ${at}: the task failed \\(policy hasty\\)\\.`)),
    );
    await eventually(async () =>
      expect(await late.page.locator('.unsent').innerText()).toContain('I was about to say'),
    );
    await eventually(async () => expect(await late.page.getByRole('button', { name: 'Reply' }).count()).toBe(0));
    expect(late.complaints).toEqual([]);
    await late.close();
  });
});

describe('a question that changed', () => {
  // Promise S20
  test('a question that changed is refused, shown with its change, and decided only after that was seen', async () => {
    const hold = await holds.ask(yesNo('Pay 99 EUR?', 'The invoice of May.'));
    const path = `**/api/holds/${hold.id}`;
    const older = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      const body: unknown = await response.json();
      const old = { title: 'Pay 10 EUR?', digest: `sha256:${'0'.repeat(64)}`, version: 0 };
      await route.fulfill({ response, json: { ...(typeof body === 'object' ? body : {}), ...old } });
    };
    await ana.page.route(path, older);
    await openPage(ana, hold);
    await writeReason(ana, 'kept words');
    await ana.page.unroute(path, older);
    await ana.page.keyboard.press('Control+Enter');
    await standing(ana, 'changed');
    const notice = ana.page.locator('.changed-notice');
    await eventually(async () => expect(await notice.locator('del').first().innerText()).toContain('10'));
    await eventually(async () => expect(await notice.locator('ins').first().innerText()).toContain('99'));
    expect((await readHold(holds.as('ana'), hold.id)).status).toBe('open');
    await ana.page.getByRole('button', { name: 'I have seen the change' }).click();
    await ana.page.getByRole('button', { name: 'Reject' }).click();
    await eventually(async () =>
      expect(await ana.page.getByLabel('Reason (optional)').inputValue()).toBe('kept words'),
    );
    await ana.page.keyboard.press('Control+Enter');
    await standing(ana, 'ended');
    expect((await waitForEnd(holds.as('ana'), hold)).decision?.digest).toBe(hold.digest);
  });
});

// Promise S21
describe('kill -9 under the page', () => {
  test('kill -9 under the page with a decision in flight: asked again under the same key, announced once, recorded once', async () => {
    const hold = await holds.ask(yesNo('Survives a crash?'));
    // The live stream could tell the page of the decision before the server dies.
    const live = '**/api/inbox/events*';
    const cut = (route: Route): Promise<void> => route.abort();
    await ana.page.route(live, cut);
    await openPage(ana, hold);
    const sent: (string | undefined)[] = [];
    let isFirst = true;
    await ana.page.route(`**/api/holds/${hold.id}/decision`, async (route) => {
      sent.push(route.request().headers()['idempotency-key']);
      if (!isFirst) {
        await route.continue();
        return;
      }
      isFirst = false;
      // The server has it; its answer dies with it.
      await route.fetch();
      await holds.kill();
      await route.abort('connectionreset');
    });
    await ana.page.getByRole('button', { name: 'Approve' }).click();
    await ana.page.getByText('Nothing happens twice.').first().waitFor();
    const reject = ana.page.getByRole('button', { name: 'Reject' });
    await eventually(async () => expect(await reject.getAttribute('aria-disabled')).toBe('true'));
    expect(await textOf(ana)).not.toContain('Recorded');
    await holds.startAgain();
    await ana.page.unroute(live, cut);
    await standing(ana, 'ended');
    await eventually(async () => expect(await textOf(ana)).toContain('You approved at'));
    expect(new Set(sent).size).toBe(1);
    await holds.lastMessage(hold);
    await waitFor(async () => (await waitForEnd(holds.as('ana'), hold)).status === 'decided', longMs, 'the record');
    expect(await holds.messagesOf(hold)).toHaveLength(2);
  });

  test('kill -9 under the page before a decision arrived: a reload goes on with the same key', async () => {
    const hold = await holds.ask(yesNo('Survives a reload?'));
    await openPage(ana, hold);
    const sent: (string | undefined)[] = [];
    await ana.page.route(`**/api/holds/${hold.id}/decision`, async (route) => {
      sent.push(route.request().headers()['idempotency-key']);
      await (sent.length === 1 ? route.abort('connectionreset') : route.continue());
    });
    await ana.page.getByRole('button', { name: 'Approve' }).click();
    await ana.page.getByText('Nothing happens twice.').first().waitFor();
    await ana.page.reload();
    await standing(ana, 'ended');
    await eventually(async () => expect(await textOf(ana)).toContain('You approved at'));
    expect(new Set(sent).size).toBe(1);
    expect(answered(await holds.lastMessage(hold))).toMatchObject({ values: { confirmed: true } });
    const intents = 'Object.keys(sessionStorage).filter((key) => key.includes("intent")).length';
    await eventually(async () => expect(await ana.page.evaluate(intents)).toBe(0));
  });
});

test('the pages had nothing to complain of', () => {
  expect([...ana.complaints, ...cem.complaints]).toEqual([]);
});
