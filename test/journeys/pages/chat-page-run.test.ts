// The chat page: any agent over AG-UI, its questions inline, in a real browser against the real system.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Request } from 'playwright-core';
import { axeViolations, overflowPx, type Reader } from '../../rigs/pages/browser.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { startHolds } from '../hold-page/hold-page-setting.ts';
import { greenDecision, longMs, openHold } from '../setting.ts';

const holds = startHolds();
let bob: Reader;

beforeAll(async () => {
  bob = await holds.open('bob');
});

const threadOf = (reader: Reader): string => new URL(reader.page.url()).searchParams.get('thread') ?? '';

async function say(reader: Reader, agent: string, text: string): Promise<void> {
  await reader.page.getByLabel(`Message to ${agent}`).fill(text);
  await reader.page.keyboard.press('Control+Enter');
}

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

const composerWords = (reader: Reader): Promise<string> => reader.page.locator('.composer').innerText();

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

  test('a conversation with several questions takes each one, and goes on after the last', async () => {
    await bob.open('/chat/chatty');
    await say(bob, 'chatty', 'forms 2 => say both came; complete');
    const questions = bob.page.locator('.chat-question');
    await waitFor(async () => (await questions.count()) === 2, longMs, 'two questions');
    await questions.first().getByText('Question 1 of 2 of this task').waitFor();
    for (const index of [0, 1]) {
      const one = questions.nth(index);
      await one.getByLabel('green').check();
      // What of it lies below the screen is gone to first.
      const send = one.getByRole('button', { name: 'Send answer' });
      const goTo = one.locator('[data-action="approve"]');
      await waitFor(
        async () => {
          // On a busy machine a press may take effect and be reported as one that took too long.
          if ((await send.count()) + (await goTo.count()) === 0) return true;
          const isThere = await send.isVisible();
          await (isThere ? send : goTo).click({ timeout: 5_000 });
          return isThere;
        },
        longMs,
        'the answer to be sent',
      );
      if (index === 0) await one.locator('.hold[data-standing="ended"]').waitFor();
    }
    await bob.page.getByText('both came', { exact: true }).waitFor();
    expect(bob.complaints).toEqual([]);
  });

  test('a conversation shows once in words how a run failed, with one full stop, and nothing that would not help', async () => {
    await bob.open('/chat/chatty');
    await say(bob, 'chatty', 'fail out of paper.');
    await bob.page.getByRole('alert').filter({ hasText: 'chatty failed' }).waitFor();
    const notices = await bob.page.locator('.notice').allInnerTexts();
    const own = await bob.page.locator('.chat-items > li:not(.from-user)').allInnerTexts();
    expect([...own, ...notices].join(' ').split('out of paper').length - 1).toBe(1);
    expect(notices.join()).not.toContain('.”.');
    expect(await bob.page.getByRole('button', { name: 'Refresh' }).count()).toBe(0);
  });

  test('a conversation in a new thread is in the list at once, and can be stopped while the agent works', async () => {
    await bob.open('/chat/chatty');
    await say(bob, 'chatty', 'say on it; gate never; complete');
    await bob.page.getByText('on it', { exact: true }).waitFor();
    const listed = bob.page.locator('.thread[aria-current="page"]');
    await listed.filter({ hasText: 'say on it' }).filter({ hasText: 'working' }).waitFor();
    await bob.page.getByRole('button', { name: 'Stop' }).click();
    await listed.filter({ hasText: 'stopped' }).waitFor();
    await eventually(async () => expect(await composerWords(bob)).toContain('Enter sends'));
  });

  test('a conversation shows what its task has made, where the agent only says that it is attached', async () => {
    await bob.open('/chat/chatty');
    await say(bob, 'chatty', 'say it is attached; data receipt; complete');
    const made = bob.page.getByRole('list', { name: 'What the agent made' }).getByRole('link');
    await made.waitFor();
    expect(await made.allInnerTexts()).toEqual(['receipt']);
    const { status } = await holds.as('bob').get((await made.getAttribute('href')) ?? '');
    expect(status).toBe(200);
  });

  test('a conversation says what an open question asks in the question alone', async () => {
    await bob.open('/chat/chatty');
    await say(bob, 'chatty', 'ask What is your limit? => say noted; complete');
    await bob.page.locator('.chat-question .hold').waitFor();
    const above = bob.page.locator('.chat-items > .from-assistant');
    await eventually(async () => expect(await above.filter({ hasText: 'What is your limit?' }).count()).toBe(0));
    await bob.page.getByLabel('Your reply to chatty').fill('Ten.');
    await bob.page.getByRole('button', { name: 'Reply' }).click();
    await above.filter({ hasText: 'noted' }).waitFor();
    expect(await above.filter({ hasText: 'What is your limit?' }).count()).toBe(1);
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

  test('a conversation that breaks off says so, and is followed again', async () => {
    await bob.open('/chat/chatty');
    await say(bob, 'chatty', 'say before; gate slow; say after the crash; complete');
    await bob.page.getByText('before', { exact: true }).waitFor();
    await holds.fake.atGate('slow');
    await holds.kill();
    await bob.page.getByText('The connection broke off. The run goes on at the server.').waitFor();
    await holds.startAgain();
    await holds.fake.openGate('slow');
    await bob.page.getByRole('button', { name: 'Follow it again' }).click();
    await bob.page.getByText('after the crash', { exact: true }).waitFor();
  });
});

describe.each([
  ['light', 1280],
  ['dark', 360],
] as const)('a page in %s, %d px wide:', (scheme, width) => {
  test('a chat with its question has no violation', async () => {
    const reader = await holds.open('bob', { scheme, width, height: width === 360 ? 740 : 860 });
    await reader.open('/chat/chatty');
    expect(await axeViolations(reader.page)).toEqual([]);
    await say(reader, 'chatty', 'stream 30; form => complete');
    await reader.page.locator('.chat-question .decide').waitFor();
    await reader.page.getByLabel('green').waitFor();
    expect(await axeViolations(reader.page)).toEqual([]);
    expect(await overflowPx(reader.page)).toBeLessThanOrEqual(0);
    expect(await reader.page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });
});
