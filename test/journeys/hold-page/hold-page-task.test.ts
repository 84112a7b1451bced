// A task's page for who waits for it and for operators, and the question only operators are asked.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createA2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { axeViolations, overflowPx, type Reader } from '../../rigs/pages/browser.ts';
import { armedIn, openPage, standing, startHolds, trip, yesNo } from './hold-page-setting.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { longMs, openHold, tasksOf, waitForTask } from '../setting.ts';

const holds = startHolds();
let bob: Reader;
let ops: Reader;

beforeAll(async () => {
  bob = await holds.open('bob');
  ops = await holds.open('ops');
});

async function openTask(reader: Reader, id: string): Promise<void> {
  await reader.open(`/tasks/${id}`);
  await reader.page.locator('.timeline li').first().waitFor();
}
const textOf = (reader: Reader): Promise<string> => reader.page.locator('.task').innerText();

describe('the page of a task', () => {
  test('the page of a task shows its state, whom it waits for and since when, and follows without a press', async () => {
    const hold = await holds.ask(trip('Which trip now?'));
    await openTask(bob, hold.taskId);
    await bob.page.locator('.stations [aria-current="step"]', { hasText: 'Waiting for people' }).waitFor();
    await eventually(async () =>
      expect(await bob.page.locator('.task-waiting').innerText()).toMatch(/Waiting for finance, since \d+ min/),
    );
    await eventually(async () =>
      expect(await textOf(bob)).toContain('It does not decide; decisions wait for its answer.'),
    );
    expect(await bob.page.getByRole('link', { name: 'Temporal' }).count()).toBe(0);
    const values = { days: 2, class: 'eco' };
    await holds.as('ana').post(`/api/holds/${hold.id}/decision`, { status: 'resolved', values });
    await bob.page.locator('.stations [aria-current="step"]', { hasText: 'Done' }).waitFor();
    await bob.page.locator('.timeline', { hasText: 'Answered: Which trip now? by Ana' }).waitFor();
    expect(bob.complaints).toEqual([]);
  });

  test('the page of a task tells two questions about one tool apart by what they are about', async () => {
    const call = (id: string, customer: string): object => ({
      data: {
        id,
        name: 'adk_request_confirmation',
        args: {
          originalFunctionCall: { id: `o-${id}`, name: 'refund', args: { customer, amount: 12 } },
          toolConfirmation: { hint: '', confirmed: false },
        },
      },
      metadata: { adk_type: 'function_call', adk_is_long_running: true },
    });
    const hold = await holds.ask({ parts: [call('adk-1', 'Ada'), call('adk-2', 'Bo')] });
    await openTask(bob, hold.taskId);
    const links = bob.page.locator('.task-waiting a');
    await eventually(async () => expect(await links.count()).toBe(2));
    expect((await links.allInnerTexts()).map((text) => /Ada|Bo/.exec(text)?.[0])).toEqual(['Ada', 'Bo']);
  });

  // Promise D17
  test('the page of a task names a tool that ran without the decision it needs', async () => {
    const call = { data: { type: 'tool-call', id: 'c-1', name: 'wipe', arguments: {} } };
    const result = { data: { type: 'tool-result', toolCallId: 'c-1', payload: 'gone' } };
    const hold = await holds.ask({ parts: [call, result, { text: 'What next?' }] });
    await openTask(ops, hold.taskId);
    await ops.page.getByText('“wipe” ran without a decision, though it has to be asked about.').waitFor();
    expect(ops.complaints).toEqual([]);
  });

  test('a task on its page is cancelled by its owner in two presses, and the end is true', async () => {
    const hold = await holds.ask(yesNo('Cancelled soon?'));
    await openTask(bob, hold.taskId);
    await bob.page.getByRole('button', { name: 'Cancel task' }).click();
    await armedIn(bob);
    await bob.page.getByRole('button', { name: 'Confirm: cancel this task' }).click();
    await waitForTask(holds.as('bob'), hold.taskId, 'CANCELED');
    await bob.page.locator('.stations [aria-current="step"]', { hasText: 'Cancelled' }).waitFor();
    expect(await bob.page.getByRole('button', { name: 'Restart' }).count()).toBe(0);
  });

  test('the page of a task takes a word while the agent works, and starts a follow-up after the end', async () => {
    const threadId = 'words-1';
    const client = holds.as('bob');
    const run = client.run('chatty', { threadId, runId: 'words-run', text: 'gate work; say worked; complete' });
    await holds.fake.atGate('work');
    const [task] = await tasksOf(client, 'chatty', threadId);
    await openTask(bob, task?.id ?? '');
    await bob.page.getByText('The agent gets your message now, while it works.').waitFor();
    await holds.fake.openGate('work');
    await run;
    await waitForTask(client, task?.id ?? '', 'DONE');
    await bob.page.getByText('your message starts a follow-up task').waitFor();
    await bob.page.getByLabel('Message to chatty').fill('say and one more; complete');
    await bob.page.getByRole('button', { name: 'Start a follow-up task' }).click();
    await bob.page.locator('.message-box .ok', { hasText: 'A follow-up task has begun.' }).waitFor();
    await bob.page.getByRole('link', { name: 'Open it' }).click();
    await bob.page.getByText('and one more', { exact: true }).waitFor();
    await eventually(async () => expect(bob.page.url()).not.toContain(task?.id ?? ''));
    expect(bob.complaints).toEqual([]);
  });

  test('the page of a task has what was sent to the agent elsewhere, and marks when it shows only what is kept here', async () => {
    const caller = await createA2aCaller(holds.fake.url);
    const { taskId: a2aTaskId } = await caller.send('ask Which city? => ask Which hotel? => complete');
    await caller.send('Rome', { taskId: a2aTaskId });
    const client = holds.as('bob');
    const forwardedProps = { a2a: { taskId: a2aTaskId, subscribeOnly: true } };
    await client.run('chatty', { threadId: 'elsewhere-1', runId: 'elsewhere-run', forwardedProps });
    const hold = await openHold(client, 'chatty', 'elsewhere-1');
    await openTask(bob, hold.taskId);
    const messages = bob.page.locator('.talk li');
    await messages.filter({ hasText: 'Rome' }).getByText('Somebody elsewhere').waitFor();
    const lastLines = async (): Promise<unknown[]> =>
      (await messages.allInnerTexts()).map((text) => text.split('\n').at(-1));
    const begun = ['ask Which city? => ask Which hotel? => complete', 'Which city?', 'Rome', 'Which hotel?', 'Decide'];
    await eventually(async () => expect(await lastLines()).toEqual(begun));
    // The question itself is where it was asked.
    await messages.last().getByRole('heading', { name: 'Which hotel?' }).waitFor();
    await messages.last().getByText('Waiting for you').waitFor();
    expect(await textOf(bob)).not.toContain('As Standfast kept it.');
    expect(await axeViolations(bob.page)).toEqual([]);
    await holds.fake.arm({ do: 'hang', on: 'GetTask', times: 1000 });
    // The last read at the agent is shared for a while.
    const isStored = async (): Promise<boolean> =>
      JSON.stringify((await client.get(`/api/tasks/${hold.taskId}/chat`)).body).includes('"source":"stored"');
    await waitFor(isStored, longMs, 'the kept conversation');
    await openTask(bob, hold.taskId);
    await bob.page.getByText('As Standfast kept it.').waitFor();
    await eventually(async () => expect(await messages.filter({ hasText: 'Rome' }).count()).toBe(0));
    await holds.fake.disarm();
    expect(bob.complaints).toEqual([]);
  });

  // Promise Q47, Q79
  test('the page of a task tells who handed a question to whom, with the note, and so does the question', async () => {
    const hold = await holds.ask(trip('Which trip for Cem?'));
    const ana = await holds.open('ana');
    await openPage(ana, hold);
    await ana.page.getByRole('button', { name: 'Reassign', exact: true }).click();
    const form = ana.page.getByRole('group', { name: 'Reassign' });
    await form.getByLabel('Ask instead').fill('user:cem');
    await form.getByLabel('Note (optional)').fill('I am on leave <b>now</b>');
    await form.getByRole('button', { name: 'Reassign' }).click();
    await openTask(bob, hold.taskId);
    const entry = bob.page.locator('.timeline li', { hasText: 'Reassigned: Which trip for Cem?' });
    await eventually(async () =>
      expect(await entry.innerText()).toMatch(/to cem by ana: “I am on leave <b>now<\/b>”/i),
    );
    const cem = await holds.open('cem');
    await openPage(cem, hold);
    await cem.page.getByRole('button', { name: 'Ladder' }).click();
    const rung = cem.page.locator('.ladder li', { hasText: 'reassigned' });
    await eventually(async () =>
      expect(await rung.innerText()).toMatch(/reassigned to cem by ana: “I am on leave <b>now<\/b>”/i),
    );
    expect(await axeViolations(cem.page)).toEqual([]);
    await ana.page.getByText('You passed it on: cem may decide now').waitFor();
    await ana.page.getByRole('button', { name: 'Undo' }).click();
    await ana.page.getByRole('button', { name: 'Reassign', exact: true }).waitFor();
    await openTask(bob, hold.taskId);
    await bob.page.locator('.timeline li', { hasText: 'Reassignment taken back: Which trip for Cem?' }).waitFor();
    expect([...ana.complaints, ...bob.complaints, ...cem.complaints]).toEqual([]);
    await ana.close();
    await cem.close();
  });

  test('the page of a task that failed is restarted by operators, with links both ways and to Temporal', async () => {
    const client = holds.as('bob');
    await client.run('chatty', { threadId: 'fails-1', runId: 'fails-run', text: 'fail no paper' });
    const [task] = await tasksOf(client, 'chatty', 'fails-1');
    await openTask(ops, task?.id ?? '');
    await ops.page.getByText('chatty failed: “no paper”.').waitFor();
    expect(await ops.page.getByRole('link', { name: 'Temporal' }).getAttribute('href')).toContain('http');
    await ops.page.getByRole('button', { name: 'Restart' }).click();
    await armedIn(ops);
    await ops.page.getByRole('button', { name: 'Confirm: restart with the first message' }).click();
    await ops.page.getByRole('link', { name: 'Restart of an earlier task' }).waitFor();
    await ops.page.getByRole('link', { name: 'Restart of an earlier task' }).click();
    await ops.page.getByRole('link', { name: 'Restarted as a new task' }).waitFor();
    expect(ops.complaints).toEqual([]);
  });
});

describe('what only operators are asked', () => {
  test('what only operators are asked is whether a message is sent again, with what each choice risks; giving up takes two presses', async () => {
    await holds.fake.set({ hideHistory: true, noListTasks: true });
    await holds.fake.arm({ do: 'drop-response', match: 'in-doubt-mark' });
    await holds
      .as('bob')
      .run('chatty', { threadId: 'doubt-1', runId: 'doubt-run', text: 'say in-doubt-mark; complete' });
    const hold = await openHold(holds.as('ops'), 'chatty', 'doubt-1');
    const pane = await openPage(ops, hold);
    await eventually(async () =>
      expect(await pane.innerText()).toContain('We do not know whether chatty acted on our message'),
    );
    await eventually(async () => expect(await pane.locator('.decide').innerText()).toContain('May act twice.'));
    expect(await axeViolations(ops.page)).toEqual([]);
    for (const [scheme, width] of [
      ['dark', 1280],
      ['light', 360],
    ] as const) {
      const reader = await holds.open('ops', { scheme, width });
      await openPage(reader, hold);
      expect(await axeViolations(reader.page)).toEqual([]);
      expect(await overflowPx(reader.page)).toBeLessThanOrEqual(0);
      await reader.close();
    }
    await ops.page.getByRole('button', { name: 'Give up' }).click();
    await armedIn(ops);
    await ops.page.getByRole('button', { name: 'Confirm: give up, the task fails' }).click();
    await standing(ops, 'ended');
    await waitForTask(holds.as('ops'), hold.taskId, 'FAILED');
  });
});
