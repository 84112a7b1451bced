// The first minute with `standfast up`, to its end: everything is killed while a question waits, and the page says what is left.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import { axeViolations, openReader, startBrowser } from '../../rigs/pages/browser.ts';
import { startUp, type Up, type UpOptions } from '../../rigs/product/standfast.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { buildOnce, ended, green, interruptOf, openHold } from '../setting.ts';

const supervisor = createSupervisor();
let browser: Browser;
let options: UpOptions;
let up: Up;
beforeAll(async () => {
  buildOnce();
  browser = await startBrowser();
  const { freePort } = supervisor;
  const ports = { api: await freePort(), temporal: await freePort(), temporalUi: await freePort() };
  const agents = `agents: { fake: { url: '${(await startFakeAgent(supervisor)).url}' } }`;
  const policies = `policies: { default: { expire: { after: 2h, then: fail } } }`;
  const dataDir = await supervisor.tempDir('first-minute');
  options = { dataDir, ports, configText: `${agents}\n${policies}` };
  up = await startUp(supervisor, options);
});
afterAll(async () => {
  await browser?.close();
  await supervisor.end();
});

// Promise S56a
test('after the first answer the page and the chat ask to be killed, and come back with the same question and deadline', async () => {
  const reader = await openReader(browser, up.url);
  const { page } = reader;

  const first = await up.run('fake', { threadId: 'one', runId: 'one-1', text: 'form => say thanks; complete' });
  const resume = green(interruptOf(ended(first, 'interrupt')));
  ended(await up.run('fake', { threadId: 'one', runId: 'one-2', resume }), 'success');
  await reader.open('/');
  const trick = page.getByRole('region', { name: 'Now kill Standfast' });
  await trick.getByText('Your answer has reached the agent, once.').waitFor();
  const step = trick.locator('[aria-current="step"]');
  expect(await step.innerText()).toBe('An agent asks');
  expect(await axeViolations(page)).toEqual([]);

  // Who answered in the chat learns it there.
  const talker = await openReader(browser, up.url);
  const inChat = talker.page.getByRole('region', { name: 'Now kill Standfast' });
  await talker.open('/chat/fake?thread=one');
  await inChat.getByText('Your answer has reached the agent, once.').waitFor();
  expect(await axeViolations(talker.page)).toEqual([]);
  const way = inChat.getByRole('link', { name: /^Chat with/ });
  // A click for another tab is the browser's.
  const [another] = await Promise.all([
    talker.context.waitForEvent('page'),
    way.click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await another.close();
  await way.click();
  await talker.page.locator('.chat-main.is-new').waitFor();
  expect(await inChat.count()).toBe(0);

  ended(await up.run('fake', { threadId: 'two', runId: 'two-1', text: 'form => say thanks; complete' }), 'interrupt');
  await trick.getByText('waits until').waitFor();
  await talker.open('/chat/fake?thread=two');
  await inChat.getByText('waits until').waitFor();
  await up.process.kill9();
  for (const card of [trick, inChat]) await card.getByText(/Gone for \d+ s/).waitFor();
  expect(await step.innerText()).toBe('Every process is killed');
  up = await startUp(supervisor, options);
  for (const card of [trick, inChat])
    await card.getByText(/Back after \d+ s: the same question, the same deadline/).waitFor();
  expect(await step.innerText()).toBe('You answer, and it goes on');
  await trick.getByRole('link', { name: 'Answer it now' }).waitFor();
  expect(await trick.getByRole('link', { name: 'See it in Temporal' }).getAttribute('href')).toContain(
    String(options.ports?.temporalUi),
  );
  // In the chat the question is on the page, above it.
  expect(await inChat.getByRole('link', { name: 'Answer it now' }).count()).toBe(0);
  expect(await inChat.getByRole('link', { name: 'See it in Temporal' }).getAttribute('href')).toContain('/workflows/');
  expect(await axeViolations(page)).toEqual([]);
  expect(await axeViolations(talker.page)).toEqual([]);
  expect([...reader.complaints, ...talker.complaints]).toEqual([]);
  await talker.close();
  await reader.close();
});

// Promise Q13
test('without keys the record of an answer says this page, for the page of a question and for the chat', async () => {
  const reader = await openReader(browser, up.url);
  const { page } = reader;
  for (const [thread, place] of [
    ['on-page', (id: string) => `/holds/${id}`],
    ['in-chat', () => '/chat/fake?thread=in-chat'],
  ] as const) {
    await up.run('fake', { threadId: thread, runId: `${thread}-1`, text: 'form => say thanks; complete' });
    const { id } = await openHold(up, 'fake', thread);
    await reader.open(place(id));
    const question = page.locator('.hold');
    await question.getByLabel('green').check();
    await question.getByRole('button', { name: 'Send answer' }).click();
    if (thread === 'in-chat') {
      await page.getByText('thanks', { exact: true }).waitFor();
      await reader.open(`/holds/${id}`);
    }
    await page.locator('.hold[data-standing="ended"]').waitFor();
    expect(await page.locator('.record').innerText()).toMatch(/Through\s+this page/u);
  }
  expect(reader.complaints).toEqual([]);
  await reader.close();
});
