// A conversation on the chat page as it goes on: several questions, a failure, a stop, what was made, a line that breaks off.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { axeViolations, overflowPx, type Reader } from '../../rigs/pages/browser.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { startHolds } from '../hold-page/hold-page-setting.ts';
import { longMs } from '../setting.ts';
import { composerWords, say } from './chat-page-setting.ts';

const holds = startHolds();
let bob: Reader;

beforeAll(async () => {
  bob = await holds.open('bob');
});

describe('a conversation', () => {
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
