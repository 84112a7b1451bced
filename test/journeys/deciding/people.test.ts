// Who has to do with a question: others it is passed on to, agents that decide, who nudges and comments, and its metrics.
import { expect, test } from '@jest/globals';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { openPage, standing, startHolds, yesNo } from '../hold-page/hold-page-setting.ts';

const holds = startHolds();

test('who may only look asks for it to be reassigned; those asked and operators see it until it is passed on', async () => {
  const hold = await holds.ask(yesNo('Pay the florist?'));
  const [ana, bob, ops] = [await holds.open('ana'), await holds.open('bob'), await holds.open('ops')];
  await openPage(ana, hold);
  await openPage(bob, hold);
  await bob.page.getByText('You can read this; finance decides.').waitFor();
  await bob.page.getByRole('button', { name: 'Ask for it to be reassigned' }).click();
  await bob.page.getByLabel('Why (optional)').fill('Finance is away');
  await bob.page.getByRole('button', { name: 'Ask for it to be reassigned' }).click();
  await bob.page.getByText('You asked for it to be reassigned').waitFor();
  await eventually(async () =>
    expect(await bob.page.getByRole('button', { name: 'Ask for it to be reassigned' }).count()).toBe(0),
  );
  await ana.page.getByText(/^bob asks for it to be reassigned, .*“Finance is away”$/).waitFor();

  await ops.open('/overview');
  await ops.page.getByRole('link', { name: /^Asked to be reassigned\s*1/ }).click();
  await ops.page.getByRole('link', { name: /^Pay the florist\?.*asked to be reassigned/ }).click();
  await ops.page.getByText('bob asks for it to be reassigned').waitFor();
  await ops.page.getByRole('button', { name: 'Reassign', exact: true }).click();
  await ops.page.getByLabel('Ask instead').fill('role:sales');
  await ops.page.getByRole('group', { name: 'Reassign' }).getByRole('button', { name: 'Reassign' }).click();
  // Bob is of sales: now it is theirs to decide, and the question waits for no others any more.
  await bob.page.locator('.decide-actions [data-action="approve"]:not([aria-disabled])').waitFor();
  await eventually(async () => expect(await bob.page.getByText('asks for it to be reassigned').count()).toBe(0));
  expect([...ana.complaints, ...bob.complaints, ...ops.complaints]).toEqual([]);
  await Promise.all([ana.close(), bob.close(), ops.close()]);
});

test('who waits for an answer nudges those who may give it, once an hour, and it is on the record', async () => {
  const hold = await holds.ask(yesNo('Pay the printer?'));
  const [bob, ana] = [await holds.open('bob'), await holds.open('ana')];
  await openPage(ana, hold);
  expect(await ana.page.getByRole('button', { name: 'Nudge' }).count()).toBe(0);
  await openPage(bob, hold);
  await bob.page.getByText(/^Waits for finance, asked /).waitFor();
  await bob.page.getByRole('button', { name: 'Nudge' }).click();
  await bob.page.getByText(/^Nudged by you at /).waitFor();
  await bob.page.getByText(/^Again from /).waitFor();
  await bob.page.locator('button[aria-disabled="true"]', { hasText: 'Nudge' }).waitFor();
  expect(await axeViolations(bob.page)).toEqual([]);
  // Another page of theirs knows it too: it is the question's row that says so.
  await bob.page.reload();
  await bob.page.locator('button[aria-disabled="true"]', { hasText: 'Nudge' }).waitFor();
  await bob.open(`/tasks/${hold.taskId}`);
  await bob.page.getByText('Nudged: Pay the printer?').waitFor();
  expect([...ana.complaints, ...bob.complaints]).toEqual([]);
  await Promise.all([ana.close(), bob.close()]);
});

// Promise Q69
test('which agents are asked to decide is shown with the question, and why one did not', async () => {
  const hold = await holds.ask(yesNo('Pay the gardener?'), 'judged');
  const ana = await holds.open('ana');
  await openPage(ana, hold);
  const calls = ana.page.locator('.hold-calls li');
  await calls.filter({ hasText: /^absent \(agent\) is being asked, until / }).waitFor();
  await calls.filter({ hasText: /^judge \(agent\) did not decide: “.+”$/ }).waitFor();
  await ana.page.getByRole('button', { name: 'Ladder' }).click();
  const ladder = ana.page.locator('.ladder li');
  await ladder.filter({ hasText: /judge \(agent\) asked to decide.*did not decide/ }).waitFor();
  await ladder.filter({ hasText: /absent \(agent\) asked to decide.*is being asked/ }).waitFor();
  await ana.page.getByRole('button', { name: /^Approve/ }).click();
  await standing(ana, 'ended');
  await ladder.filter({ hasText: /absent \(agent\) asked to decide.*not waited for any more/ }).waitFor();
  await eventually(async () => expect(await calls.count()).toBe(0));
  expect(ana.complaints).toEqual([]);
  await ana.close();
});

// Promise Q68
test('whom a question can be passed on to is suggested while one writes, one after the other', async () => {
  const hold = await holds.ask(yesNo('Pay the baker?'));
  const ana = await holds.open('ana');
  await openPage(ana, hold);
  await ana.page.getByRole('button', { name: 'Reassign', exact: true }).click();
  const field = ana.page.getByRole('combobox', { name: 'Ask instead' });
  await field.click();
  const list = ana.page.getByRole('listbox', { name: 'People and roles' });
  const offered = async (): Promise<(string | null)[]> =>
    Promise.all((await list.getByRole('option').all()).map((option) => option.getAttribute('data-entry')));
  const everybody = ['role:finance', 'role:operator', 'role:sales', 'owner'];
  const users = ['ana', 'bob', 'cem', 'ops'].map((name) => `user:${name}`);
  await eventually(async () => expect(await offered()).toEqual([...everybody, ...users]));
  expect(await list.getByRole('option', { name: 'Cem' }).getAttribute('data-entry')).toBe('user:cem');
  // By keyboard alone: by name, and each person is offered once.
  await field.fill('ce');
  await field.press('ArrowDown');
  await field.press('Enter');
  await ana.page.getByText('Cem may decide instead of finance.').waitFor();
  await field.fill('user:');
  await eventually(async () => expect(await offered()).toEqual(users.toSpliced(2, 1)));
  await field.fill('');
  await field.press('Backspace');
  await field.fill('agent:chatty');
  await ana.page.getByRole('group', { name: 'Reassign' }).getByRole('button', { name: 'Reassign' }).click();
  await ana.page.getByText(/^the policy finance lets no agent:chatty decide; name a person or a role/).waitFor();
  await field.fill('user:cem user:ana');
  await ana.page.getByRole('group', { name: 'Reassign' }).getByRole('button', { name: 'Reassign' }).click();
  const chip = ana.page.locator('.chip-more > summary', { hasText: 'cem, ana' });
  await chip.click();
  await ana.page.getByText('May decide: cem, ana').waitFor();
  expect(ana.complaints).toEqual([]);
  await ana.close();
});

// Promise S25
test('each metric leads to the questions it counts', async () => {
  const declined = await holds.ask(yesNo('Pay the locksmith?'), 'chatty');
  await holds.ask(yesNo('Pay the gardener?'), 'chatty');
  await holds.as('bob').post(`/api/holds/${declined.id}/decision`, { status: 'cancelled', reason: 'no' });
  const ops = await holds.open('ops');
  await ops.open('/overview');
  const policy = ops.page
    .getByRole('listitem')
    .filter({ has: ops.page.getByRole('link', { name: 'default', exact: true }) });
  const titles = async (): Promise<string[]> => {
    await ops.page.locator('.row').first().waitFor();
    return (await ops.page.locator('.row-title').allTextContents()).toSorted();
  };
  await policy.getByRole('link', { name: 'default', exact: true }).click();
  await eventually(async () => expect(await titles()).toEqual(['Pay the gardener?', 'Pay the locksmith?']));
  await ops.page.locator('.chip.on', { hasText: 'policy default' }).waitFor();
  await ops.page.getByText('last 30 days', { exact: true }).waitFor();
  await ops.page.goBack();
  await policy.getByRole('link', { name: '1 open', exact: true }).click();
  await eventually(async () => expect(await titles()).toEqual(['Pay the gardener?']));
  await ops.page.goBack();
  await policy.getByRole('link', { name: '1 refused', exact: true }).click();
  await eventually(async () => expect(await titles()).toEqual(['Pay the locksmith?']));
  await ops.page.getByText('Rejected · last 30 days', { exact: true }).waitFor();
  await ops.page.getByRole('button', { name: 'Clear filters' }).click();
  await ops.page.getByText('policy default').waitFor({ state: 'detached' });
  expect(ops.complaints).toEqual([]);
  await ops.close();
});

// Promise Q74
test('those who may decide comment on a question, and one of them is reminded of it later', async () => {
  const hold = await holds.ask(yesNo('Pay the carpenter?'));
  const [ana, cem] = [await holds.open('ana'), await holds.open('cem')];
  await openPage(ana, hold);
  await ana.page.getByRole('button', { name: 'Comments' }).click();
  const field = ana.page.getByLabel('Say something to the others who may decide');
  await field.pressSequentially('Was he here? @ce');
  await ana.page.getByRole('group', { name: 'People to name' }).getByRole('button', { name: 'Cem' }).waitFor();
  await field.press('Tab');
  await field.press('Control+Enter');
  await ana.page.locator('.comment', { hasText: 'Was he here?' }).waitFor();
  await openPage(cem, hold);
  // People are faces, agents squares.
  await cem.page.locator('.comment .monogram.face').waitFor();
  // Read without opening anything, with the name in the place of the id.
  await eventually(async () => expect(await cem.page.locator('.comment').innerText()).toContain('Was he here? @Cem'));
  await cem.page.getByText('Remind me', { exact: true }).click();
  await cem.page.getByRole('button', { name: /^In 1 hour/ }).click();
  await cem.page
    .getByText(/^You will be reminded at/)
    .first()
    .waitFor();
  // The page opens the next question; this one is found again by its address.
  await openPage(cem, hold);
  const seenBy = async (who: 'ana' | 'cem'): Promise<boolean> => {
    const { body } = await holds.as(who).get('/api/holds?view=forMe&limit=200');
    return JSON.stringify(body).includes(hold.id);
  };
  await eventually(async () => expect([await seenBy('ana'), await seenBy('cem')]).toEqual([true, false]));
  await cem.page.getByRole('button', { name: 'Show it now' }).click();
  await cem.page.getByText('Remind me', { exact: true }).waitFor();
  await eventually(async () => expect(await seenBy('cem')).toBe(true));
  await holds.as('ana').post(`/api/holds/${hold.id}/decision`, { status: 'resolved', values: { confirmed: true } });
  await holds.lastMessage(hold);
  expect(JSON.stringify(await holds.messagesOf(hold))).not.toContain('Was he here');
  expect([...ana.complaints, ...cem.complaints]).toEqual([]);
  await ana.close();
  await cem.close();
});
