// Every kind of question decided on its page, in a real browser against the real system; yes, no and form by keyboard alone.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Reader } from '../../rigs/pages/browser.ts';
import { shownTime } from '../../rigs/pages/page-times.ts';
import {
  pressOnceSeen,
  seeAll,
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
  trip,
  waitForEnd,
  words,
  writeReason,
  yesNo,
} from './hold-page-setting.ts';
import { readHold } from '../setting.ts';
import { eventually } from '../../rigs/wait-for.ts';

const holds = startHolds();
let ana: Reader;

beforeAll(async () => {
  ana = await holds.open('ana');
});

const text = (): Promise<string> => ana.page.locator('.hold').innerText();

describe('by keyboard alone', () => {
  // Promise S14
  test('a yes/no question is approved, and the page says so only once it is recorded', async () => {
    const hold = await holds.ask(yesNo('Pay invoice 4,210 EUR?'));
    await openPage(ana, hold);
    await tabTo(ana, 'Approve');
    await ana.page.keyboard.press('Enter');
    await standing(ana, 'ended');
    expect(answered(await holds.lastMessage(hold))).toMatchObject({ values: { confirmed: true } });
    const end = await waitForEnd(holds.as('ana'), hold);
    const at = shownTime(end.ended?.at ?? '');
    await eventually(async () =>
      expect(await text()).toMatch(new RegExp(`You approved at ${at}\\. The agent has it; it cannot be taken back\\.`)),
    );
    expect(end.decision).toMatchObject({ by: 'ana', source: 'page', digest: hold.digest, values: { confirmed: true } });
  });

  // Promise S15
  test('a rejection takes two presses: the first asks for the reason, Esc stops, the reason goes along', async () => {
    const hold = await holds.ask(yesNo('Delete 3 drafts?'));
    await openPage(ana, hold);
    await tabTo(ana, 'Reject');
    await ana.page.keyboard.press('Enter');
    const focused = ana.page.locator(':focus');
    await focused.and(ana.page.getByLabel('Reason (optional)')).waitFor();
    await ana.page.keyboard.type('not these ones');
    await ana.page.getByRole('button', { name: 'Confirm: reject “Delete 3 drafts”' }).waitFor();
    await ana.page.keyboard.press('Escape');
    await eventually(async () => expect(await focused.innerText()).toBe('Reject'));
    await ana.page.keyboard.press('Enter');
    // Two presses in one breath are one intention: the second one counts after a moment.
    await armedIn(ana);
    await ana.page.keyboard.press('Enter');
    await standing(ana, 'ended');
    await eventually(async () => expect(await text()).toMatch(/You rejected at/));
    const end = await waitForEnd(holds.as('ana'), hold);
    expect(end).toMatchObject({ ended: { why: 'declined', by: 'ana' }, decision: { reason: 'not these ones' } });
    expect(answered(await holds.lastMessage(hold))).toMatchObject({ values: { confirmed: false } });
  });

  // Promise S16
  test('a form shows what is wrong in a summary that leads to the fields, and is sent when it is right', async () => {
    const hold = await holds.ask(trip());
    await openPage(ana, hold);
    await seeAll(ana);
    await ana.page.keyboard.press('a');
    await ana.page.locator(':focus').and(ana.page.getByLabel('Days')).waitFor();
    await ana.page.keyboard.type('0');
    await ana.page.keyboard.press('Control+Enter');
    const summary = ana.page.locator('.summary');
    await summary.waitFor();
    await eventually(async () =>
      expect(await ana.page.evaluate('document.activeElement.className')).toContain('summary'),
    );
    await eventually(async () => expect(await summary.innerText()).toContain('2 answers need another look'));
    await eventually(async () => expect(await summary.innerText()).toContain('Days: At least 1.'));
    const days = ana.page.getByLabel('Days');
    await eventually(async () => expect(await days.getAttribute('aria-invalid')).toBe('true'));
    const described = (await days.getAttribute('aria-describedby')) ?? '';
    await eventually(async () =>
      expect(await ana.page.locator(`[id="${described.split(' ')[0] ?? ''}"]`).innerText()).toBe('At least 1.'),
    );
    await ana.page.keyboard.press('Tab');
    await ana.page.keyboard.press('Enter');
    await ana.page.locator(':focus').and(days).waitFor();
    await ana.page.keyboard.press('Control+a');
    await ana.page.keyboard.type('3');
    await tabTo(ana, 'eco');
    await ana.page.keyboard.press('Space');
    await ana.page.keyboard.press('Control+Enter');
    await standing(ana, 'ended');
    expect(answered(await holds.lastMessage(hold))).toMatchObject({ values: { days: 3, class: 'eco' } });
  });

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

  // Promise S17
  test('a tool call is edited, the change described in words, and sent with exactly that change', async () => {
    const hold = await holds.ask(refund());
    await openPage(ana, hold);
    await ana.page.keyboard.press('e');
    await ana.page.keyboard.type('4200');
    await ana.page.keyboard.press('Enter');
    await tabTo(ana, 'Note: full refund. Edit');
    await ana.page.keyboard.press('e');
    await ana.page.keyboard.type('partial refund');
    await eventually(async () => expect(await text()).toContain('changed −10'));
    const note = ana.page.locator('[data-arg="note"]');
    await eventually(async () => expect(await note.locator('.arg-change del').innerText()).toContain('full'));
    await eventually(async () => expect(await ana.page.locator('.arg-change ins').innerText()).toContain('partial'));
    await tabTo(ana, 'Approve with 2 changes');
    await ana.page.keyboard.press('Enter');
    await armedIn(ana);
    await ana.page.keyboard.press('Enter');
    await standing(ana, 'ended');
    expect(answered(await holds.lastMessage(hold))).toMatchObject({
      response: { confirmed: true, payload: { amount: 4200, note: 'partial refund', notify: true, customer: 'C-118' } },
    });
    await eventually(async () => expect(await text()).toContain('changed −10'));
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

  // Promise S50
  test('arm an approval and never decide, however often they are pressed; Enter confirms it', async () => {
    const hold = await holds.ask(yesNo('Approved by a slip?'));
    const pane = await openPage(ana, hold);
    const changes: string[] = [];
    ana.page.on('request', (request) => {
      if (request.method() === 'POST') changes.push(request.url());
    });
    await ana.page.keyboard.press('a');
    await armedIn(ana);
    await ana.page.keyboard.press('a');
    await ana.page.keyboard.press('a');
    await eventually(async () =>
      expect(await pane.locator('.button.armed').innerText()).toBe('Confirm: approve “Approved by a slip”'),
    );
    expect(changes).toEqual([]);
    await ana.page.keyboard.press('Enter');
    await standing(ana, 'ended');
    expect((await waitForEnd(holds.as('ana'), hold)).decision).toMatchObject({ by: 'ana' });
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

// Promise S58
test('a call is approved only once its last argument was visible', async () => {
  const fields = [{ name: 'approved', label: 'Approve', type: 'boolean', required: true }];
  const names = Array.from({ length: 40 }, (_, index) => [`field${index}`, `value ${index}`]);
  const call = { toolCallId: 'call-40', toolName: 'fill_in', arguments: Object.fromEntries(names) };
  const parts = [{ data: { type: 'a2a.hitl.form', formId: 'long-40', title: 'Fill in?', fields, ...call } }];
  const hold = await holds.ask({ parts });
  await openPage(ana, hold);
  const more = ana.page.getByRole('button', { name: /^More arguments ↓/ });
  await more.waitFor();
  await ana.page.keyboard.press('a');
  expect(await ana.page.getByRole('button', { name: /^Confirm: approve/ }).count()).toBe(0);
  // Each press shows what comes next.
  const last = ana.page.getByText('value 39', { exact: true });
  for (let press = 0; press < 40 && (await more.count()) > 0; press += 1)
    await more.click({ timeout: 2_000 }).catch(() => undefined);
  await last.waitFor();
  await ana.page.getByRole('button', { name: /^Approve/ }).click();
  await ana.page.getByRole('button', { name: /^Confirm: approve/ }).waitFor();
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

  // Promise S63
  test('keys alone lead from the inbox to a decision, back out of it, and on to requests and history', async () => {
    const hold = await holds.ask(yesNo('Rotate the signing keys?'), 'graced');
    const reader = await holds.open('ana');
    const { page } = reader;
    const { keyboard } = page;
    await reader.open('/?q=signing');
    const row = page.locator(`.row[data-id="${hold.id}"] .row-link`);
    await row.waitFor();
    await keyboard.press('j');
    await eventually(async () =>
      expect(await page.evaluate('document.activeElement?.closest(".row")?.dataset.id')).toBe(hold.id),
    );
    await keyboard.press('Enter');
    await page.locator('.hold [data-action="approve"]').waitFor();
    await keyboard.press('a');
    await armedIn(reader);
    await keyboard.press('Enter');
    await page.locator('.going-out').waitFor();
    await keyboard.press('z');
    await page.locator('.hold [data-action="approve"]').waitFor();
    await eventually(async () =>
      expect(await readHold(holds.as('ana'), hold.id)).toMatchObject({ status: 'open', outgoing: null }),
    );
    await keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search or go to' }).waitFor();
    await keyboard.type('my req');
    await page.locator('.palette [aria-selected="true"]', { hasText: 'My requests' }).waitFor();
    await keyboard.press('Enter');
    await page.waitForURL(/\/requests$/);
    await page.getByRole('heading', { level: 1, name: 'My requests' }).waitFor();
    await keyboard.press('g');
    await keyboard.press('d');
    await page.waitForURL(/\/history$/);
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await eventually(async () => expect(await page.title()).toContain('History'));
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });
});
