// The chat page as a client of a framework's own AG-UI server as published: pydantic-ai (rigs/agents/frameworks/fasta2a).
// Skipped where its packages cannot be installed.
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { hasFramework, startFrameworkAgent, type FrameworkAgent } from '../../rigs/agents/framework-agent.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const supervisor = createSupervisor();
afterAll(() => supervisor.end());

const send = (question: Locator): Promise<void> => question.getByRole('button', { name: 'Send answer' }).click();

(hasFramework('fasta2a') ? describe : describe.skip)('the chat page as a client of pydantic-ai', () => {
  const pages = onCannedPages();
  let server: FrameworkAgent | undefined;
  let resumes: unknown[];

  beforeEach(async () => {
    server ??= await startFrameworkAgent(supervisor, 'fasta2a');
    const url = `${server.url}ag-ui`;
    resumes = [];
    await pages.ana.page.route('**/agents/expenses/run', (route) => {
      const { resume } = route.request().postDataJSON() as { resume?: unknown };
      if (resume !== undefined) resumes.push(resume);
      return route.continue({ url });
    });
  });

  async function say(words: string): Promise<Locator> {
    const { page } = pages.ana;
    await pages.ana.open('/chat/expenses');
    await page.getByLabel('Message to Expenses').fill(words);
    await page.keyboard.press('Control+Enter');
    return page.locator('.chat-question');
  }

  // Promise S74
  test('the chat page as a client of pydantic-ai shows what its agent says', async () => {
    const questions = await say('hello');
    await pages.ana.page.getByText('One two three four', { exact: true }).waitFor();
    expect(await questions.count()).toBe(0);
  });

  // Promise S74
  test('the chat page as a client of pydantic-ai asks about each call with its arguments, and sends all answers by one resume, once they fit its schema', async () => {
    const questions = await say('pay 1 and 2');
    await eventually(async () => expect(await questions.count()).toBe(2));
    const [first, second] = [questions.nth(0), questions.nth(1)];
    expect(await second.locator('dl.values').first().innerText()).toMatch(/Invoice\s+2\s+To\s+Miller Ltd/u);
    await send(first);
    await first.locator('.summary').getByText('Approved').waitFor();
    await first.getByLabel('Yes').check();
    await send(first);
    await first.getByText('It is sent with the other answers.').waitFor();
    expect(resumes).toEqual([]);
    await second.getByLabel('No').check();
    await second.getByLabel('Reason').fill('too dear');
    await send(second);
    await pages.ana.page.locator('p', { hasText: 'paid 1 to Miller Ltd, too dear' }).waitFor();
    expect(resumes).toEqual([
      [
        { interruptId: 'int-call-1', status: 'resolved', payload: { approved: true } },
        { interruptId: 'int-call-2', status: 'resolved', payload: { approved: false, reason: 'too dear' } },
      ],
    ]);
    expect(await server?.executed()).toEqual([[1, 'Miller Ltd']]);
  });

  // Promise S74
  test('the chat page as a client of pydantic-ai sends other arguments, which are the ones that are executed', async () => {
    const question = (await say('pay 3')).first();
    await question.getByLabel('Yes').check();
    await question.getByLabel('Edited args').fill('{"invoice": 4, "to": "Baker"}');
    await send(question);
    await pages.ana.page.locator('p', { hasText: 'paid 4 to Baker' }).waitFor();
    expect(await server?.executed()).toEqual([
      [1, 'Miller Ltd'],
      [4, 'Baker'],
    ]);
  });
});
