// The chat page as a client of an AG-UI server that is not Standfast's: what a client owes to questions of any server.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Interrupt } from '@ag-ui/core';
import type { Locator } from 'playwright-core';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { startForeignServer, type ForeignServer } from '../../rigs/streams/foreign-agui.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();
let foreign: ForeignServer;

beforeEach(async () => {
  foreign = await startForeignServer();
  await pages.ana.page.route('**/agents/expenses/run', (route) => route.continue({ url: foreign.url }));
});
afterEach(() => foreign.close());

/** The questions on the page, once the server has asked them. */
async function asked(...asks: Interrupt[]): Promise<Locator> {
  foreign.asks = asks;
  const { page } = pages.ana;
  await pages.ana.open('/chat/expenses');
  await page.getByLabel('Message to Expenses').fill('Go on');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Let me ask.', { exact: true }).waitFor();
  const questions = page.locator('.chat-question');
  await eventually(async () => expect(await questions.count()).toBe(asks.length));
  return questions;
}

const thanked = (): Promise<void> => pages.ana.page.getByText('Thank you.', { exact: true }).waitFor();
const send = (question: Locator): Promise<void> => question.getByRole('button', { name: 'Send answer' }).click();

const responseSchema = {
  type: 'object',
  title: 'Which region?',
  properties: {
    region: { type: 'string', title: 'Region', enum: ['eu', 'us'] },
    replicas: { type: 'integer', title: 'Replicas', minimum: 1 },
  },
  required: ['region', 'replicas'],
};
const move: Interrupt = {
  id: 'int-1',
  reason: 'langgraph:database_modification',
  message: 'I want to **move** the database.',
  responseSchema,
  metadata: { langgraph: { checkpointId: 'ckpt-xyz' }, rows: 1204 },
};

// Promise S74
test('the chat page draws a reason that it does not know from message, schema and metadata, and sends nothing that the schema refuses', async () => {
  const question = await asked(move);
  await question.getByRole('heading', { name: 'Which region?' }).waitFor();
  await question.getByText('langgraph:database_modification').waitFor();
  expect(await question.locator('strong').innerText()).toBe('move');
  await question.getByText('1,204').waitFor();
  await question.getByText('ckpt-xyz').waitFor();
  expect(await axeViolations(pages.ana.page)).toEqual([]);
  await question.getByLabel('eu').check();
  await question.getByLabel('Replicas').fill('0');
  await send(question);
  await question.locator('.summary').getByText('Replicas').waitFor();
  expect(foreign.resumes).toEqual([]);
  await question.getByLabel('Replicas').fill('3');
  await send(question);
  await thanked();
  expect(foreign.resumes).toEqual([
    [{ interruptId: 'int-1', status: 'resolved', payload: { region: 'eu', replicas: 3 } }],
  ]);
});

// Promise S74
test('the chat page sends no answer past the time of a question, and lets it be given up', async () => {
  const question = await asked({ ...move, expiresAt: new Date(Date.now() - 1_000).toISOString() });
  await question.getByText('Too late: this question has ended.').waitFor();
  expect(await question.getByRole('button', { name: 'Send answer' }).count()).toBe(0);
  await question.getByRole('button', { name: 'Decline to answer' }).click();
  await thanked();
  expect(foreign.resumes).toEqual([[{ interruptId: 'int-1', status: 'cancelled' }]]);
});

// Promise S74
test('the chat page answers all that is open by one resume, whatever shape each answer has', async () => {
  const questions = await asked(
    { id: 'a', reason: 'confirmation', message: 'Restart now?' },
    { id: 'b', reason: 'acme:name', message: 'Under which name?' },
    {
      id: 'c',
      reason: 'input_required',
      message: 'Which colours?',
      responseSchema: { type: 'array', minItems: 1, items: { type: 'string', title: 'Colour' } },
    },
  );
  await questions.nth(0).getByLabel('Yes').check();
  await send(questions.nth(0));
  await questions.nth(0).getByText('It is sent with the other answers.').waitFor();
  await questions.nth(1).getByLabel('Answer').fill('Blue');
  await send(questions.nth(1));
  expect(foreign.resumes).toEqual([]);
  await questions.nth(2).getByRole('button', { name: 'Decline to answer' }).click();
  await thanked();
  expect(foreign.resumes).toEqual([
    [
      { interruptId: 'a', status: 'resolved', payload: true },
      { interruptId: 'b', status: 'resolved', payload: 'Blue' },
      { interruptId: 'c', status: 'cancelled' },
    ],
  ]);
});

// Promise S74
test('the chat page keeps a question whose answer was refused, with what was written, and says why', async () => {
  const question = await asked({ ...move, reason: 'input_required' });
  foreign.refuses = 'eu is full';
  await question.getByLabel('eu').check();
  await question.getByLabel('Replicas').fill('2');
  await send(question);
  await pages.ana.page.getByText('This run failed. eu is full').waitFor();
  await question.getByLabel('us').check();
  await send(question);
  await thanked();
  expect(foreign.resumes.map(([entry]) => entry?.payload)).toEqual([
    { region: 'eu', replicas: 2 },
    { region: 'us', replicas: 2 },
  ]);
});

// Promise S74
test('the chat page shows the call that a question is about', async () => {
  const question = await asked({ id: 'a', reason: 'tool_call', toolCallId: 'tc-1', message: 'Send it?' });
  await question.getByText('send_mail').waitFor();
  await question.getByText('ana@example.org').waitFor();
  await question.getByLabel('Yes').check();
  await send(question);
  await thanked();
  expect(foreign.resumes[0]?.[0]?.payload).toEqual({ approved: true });
});
