// Each other kind of question decided on its page, by keys and by mouse, in a real browser against the real system.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Reader } from '../../rigs/pages/browser.ts';
import { eventually } from '../../rigs/wait-for.ts';
import {
  pressOnceSeen,
  answered,
  armedIn,
  editArg,
  credential,
  fixedCall,
  inputOf,
  openPage,
  permission,
  refund,
  standing,
  startHolds,
  tabTo,
  waitForEnd,
  words,
  writeReason,
  yesNo,
} from '../hold-page/hold-page-setting.ts';

const holds = startHolds();
let ana: Reader;

beforeAll(async () => {
  ana = await holds.open('ana');
});

describe('by keyboard alone', () => {
  // Promise C10
  test('a call that needs more than a yes asks for it, and a no needs nothing', async () => {
    const fields = [
      { name: 'approved', label: 'Approve', type: 'boolean', required: true },
      { name: 'centre', label: 'Cost centre', type: 'text', required: true },
    ];
    const call = { toolCallId: 'call-7', toolName: 'pay', arguments: { amount: 5 } };
    const parts = [{ data: { type: 'a2a.hitl.form', formId: 'pay-7', title: 'Pay?', fields, ...call } }];
    const agreed = await holds.ask({ parts });
    await openPage(ana, agreed);
    const centre = ana.page.getByLabel('Cost centre');
    await centre.waitFor();
    await ana.page.keyboard.press('Control+Enter');
    await armedIn(ana);
    await ana.page.keyboard.press('Control+Enter');
    await ana.page.locator('.summary').waitFor();
    await centre.focus();
    await ana.page.keyboard.type('sales');
    await ana.page.keyboard.press('Control+Enter');
    await armedIn(ana);
    await ana.page.keyboard.press('Control+Enter');
    await standing(ana, 'ended');
    expect(answered(await holds.lastMessage(agreed))).toMatchObject({ values: { approved: true, centre: 'sales' } });

    const refused = await holds.ask({ parts });
    await openPage(ana, refused);
    await tabTo(ana, 'Reject');
    await ana.page.keyboard.press('Enter');
    await armedIn(ana);
    await ana.page.keyboard.press('Enter');
    await standing(ana, 'ended');
    expect(await waitForEnd(holds.as('ana'), refused)).toMatchObject({ ended: { why: 'declined' } });
    expect(answered(await holds.lastMessage(refused))).toMatchObject({ values: { approved: false } });
  });
});

describe('by mouse', () => {
  test('a press next to the field one types in arms, and Enter confirms it as the hint promises', async () => {
    const hold = await holds.ask(refund());
    await openPage(ana, hold);
    await editArg(ana, 'Note', 'half of it');
    await pressOnceSeen(ana, 'Approve with 1 change');
    await armedIn(ana);
    await ana.page.getByText('Press again or Enter to confirm. Esc stops.').waitFor();
    await ana.page.keyboard.press('Enter');
    const end = await waitForEnd(holds.as('ana'), hold);
    expect(end.decision?.values).toMatchObject({ editedArgs: { note: 'half of it' } });
  });
});

describe('single keys', () => {
  test('single keys do nothing while one types', async () => {
    const hold = await holds.ask(yesNo('Keys at rest?'));
    await openPage(ana, hold);
    const reason = await writeReason(ana, '');
    await reason.press('r');
    await reason.press('a');
    await eventually(async () => expect(await reason.inputValue()).toBe('ra'));
    expect(await ana.page.locator('[data-action="approve"][data-armed]').count()).toBe(0);
  });

  test('arm a rejection, and Enter confirms it', async () => {
    const hold = await holds.ask(yesNo('Armed by a key?'));
    const pane = await openPage(ana, hold);
    await ana.page.keyboard.press('r');
    await pane.locator('.button.armed').waitFor();
    await armedIn(ana);
    await ana.page.keyboard.press('Enter');
    await standing(ana, 'ended');
  });
});

describe('each other kind', () => {
  test('a question in words is answered in words', async () => {
    const hold = await holds.ask(words('What is the purpose of this trip?'));
    await openPage(ana, hold);
    await ana.page.getByRole('button', { name: 'Reply' }).click();
    await eventually(async () =>
      expect(await ana.page.getByLabel('Your reply to expenses').getAttribute('aria-invalid')).toBe('true'),
    );
    await ana.page.getByLabel('Your reply to expenses').fill('A fair in Bonn.');
    await ana.page.keyboard.press('Control+Enter');
    await standing(ana, 'ended');
    expect(JSON.stringify((await holds.lastMessage(hold)).parts)).toContain('A fair in Bonn.');
  });

  test('a fixed tool call shows its arguments and takes a plain yes', async () => {
    const hold = await holds.ask(fixedCall());
    const pane = await openPage(ana, hold);
    expect(await pane.locator('.args').innerText()).toContain('Count');
    await ana.page.getByRole('button', { name: 'Approve' }).click();
    const armed = ana.page.getByRole('button', { name: 'Confirm: approve “delete_drafts”' });
    await armed.waitFor();
    await armedIn(ana);
    await armed.click();
    await standing(ana, 'ended');
    expect(answered(await holds.lastMessage(hold))).toMatchObject({ response: { confirmed: true } });
  });

  test('an authorisation names the host it leads to, and goes on when it was granted elsewhere', async () => {
    const hold = await holds.ask(permission());
    await openPage(ana, hold);
    const link = ana.page.getByRole('link', { name: 'Open login.example' });
    expect(await link.getAttribute('href')).toBe('https://login.example/grant');
    expect(await link.getAttribute('rel')).toContain('noopener');
    await pressOnceSeen(ana, 'Continue expenses');
    await ana.page.getByText('Please choose one.').waitFor();
    await ana.page.getByLabel('I have authorised it elsewhere').check();
    await ana.page.getByRole('button', { name: 'Continue expenses' }).click();
    await standing(ana, 'ended');
  });

  test('a credential is given once, reaches the agent, and is shown and stored nowhere', async () => {
    const hold = await holds.ask(credential());
    await openPage(ana, hold);
    await ana.page.getByLabel('User name').fill('ana');
    await ana.page.getByLabel('Password').fill('canary-secret-1');
    await ana.page.getByRole('button', { name: 'Show' }).click();
    await eventually(async () => expect(await ana.page.getByLabel('Password').getAttribute('type')).toBe('text'));
    await ana.page.getByText('Draft saved').waitFor();
    await ana.page.getByRole('button', { name: 'Continue expenses' }).click();
    await standing(ana, 'ended');
    expect(JSON.stringify(answered(await holds.lastMessage(hold)))).toContain('canary-secret-1');
    const { body } = await holds.as('ana').get(`/api/holds/${hold.id}`);
    expect(JSON.stringify(body)).not.toContain('canary-secret-1');
    await eventually(async () => {
      expect(await ana.page.content()).not.toContain('canary-secret-1');
      const stored = await ana.page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
      expect(stored).not.toContain('canary-secret-1');
    });
  });

  test('a schema no form can draw is answered as JSON, with each mistake at its line', async () => {
    const hold = await holds.ask(
      inputOf({ type: 'object', additionalProperties: { type: 'number' }, minProperties: 1 }),
    );
    await openPage(ana, hold);
    const answer = ana.page.getByLabel('Your answer as JSON');
    await answer.fill('{\n  "a": 1,\n  "b": "x"\n}');
    await ana.page.getByRole('button', { name: 'Send answer' }).click();
    await ana.page.getByText('Line 3: b: Please write a number.').waitFor();
    await answer.fill('{ "a": ');
    await ana.page.getByText('this is not JSON').waitFor();
    await answer.fill('{ "a": 1 }');
    await ana.page.getByRole('button', { name: 'Send answer' }).click();
    await standing(ana, 'ended');
    expect(answered(await holds.lastMessage(hold))).toMatchObject({ response: { a: 1 } });
  });

  test('two votes are needed where the policy says so: the first counts and can be withdrawn', async () => {
    const hold = await holds.ask(yesNo('Move the server?'), 'careful');
    await openPage(ana, hold);
    const vote = async (reader: Reader): Promise<void> => {
      await reader.page.getByRole('button', { name: 'Approve' }).click();
      await armedIn(reader);
      await reader.page.getByRole('button', { name: 'Confirm: approve “Move the server”' }).click();
    };
    await vote(ana);
    await ana.page.getByText('Your approval counts, 1 of 2 needed.').waitFor();
    await ana.page.getByRole('button', { name: 'Withdraw' }).click();
    await ana.page.getByText('Your approval counts').waitFor({ state: 'detached' });
    await vote(ana);
    await ana.page.getByText('Your approval counts, 1 of 2 needed.').waitFor();
    const cem = await holds.open('cem');
    await openPage(cem, hold);
    await eventually(async () =>
      expect(await cem.page.locator('.hold-people').innerText()).toContain('Votes 1 of 2 (Ana approved)'),
    );
    await vote(cem);
    await standing(cem, 'ended');
    await standing(ana, 'ended');
    expect(answered(await holds.lastMessage(hold))).toMatchObject({ values: { confirmed: true } });
    expect(cem.complaints).toEqual([]);
    await cem.close();
  });
});

test('the page had nothing to complain of', () => {
  expect(ana.complaints).toEqual([]);
});
