// CopilotKit as its users have it: the published runtime and React packages (examples/copilotkit), in a real browser, with
// agents that ask in different ways. Skipped where the packages cannot be installed (scripts/front-end-packages.mjs).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { openReader, startBrowser, type Reader } from '../../rigs/pages/browser.ts';
import { hasCopilotKit, startCopilotKit, type FrontEndExample } from '../../rigs/product/front-end-examples.ts';
import { withTraffic } from '../../rigs/pages/traffic.ts';
import { hasPython, startAdkAgent } from '../../rigs/agents/python-agent.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { failedWorkflowTasks, holdsOf, longMs } from '../setting.ts';
import { startProduct } from '../start-product.ts';

let browser: Browser;
let fake: FakeAgent;
let refundsDir: string;
let port: number;
let example: FrontEndExample;

async function startRefunds(dataDir: string): Promise<string> {
  const refundsPort = await supervisor.freePort();
  const main = fileURLToPath(new URL('../../../examples/agents/refunds/main.js', import.meta.url));
  const args = [main, '--port', String(refundsPort), '--data-dir', dataDir];
  const started = supervisor.start({ name: 'refunds agent', command: process.execPath, args });
  await started.waitForLine(/ ready http/, 30_000);
  return `http://127.0.0.1:${refundsPort}/`;
}

/**
 * A page on a thread of its own, when it has read its state: what is typed before is lost. CopilotKit reads it twice,
 * and on a busy machine aborts the first after its headers; `finished()` of such a response never ends in Playwright.
 */
async function chat(agent: string, threadId: string): Promise<Reader> {
  const reader = await openReader(browser, example.url);
  const connected = reader.page.waitForEvent('requestfinished', (request) => request.url().endsWith('/connect'));
  await reader.open(`/?agent=${agent}&thread=${threadId}`);
  await connected;
  return reader;
}

async function say({ page }: Reader, text: string): Promise<void> {
  const sent = page.waitForRequest(/\/run$/);
  await page.getByPlaceholder('Type a message...').fill(text);
  await page.keyboard.press('Enter');
  await sent;
}

const questions = ({ page }: Reader): Locator => page.locator('form.question');

/** Answers the next open form of the fake agent. */
async function answerForm(reader: Reader, note: string): Promise<void> {
  const form = questions(reader).first();
  await form.getByLabel('Colour').selectOption('green');
  await form.getByLabel('Note').fill(note);
  await form.getByRole('button', { name: 'Send' }).click();
}

const answersOf = async (threadId: string): Promise<object[]> => {
  const holds = await holdsOf(up, 'fake', threadId);
  return holds.map(({ decision }) => decision?.values ?? {});
};

const { supervisor, up } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  refundsDir = await supervisor.tempDir('refunds');
  const refunds = await startRefunds(refundsDir);
  const adk = hasPython ? (await startAdkAgent(supervisor)).url : fake.url;
  return `
agents:
  fake: { url: '${fake.url}' }
  refunds: { url: '${refunds}' }
  adk: { url: '${adk}', extensions: ['https://google.github.io/adk-docs/a2a/a2a-extension/'] }
`;
});
beforeAll(async () => {
  port = await supervisor.freePort();
  example = await startCopilotKit(supervisor, up.url, port);
  browser = await startBrowser();
});
afterAll(() => browser?.close());

(hasCopilotKit ? describe : describe.skip)('a page with CopilotKit', () => {
  // Promise BR4
  test('a page with CopilotKit asks by one form made of its schema, and the agent gets the answer and goes on', async () => {
    const reader = await chat('fake', 'form');
    await say(reader, 'form => say thank you; complete');
    await questions(reader).waitFor();
    await eventually(async () => expect(await questions(reader).count()).toBe(1));
    await answerForm(reader, 'from CopilotKit');
    await reader.page.getByText('thank you', { exact: true }).waitFor();
    await questions(reader).waitFor({ state: 'detached' });
    expect(await answersOf('form')).toEqual([{ colour: 'green', note: 'from CopilotKit' }]);
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  // Promise BR1
  test('a page with CopilotKit tells the agent its context with each message, as metadata', async () => {
    const sent = (await fake.ledger()).filter(({ metadata }) => metadata !== null && 'agui_context' in metadata);
    expect(sent.map(({ metadata }) => metadata)).toContainEqual({
      agui_context: [{ description: 'Time zone of the person', value: 'Europe/Berlin' }],
    });
  });

  // Promise G20
  test('a page with CopilotKit learns from its runtime what each agent can do, and that tools of a page are not carried', async () => {
    const info: unknown = await (await fetch(new URL('api/copilotkit/info', example.url))).json();
    const capabilities = { tools: { clientProvided: false }, humanInTheLoop: { supported: true, interrupts: true } };
    expect(info).toMatchObject({ agents: { fake: { capabilities }, refunds: { capabilities } } });
  });

  // Promise BR4
  test('a page with CopilotKit answers one question after the other in one conversation', async () => {
    const reader = await chat('fake', 'chain');
    await say(reader, 'form => form => say done with both; complete');
    for (const note of ['first', 'second']) {
      await waitFor(
        async () => ((await holdsOf(up, 'fake', 'chain')).length === (note === 'first' ? 1 : 2) ? true : undefined),
        longMs,
        `the ${note} question`,
      );
      await questions(reader).waitFor();
      await answerForm(reader, note);
    }
    await reader.page.getByText('done with both', { exact: true }).waitFor();
    expect(await answersOf('chain')).toEqual([
      { colour: 'green', note: 'first' },
      { colour: 'green', note: 'second' },
    ]);
    await reader.close();
  });

  // Promise BR4
  test('a page with CopilotKit sends the answers of three parallel questions together', async () => {
    const reader = await chat('fake', 'three');
    await say(reader, 'forms 3 => say all three; complete');
    await questions(reader).nth(2).waitFor();
    for (const [index, note] of ['one', 'two', 'three'].entries()) {
      await eventually(async () => expect(await questions(reader).count()).toBe(3 - index));
      await answerForm(reader, note);
    }
    await reader.page.getByText('all three', { exact: true }).waitFor();
    expect(await answersOf('three')).toEqual(['one', 'two', 'three'].map((note) => ({ colour: 'green', note })));
    await reader.close();
  });

  // Promise BR4
  test('a page with CopilotKit approves one tool call and rejects another, and only the approved one is executed', async () => {
    const reader = await chat('refunds', 'refunds');
    await say(reader, 'refund 40 EUR to Ana and 12.50 EUR to Ben');
    const [ana, ben] = ['Ana', 'Ben'].map((name) => questions(reader).filter({ hasText: `"to": "${name}"` }));
    await ana?.getByRole('button', { name: 'Approve' }).click();
    await ben?.getByRole('button', { name: 'Reject' }).click();
    await questions(reader).first().waitFor({ state: 'detached' });
    const paid = await waitFor(
      async () => (await readFile(join(refundsDir, 'payments.log'), 'utf8').catch(() => '')) || undefined,
      longMs,
      'the payment',
    );
    expect(paid).toBe('Ana 40\n');
    await reader.close();
  });

  // Promise BR4
  test('a page with CopilotKit has its question again after a reload, also when the runtime was restarted meanwhile', async () => {
    const reader = await chat('fake', 'reload');
    await withTraffic(reader.page, async () => {
      await say(reader, 'form => say welcome back; complete');
      await questions(reader).waitFor();
      await reader.page.reload();
      await questions(reader).waitFor();
      await example.process.stop(10_000);
      example = await startCopilotKit(supervisor, up.url, port);
      await reader.page.reload();
      await questions(reader).waitFor();
      await questions(reader).nth(1).waitFor({ state: 'detached' });
      await answerForm(reader, 'after the reload');
      await reader.page.getByText('welcome back', { exact: true }).waitFor();
    });
    expect(await answersOf('reload')).toEqual([{ colour: 'green', note: 'after the reload' }]);
    await reader.close();
  });

  (hasPython ? test : test.skip)('a page with CopilotKit answers a confirmation of an ADK agent', async () => {
    const reader = await chat('adk', 'adk');
    await say(reader, 'call book_trip {"city":"Rome"}');
    await questions(reader).getByRole('button', { name: 'Approve' }).click();
    await reader.page.getByText('"booked": "Rome"').first().waitFor();
    const [hold] = await holdsOf(up, 'adk', 'adk');
    expect(hold).toMatchObject({ status: 'decided', decision: { values: { approved: true } } });
    await reader.close();
  });

  test('a page with CopilotKit leaves no workflow task that failed', async () => {
    expect(await failedWorkflowTasks(up.temporalAddress)).toEqual([]);
  });
});
