// An answer that is sent only after a while: taken back on its page or in the inbox, or left alone.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Reader } from '../../rigs/pages/browser.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { answered, openPage, standing, startHolds, yesNo } from '../hold-page/hold-page-setting.ts';
import { readHold } from '../setting.ts';

const holds = startHolds();
let ana: Reader;

beforeAll(async () => {
  ana = await holds.open('ana');
});

describe('under a policy with a grace', () => {
  test('an approval says in how many seconds it is sent, and is taken back by a key or a press', async () => {
    const waits = ana.page.locator('.going-out');
    // A question each: a second decision by the same person is sent at once.
    for (const undo of ['key', 'press'] as const) {
      const hold = await holds.ask(yesNo(`Restart the database (${undo})?`), 'graced');
      await openPage(ana, hold);
      await ana.page.getByRole('button', { name: 'Approve' }).click();
      await waits.waitFor();
      await eventually(async () => expect(await waits.innerText()).toMatch(/^Approved — sent in \d+ s/));
      if (undo === 'key') await ana.page.keyboard.press('z');
      else await waits.getByRole('button', { name: 'Undo' }).click();
      await ana.page.getByRole('button', { name: 'Approve' }).waitFor();
      expect(await holds.messagesOf(hold)).toHaveLength(1);
    }
  });

  test('a reader who went on to the inbox can take it back there, and others see that it is decided', async () => {
    const hold = await holds.ask(yesNo('Delete the backups?'), 'graced');
    await openPage(ana, hold);
    await ana.page.getByRole('button', { name: 'Approve' }).click();
    await ana.page.locator('.going-out').waitFor();
    const cem = await holds.open('cem');
    await openPage(cem, hold);
    await eventually(async () =>
      expect(await cem.page.locator('.going-out').innerText()).toMatch(/^Approved by Ana — sent in \d+ s/),
    );
    expect(await cem.page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await cem.page.context().close();
    await ana.page.keyboard.press('u');
    const bar = ana.page.getByRole('complementary', { name: 'A decision that can be taken back' });
    await bar.getByRole('button', { name: 'Undo' }).click();
    await ana.page.getByRole('button', { name: 'Approve' }).waitFor();
    await eventually(async () =>
      expect(await readHold(holds.as('ana'), hold.id)).toMatchObject({ status: 'open', outgoing: null, forMe: true }),
    );
  });

  test('an answer that is left alone is sent, and the page says so', async () => {
    const hold = await holds.ask(yesNo('Order paper?'), 'brief');
    await openPage(ana, hold);
    await ana.page.getByRole('button', { name: 'Approve' }).click();
    await ana.page.locator('.going-out').waitFor();
    await standing(ana, 'ended');
    expect(answered(await holds.lastMessage(hold))).toMatchObject({ values: { confirmed: true } });
  });
});

test('the page had nothing to complain of', () => {
  expect(ana.complaints).toEqual([]);
});
