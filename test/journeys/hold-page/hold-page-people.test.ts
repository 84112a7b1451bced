// Who works on a question and takes it over, who passes it on, and who cannot be asked back.
import { expect, test } from '@jest/globals';
import { eventually } from '../../rigs/wait-for.ts';
import { askThreadId } from '../../../src/api/ask/ask-runs.ts';
import { openHold } from '../setting.ts';
import { keys, openPage, standing, startHolds, trip, yesNo } from './hold-page-setting.ts';

const trueOrFalse = { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] };
const holds = startHolds();

// Promise S27
test('what somebody works on is taken over by a press, and by no slip of a key', async () => {
  const hold = await holds.ask(yesNo('Pay the caterer?'));
  await holds.as('ana').post(`/api/holds/${hold.id}/claim`, {});
  const cem = await holds.open('cem');
  await openPage(cem, hold);
  await cem.page.getByText('Ana is working on this').first().waitFor();
  await cem.page.keyboard.press('c');
  await cem.page.locator('[aria-live="polite"]', { hasText: 'Ana is working on this' }).waitFor({ state: 'attached' });
  await cem.page.getByRole('button', { name: 'Take over from Ana' }).click();
  await cem.page.getByText('You are working on this').waitFor();
  await cem.page.getByRole('button', { name: 'Release' }).waitFor();
  // It did not stop others before, and does not now.
  const ana = await holds.open('ana');
  await openPage(ana, hold);
  await ana.page.getByRole('button', { name: 'Take over from Cem' }).waitFor();
  await ana.page.getByRole('button', { name: /^Approve/ }).click();
  await standing(cem, 'ended');
  expect([...ana.complaints, ...cem.complaints]).toEqual([]);
  await Promise.all([ana.close(), cem.close()]);
});

// Promise S28
test('a question that is passed on under the page says so; nothing can be sent, and what was typed stays', async () => {
  const hold = await holds.ask(trip('Whose trip?'));
  const ana = await holds.open('ana');
  await openPage(ana, hold);
  await ana.page.getByLabel('Note').fill('my own words');
  await ana.page.getByText('Draft saved').waitFor();
  // A slip of Esc leaves the field, not the question.
  await ana.page.keyboard.press('Escape');
  await ana.page.locator('.inbox-pane:focus').waitFor();
  await ana.page.keyboard.press('m');
  await ana.page.locator(':focus').and(ana.page.getByLabel('Ask instead')).waitFor();
  await ana.page.keyboard.press('Escape');
  await ana.page
    .locator(':focus')
    .and(ana.page.getByRole('button', { name: 'Reassign' }))
    .waitFor();
  expect((await holds.as('ops').post(`/api/holds/${hold.id}/reassign`, { to: ['role:sales'] })).status).toBe(200);
  await standing(ana, 'gone');
  await ana.page.locator('.notice', { hasText: 'This question was passed on to others.' }).waitFor();
  await ana.page.getByRole('button', { name: 'Send answer' }).waitFor({ state: 'detached' });
  await ana.page.getByText('asks others').waitFor();
  await eventually(async () => expect(await ana.page.getByLabel('Note').inputValue()).toBe('my own words'));
  expect(await ana.page.getByText('May decide').count()).toBe(0);
  for (const name of ['Claim', 'Reassign', 'Ask for it to be reassigned'])
    await eventually(async () => expect(await ana.page.getByRole('button', { name, exact: true }).count()).toBe(0));
  expect(ana.complaints).toEqual([]);
  await ana.close();
});

// Promise S28
test('who passes a question on reads who has it now, finds no dead button, and goes on to what is next', async () => {
  const [hold, next] = [await holds.ask(yesNo('Pay the glazier?')), await holds.ask(yesNo('Pay the plumber?'))];
  const ana = await holds.open('ana');
  const refused: string[] = [];
  ana.page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
  });
  await openPage(ana, hold);
  await ana.page.getByRole('button', { name: 'Reassign', exact: true }).click();
  await ana.page.getByRole('combobox', { name: 'Ask instead' }).fill('user:cem');
  await ana.page.getByRole('group', { name: 'Reassign' }).getByRole('button', { name: 'Reassign' }).click();
  await ana.page
    .locator('.notice', { hasText: 'You passed it on: Cem may decide now. Nothing is decided yet.' })
    .waitFor();
  await ana.page.getByText('asks Cem').waitFor();
  expect(await ana.page.locator('.decide [data-action]').count()).toBe(0);
  expect(await ana.page.getByText(/wrote/).count()).toBe(0);
  await ana.page.getByRole('button', { name: 'Next in my inbox' }).click();
  await ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();
  expect(refused).toEqual([]);
  expect(next.status).toBe('open');
  expect(ana.complaints).toEqual([]);
  await ana.close();
});

// Promise Q61
test('a program that asked over MCP cannot be asked back, and no page offers it', async () => {
  const arguments_ = {
    id: 'page-mcp',
    question: 'Deploy now?',
    schema: trueOrFalse,
    policy: 'finance',
    waitSeconds: 0,
  };
  const response = await fetch(`${holds.up.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys.bob}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ask_user', arguments: arguments_ },
    }),
  });
  expect(await response.text()).toContain('waiting');
  const hold = await openHold(holds.as('bob'), 'ask', askThreadId({ id: 'bob' }, 'page-mcp'));
  const ana = await holds.open('ana');
  await openPage(ana, hold);
  await ana.page.getByRole('button', { name: /^Approve/ }).waitFor();
  expect(await ana.page.getByText('Ask ask something before you decide').count()).toBe(0);
  await ana.close();
  const bob = await holds.open('bob');
  await bob.open(`/tasks/${hold.taskId}`);
  await bob.page.getByRole('heading', { name: 'Deploy now?' }).first().waitFor();
  expect(await bob.page.locator('.message-box').count()).toBe(0);
  expect(await bob.page.locator('a[href^="/chat/ask"]').count()).toBe(0);
  expect(bob.complaints).toEqual([]);
  await bob.close();
});
