// Front ends that speak AG-UI to Standfast from the page itself: assistant-ui and TanStack AI as published (examples/front-ends),
// in a real browser and on another origin. Skipped where the packages cannot be installed (scripts/front-end-packages.mjs).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import { openReader, startBrowser, type Reader } from '../../rigs/pages/browser.ts';
import { hasFrontEnds, startFrontEnds, type FrontEndExample } from '../../rigs/product/front-end-examples.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { decided, holdsOf, longMs, openHold } from '../setting.ts';
import { startProduct } from '../start-product.ts';

let browser: Browser;
let refundsDir: string;
let port: number;
let example: FrontEndExample;

async function startRefunds(): Promise<string> {
  refundsDir = await supervisor.tempDir('refunds');
  const refundsPort = await supervisor.freePort();
  const main = fileURLToPath(new URL('../../../examples/agents/refunds/main.js', import.meta.url));
  const args = [main, '--port', String(refundsPort), '--data-dir', refundsDir];
  const started = supervisor.start({ name: 'refunds agent', command: process.execPath, args });
  await started.waitForLine(/ ready http/, 30_000);
  return `http://127.0.0.1:${refundsPort}/`;
}

const questions = ({ page }: Reader): Locator => page.locator('form[aria-label]');

/** A page on a thread, when it has read its state: what is typed before is lost. */
async function chat(ui: string, agent: string, threadId: string): Promise<Reader> {
  const reader = await openReader(browser, example.url);
  const read = reader.page.waitForEvent('requestfinished', isOfRuns);
  await reader.open(`/${ui}?agent=${agent}&thread=${threadId}`);
  await read;
  return reader;
}

type Request = { url(): string; method(): string };
const isOfRuns = (request: Request): boolean => new URL(request.url()).pathname.endsWith('/run');
const isRun = (request: Request): boolean => isOfRuns(request) && request.method() === 'POST';

async function say({ page }: Reader, text: string): Promise<void> {
  const sent = page.waitForRequest(isRun);
  await page.getByPlaceholder('Write a message').fill(text);
  await page.getByRole('button', { name: 'Send message' }).click();
  await sent;
}

/** Answers the next open form of the fake agent. */
async function answerForm(reader: Reader, note: string): Promise<void> {
  const form = questions(reader).first();
  await form.getByLabel('Colour').selectOption('green');
  await form.getByLabel('Note').fill(note);
  await form.getByRole('button', { name: 'Send' }).click();
}

const answersOf = async (threadId: string): Promise<object[]> =>
  (await holdsOf(up, 'fake', threadId)).map(({ decision }) => decision?.values ?? {});

const { supervisor, up } = startProduct(async () => {
  const fake = await startFakeAgent(supervisor);
  port = await supervisor.freePort();
  return `
server: { cors: { origins: ['http://127.0.0.1:${port}'] } }
agents:
  fake: { url: '${fake.url}' }
  refunds: { url: '${await startRefunds()}' }
`;
});
beforeAll(async () => {
  example = await startFrontEnds(supervisor, up.url, port);
  browser = await startBrowser();
});
afterAll(() => browser?.close());

(hasFrontEnds ? describe : describe.skip).each(['assistant-ui', 'tanstack-ai'])('a page with %s', (ui) => {
  // Promise BR5
  test('a page with a front end of others asks by one form made of its schema, and shows what the agent says after the answer', async () => {
    const reader = await chat(ui, 'fake', `${ui}-form`);
    await say(reader, 'say Let me see; form => say thank you; complete');
    await reader.page.getByText('Let me see', { exact: true }).waitFor();
    await questions(reader).waitFor();
    await answerForm(reader, 'from the page');
    await reader.page.getByText('thank you', { exact: true }).waitFor();
    await questions(reader).waitFor({ state: 'detached' });
    expect(await answersOf(`${ui}-form`)).toEqual([{ colour: 'green', note: 'from the page' }]);
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  // Promise BR5
  test('a page with a front end of others sends the answers of three parallel questions together', async () => {
    const reader = await chat(ui, 'fake', `${ui}-three`);
    await say(reader, 'forms 3 => say all three; complete');
    await questions(reader).nth(2).waitFor();
    for (const [index, note] of ['one', 'two', 'three'].entries()) {
      await eventually(async () => expect(await questions(reader).count()).toBe(3 - index));
      await answerForm(reader, note);
    }
    await reader.page.getByText('all three', { exact: true }).waitFor();
    expect(await answersOf(`${ui}-three`)).toEqual(['one', 'two', 'three'].map((note) => ({ colour: 'green', note })));
    await reader.close();
  });

  // Promise BR5
  test('a page with a front end of others approves one tool call and rejects another, and only the approved one is executed', async () => {
    const reader = await chat(ui, 'refunds', `${ui}-refunds`);
    const payee = ui.replace('-', '');
    await say(reader, `refund 40 EUR to ${payee} and 12.50 EUR to Ben`);
    const [first, second] = [payee, 'Ben'].map((name) => questions(reader).filter({ hasText: `"to": "${name}"` }));
    await first?.getByRole('button', { name: 'Approve' }).click();
    await second?.getByRole('button', { name: 'Reject' }).click();
    await questions(reader).first().waitFor({ state: 'detached' });
    const payments = (): Promise<string> => readFile(join(refundsDir, 'payments.log'), 'utf8').catch(() => '');
    const paid = await waitFor(
      async () => (await payments()).split('\n').find((line) => line.startsWith(payee)),
      longMs,
      'the payment',
    );
    expect(paid).toBe(`${payee} 40`);
    expect(await payments()).not.toContain('Ben');
    await reader.close();
  });

  // Promise BR5
  test('a page with a front end of others has its conversation and its question again after a reload, and goes on', async () => {
    const reader = await chat(ui, 'fake', `${ui}-reload`);
    await say(reader, 'say Before; form => say welcome back; complete');
    await questions(reader).waitFor();
    await reader.page.reload();
    await reader.page.getByText('Before', { exact: true }).waitFor();
    await questions(reader).waitFor();
    await answerForm(reader, 'after the reload');
    await reader.page.getByText('welcome back', { exact: true }).waitFor();
    expect(await answersOf(`${ui}-reload`)).toEqual([{ colour: 'green', note: 'after the reload' }]);
    await say(reader, 'say one more; complete');
    await reader.page.getByText('one more', { exact: true }).waitFor();
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  // Promise BR5
  test('a page with a front end of others shows after a reload what the agent did with an answer from the inbox', async () => {
    const reader = await chat(ui, 'fake', `${ui}-inbox`);
    await say(reader, 'form => say from the inbox; complete');
    await questions(reader).waitFor();
    const { id } = await openHold(up, 'fake', `${ui}-inbox`);
    await decided(up, id, { status: 'resolved', values: { colour: 'red' } });
    await reader.page.reload();
    await reader.page.getByText('from the inbox', { exact: true }).waitFor();
    expect(await questions(reader).count()).toBe(0);
    await reader.close();
  });
});
