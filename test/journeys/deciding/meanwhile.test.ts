// What becomes of a question and of its draft meanwhile: others claim, extend or cancel it, its agent asks again, all restarts.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { openReader, type Reader } from '../../rigs/pages/browser.ts';
import { shownTime } from '../../rigs/pages/page-times.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import {
  seeAll,
  armedIn,
  editArg,
  openPage,
  refund,
  standing,
  startHolds,
  trip,
  waitForEnd,
  writeReason,
  yesNo,
  keys,
} from '../hold-page/hold-page-setting.ts';
import { readHold, longMs } from '../setting.ts';

const holds = startHolds();
let ana: Reader;
let cem: Reader;

beforeAll(async () => {
  ana = await holds.open('ana');
  cem = await holds.open('cem');
});

const textOf = (reader: Reader): Promise<string> => reader.page.locator('.hold').innerText();
const endedAt = async (hold: HoldView): Promise<string> =>
  shownTime((await waitForEnd(holds.as('ana'), hold)).ended?.at ?? '');

describe('another person', () => {
  test('another person is shown who works on it as soon as somebody claims it, and may decide all the same', async () => {
    const hold = await holds.ask(yesNo('Who works on it?'));
    await openPage(cem, hold);
    await openPage(ana, hold);
    await ana.page.keyboard.press('c');
    await ana.page.getByText('You are working on this').waitFor();
    await cem.page.getByText('Ana is working on this').waitFor();
    await cem.page.getByRole('button', { name: 'Approve' }).click();
    await standing(cem, 'ended');
  });

  test('who extends the deadline moves it for everybody, by a length that is named with its end', async () => {
    const hold = await holds.ask(yesNo('Until when?'));
    await openPage(cem, hold);
    expect(await cem.page.getByText('Extend').count()).toBe(0);
    const ops = await holds.open('ops');
    await openPage(ops, hold);
    await ops.page.getByText('Extend', { exact: true }).click();
    await ops.page.getByRole('button', { name: '1 day more' }).click();
    const later = new Date(Date.parse(hold.expiresAt ?? '') + 86_400_000).toISOString();
    await eventually(async () => expect((await readHold(holds.as('cem'), hold.id)).expiresAt).toBe(later));
    await eventually(async () => expect(await textOf(cem)).toMatch(/1 day|2[56] h/));
    expect((await readHold(holds.as('cem'), hold.id)).extensions).toMatchObject([{ by: 'ops', until: later }]);
    await ops.close();
  });

  test('who cancels the task ends the question under the page', async () => {
    const hold = await holds.ask(trip('Which trip, then?'));
    await openPage(ana, hold);
    await holds.as('bob').post(`/api/tasks/${hold.taskId}/cancel`);
    await standing(ana, 'ended');
    await eventually(async () =>
      expect(await textOf(ana)).toMatch(new RegExp(`The task was cancelled by .+ at ${await endedAt(hold)}`)),
    );
  });

  test('who may only look sees who decides, and has no button to decide by', async () => {
    const hold = await holds.ask(yesNo('Not yours?'));
    const bob = await holds.open('bob');
    await openPage(bob, hold);
    await eventually(async () => expect(await textOf(bob)).toContain('You can read this; finance decides.'));
    expect(await bob.page.getByRole('button', { name: /^(Approve|Reject)/ }).count()).toBe(0);
    await bob.close();
  });
});

describe('asking the agent back', () => {
  test('asking the agent back locks the decision, and the draft goes over into the question asked again', async () => {
    const hold = await holds.ask([trip('Which trip?'), trip('Which trip, knowing that?')]);
    await openPage(ana, hold);
    await ana.page.getByLabel('Note').fill('by train, please');
    await ana.page.getByText('Draft saved').waitFor();
    await ana.page.locator('.hold summary[data-key="q"]').click();
    await ana.page.getByLabel('Your question to expenses').fill('Is there a later one?');
    await ana.page.getByRole('button', { name: 'Ask', exact: true }).click();
    await standing(ana, 'superseded');
    await eventually(async () => expect(await textOf(ana)).toContain('expenses asked again.'));
    await ana.page.getByRole('button', { name: 'Show new question' }).click();
    await ana.page.getByRole('heading', { name: 'Which trip, knowing that?' }).waitFor();
    await eventually(async () => expect(await ana.page.getByLabel('Note').inputValue()).toBe('by train, please'));
    await eventually(async () => expect(ana.page.url()).not.toContain(hold.id));
  });
});

describe('a draft', () => {
  // Promise S22
  test('a draft survives a restart and another browser of the same person, and is seen by no other', async () => {
    const hold = await holds.ask(refund('refund_again'));
    await openPage(ana, hold);
    await editArg(ana, 'Note', 'half of it');
    await writeReason(ana, 'asked twice');
    await ana.page.getByText('Draft saved').waitFor();
    const isKept = async (): Promise<boolean> =>
      (await readHold(holds.as('ana'), hold.id)).draft?.values['$reason'] === 'asked twice';
    await waitFor(isKept, longMs, 'the whole draft');
    await holds.kill();
    await holds.startAgain();
    const other = await openReader(holds.browser, holds.up.url, { apiKey: keys.ana });
    await openPage(other, hold);
    await other.page.getByRole('button', { name: 'Note: half of it. Edit' }).waitFor();
    await other.page.getByRole('button', { name: 'Reject' }).click();
    await eventually(async () =>
      expect(await other.page.getByLabel('Reason (optional)').inputValue()).toBe('asked twice'),
    );
    await other.page.keyboard.press('Escape');
    const { draft } = await readHold(holds.as('ana'), hold.id);
    await other.page.getByText(new RegExp(`Your draft of ${shownTime(draft?.savedAt ?? '')} is back\\.`)).waitFor();
    await openPage(cem, hold);
    await cem.page.getByRole('button', { name: 'Note: full refund. Edit' }).waitFor();
    for (const who of ['cem', 'ops', 'bob'] as const) {
      expect(await readHold(holds.as(who), hold.id)).toMatchObject({ draft: null });
    }
    await seeAll(other);
    await other.page.getByRole('button', { name: 'Approve with 1 change' }).click();
    await armedIn(other);
    await other.page.getByRole('button', { name: 'Confirm: approve “refund_again” with 1 change' }).click();
    await standing(other, 'ended');
    expect(other.complaints).toEqual([]);
    await other.close();
  });
});

test('the pages had nothing to complain of', () => {
  expect([...ana.complaints, ...cem.complaints]).toEqual([]);
});
