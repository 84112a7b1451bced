// The chat page: any agent over AG-UI, its questions inline, in a real browser against the real system; and what it made.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Request } from 'playwright-core';
import type { Reader } from '../../rigs/pages/browser.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { startHolds, yesNo } from '../hold-page/hold-page-setting.ts';
import { greenDecision, openHold, waitForTask } from '../setting.ts';
import { composerWords, say } from './chat-page-setting.ts';

const holds = startHolds();
let bob: Reader;

beforeAll(async () => {
  bob = await holds.open('bob');
});

const threadOf = (reader: Reader): string => new URL(reader.page.url()).searchParams.get('thread') ?? '';

/** In the window, and nothing over it. */
async function isSeen(reader: Reader, place: Locator): Promise<boolean> {
  const box = await place.boundingBox();
  if (box === null) return false;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const there = await reader.page.evaluate<string | null>(
    `document.elementFromPoint(${x}, ${y})?.closest('button')?.textContent ?? null`,
  );
  return there !== null && there === (await place.textContent());
}

function bodiesOf(requests: readonly Request[]): Record<string, unknown>[] {
  return requests.map((request): Record<string, unknown> => JSON.parse(request.postData() ?? '{}'));
}

describe('a conversation', () => {
  // Promise S23, S47
  test('streams, asks inline, and goes on where it stood once the question is answered', async () => {
    const runs: Request[] = [];
    bob.page.on('request', (request) => {
      if (request.url().endsWith('/agents/chatty/run')) runs.push(request);
    });
    await bob.open('/chat/chatty');
    await say(bob, 'chatty', 'stream 20; form => say thanks for that; complete');
    await bob.page.getByText('t1 t2 t3').waitFor();
    const question = bob.page.locator('.chat-question .hold');
    await question.waitFor();
    await eventually(async () => expect(threadOf(bob)).not.toBe(''));
    // The question takes the place of the input: one thing to do at a time.
    await eventually(async () => expect(await bob.page.locator('.composer').count()).toBe(0));
    await eventually(async () =>
      expect(await isSeen(bob, question.getByRole('button', { name: 'Send answer' }))).toBe(true),
    );
    await bob.page.getByLabel('green').check();
    await bob.page.getByLabel('Note').fill('from the chat');
    await question.getByRole('button', { name: 'Send answer' }).click();
    await bob.page.getByText('thanks for that', { exact: true }).waitFor();
    await bob.page.locator('.chat-question').waitFor({ state: 'detached' });
    await eventually(async () => expect(await composerWords(bob)).toContain('Enter sends'));
    expect(await bob.page.locator('.from-user').innerText()).toContain('stream 20');
    const resumed = bodiesOf(runs).filter(({ resume }) => resume !== undefined);
    expect(resumed).toHaveLength(1);
    expect(resumed[0]).toMatchObject({
      resume: [{ status: 'resolved', payload: { colour: 'green', note: 'from the chat' } }],
    });
    expect(bob.complaints).toEqual([]);
  });

  test('a conversation goes on with the next word on the same thread', async () => {
    const before = threadOf(bob);
    await say(bob, 'chatty', 'say second answer; complete');
    await bob.page.getByText('second answer', { exact: true }).waitFor();
    expect(threadOf(bob)).toBe(before);
    await eventually(async () => expect(await bob.page.getByText('thanks for that', { exact: true }).count()).toBe(1));
  });

  // Promise S23
  test('a conversation restores its open question after a reload, and only its own', async () => {
    await bob.open('/chat/chatty');
    await say(bob, 'chatty', 'ask What is your budget? => say noted; complete');
    await bob.page.locator('.chat-question .hold').waitFor();
    const address = bob.page.url();
    await bob.open('/chat/chatty');
    await bob.page.getByText('Write to chatty to begin.').waitFor();
    expect(await bob.page.locator('.chat-question').count()).toBe(0);
    await bob.open(address);
    await bob.page.locator('.chat-question .hold').waitFor();
    await bob.page.getByLabel('Your reply to chatty').fill('Ten thousand.');
    await bob.page.getByRole('button', { name: 'Reply' }).click();
    await bob.page.getByText('noted', { exact: true }).waitFor();
  });

  // Promise S47
  test('a conversation waits for others where they decide, and goes on when they have', async () => {
    await bob.open('/chat/expenses');
    await say(bob, 'expenses', 'form => say decided elsewhere; complete');
    const card = bob.page.locator('.waiting-card');
    await card.getByText('Waiting for finance').waitFor();
    await card.getByText('then the task fails').waitFor();
    await eventually(async () => expect(await card.locator('input, textarea, button').count()).toBe(0));
    await eventually(async () => expect(await bob.page.locator('.composer').count()).toBe(0));
    expect(await bob.page.getByRole('link', { name: 'Open it in the inbox' }).getAttribute('href')).toContain(
      '/holds/',
    );
    const hold = await openHold(holds.as('bob'), 'expenses', threadOf(bob));
    const answer = await holds.as('cem').post(`/api/holds/${hold.id}/decision`, greenDecision());
    expect(answer.status).toBe(200);
    await bob.page.getByText('decided elsewhere', { exact: true }).waitFor();
    await bob.page.locator('.chat-question').waitFor({ state: 'detached' });
    expect(bob.complaints).toEqual([]);
  });

  // Promise S39
  test('a conversation that never began says so, and begins once with the words that were typed', async () => {
    await bob.open('/chat/chatty');
    await bob.page.getByText('Write to chatty to begin.').waitFor();
    const runs: unknown[] = [];
    await bob.page.route('**/agents/chatty/run', async (route) => {
      runs.push(route.request().postDataJSON());
      await (runs.length === 1 ? route.abort('connectionreset') : route.continue());
    });
    await say(bob, 'chatty', 'say it came through; complete');
    await bob.page.getByText('your message may not have arrived').waitFor();
    await bob.page.getByRole('button', { name: 'Send it again' }).click();
    await bob.page.getByText('it came through', { exact: true }).waitFor();
    expect(runs[1]).toEqual(runs[0]);
    await bob.page.unroute('**/agents/chatty/run');
  });
});

describe('the page of a task', () => {
  // Promise S67
  test('the page of a task has what the agent made after its last question', async () => {
    const hold = await holds.ask(yesNo('Make it?'));
    await holds.as('ana').post(`/api/holds/${hold.id}/decision`, { status: 'resolved', values: { confirmed: true } });
    await waitForTask(holds.as('bob'), hold.taskId, 'DONE');
    await bob.open(`/tasks/${hold.taskId}`);
    const made = bob.page.locator('.task-side .artifacts a', { hasText: 'echo' });
    await made.waitFor();
    const answer = await bob.context.request.get((await made.getAttribute('href')) ?? '');
    expect([answer.status(), await answer.text()]).toEqual([200, expect.stringContaining('confirmed')]);
  });
});
