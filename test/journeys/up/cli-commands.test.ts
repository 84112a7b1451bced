// What operators do from a terminal, with the program itself against a running Standfast.
import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { ended, holdsOf, longMs, openHold, readHold, readTask, tasksOf, waitForTask } from '../setting.ts';
import { form, script, startTerminal, thanks } from './cli-setting.ts';

const { up, startAgain, as, fake, configText, standfast, outputOf, json, ask } = startTerminal();

/** Rows of a table by the names at its head. */
function rowsOf(output: string): Record<string, string>[] {
  const [head = '', ...lines] = output.trimEnd().split('\n');
  const columns = [...head.matchAll(/\S+/g)].map((match) => ({ name: match[0], at: match.index }));
  return lines.map((line) =>
    Object.fromEntries(
      columns.map(({ name, at }, index) => [name, line.slice(at, columns[index + 1]?.at ?? undefined).trim()]),
    ),
  );
}

describe('lists', () => {
  test('lists show questions and tasks as tables, one line each, or as JSON', async () => {
    const hold = await ask('listed');
    const [row] = rowsOf(await outputOf('finn', 'holds', '--agent', 'fake'));
    expect(row).toMatchObject({
      ID: hold.id.slice(0, 8),
      ABOUT: expect.stringContaining('Pick a colour [31m'),
      AGENT: 'fake',
      REQUESTER: 'olga',
      ASKED: 'role:finance',
      NEXT: expect.stringMatching(/^remind in (29|30) min$/),
      EXPIRES: 'in 1.9 h',
    });
    expect(await json('finn', 'holds')).toMatchObject([{ id: hold.id, title: form.title }]);
    const tasks = rowsOf(await outputOf('ops', 'tasks', '--status', 'needs_review'));
    expect(tasks).toMatchObject([
      { ID: hold.taskId.slice(0, 8), STATUS: 'Waiting for people', AGENT: 'fake', REQUESTER: 'olga' },
    ]);
    expect(await outputOf('ops', 'tasks', '--status', 'failed')).toBe('(none)\n');
    expect(await json('ops', 'tasks', '--status', 'failed')).toEqual([]);
  });
});

describe('one question', () => {
  test('one question is shown whole by its id or interrupt id, its task too', async () => {
    const hold = await ask('shown');
    for (const id of [hold.id, hold.id.slice(0, 8), hold.interruptId]) {
      const words = await outputOf('finn', 'show', id);
      for (const part of [
        hold.id,
        hold.interruptId,
        'Which one?',
        'role:finance',
        'colour ("green" | "red", needed): Colour',
        'then fail',
        'remind at',
      ]) {
        expect([part, words.includes(part)]).toEqual([part, true]);
      }
    }
    const task = await outputOf('ops', 'show', hold.taskId);
    expect(task).toMatch(new RegExp(`^task: +${hold.taskId}\nstatus: +Waiting for people\n`));
    expect(await json('ops', 'show', hold.taskId)).toMatchObject({ id: hold.taskId, threadId: 'shown' });
  });

  test('one question is claimed, released, given to others and decided, and each shows its state', async () => {
    const hold = await ask('life');
    expect(await outputOf('finn', 'claim', hold.id)).toContain('claimed:      finn since ');
    expect(
      rowsOf(await outputOf('fay', 'holds', '--agent', 'fake')).find(({ ID }) => ID === hold.id.slice(0, 8)),
    ).toMatchObject({
      CLAIMED: 'finn',
    });
    expect(await outputOf('finn', 'release', hold.id)).not.toContain('claimed:');
    expect(await outputOf('ops', 'reassign', hold.id, 'user:fay', '--note', 'she knows')).toContain(
      'asked:        user:fay',
    );
    const refused = await standfast('finn', 'decide', hold.id, '--values', '{"colour":"green"}');
    expect([refused.code, refused.output]).toEqual([3, expect.stringContaining('not_found')]);
    const decided = await outputOf('fay', 'decide', hold.id, '--values', '{"colour":"green"}');
    expect(decided).toMatch(/^Answered: .*Pick a colour/);
    await waitForTask(as('olga'), hold.taskId, 'DONE');
    expect(await outputOf('fay', 'show', hold.id)).toContain('decision:     answered by fay at ');
  });

  test('one question is declined with a reason, and its task is canceled with it', async () => {
    const hold = await ask('declined');
    expect(await outputOf('finn', 'decide', hold.id, '--reject', '--reason', 'not now')).toMatch(
      /^Declined: .*Pick a colour/,
    );
    await waitForTask(as('olga'), hold.taskId, 'CANCELED');
    expect((await readHold(as('olga'), hold.id)).decision).toMatchObject({ status: 'cancelled', reason: 'not now' });
  });

  test('one question that needs two says how many agree, and a vote is taken back', async () => {
    const hold = await ask('votes', 'pair');
    const decide = ['decide', hold.id, '--values', '{"colour":"green"}'];
    expect(await outputOf('finn', ...decide)).toContain('Your answer counts, 1 of 2');
    expect(await outputOf('finn', 'withdraw', hold.id)).toContain('votes:        0 of 2');
    await outputOf('finn', ...decide);
    expect(await outputOf('fay', ...decide)).toMatch(/^Answered: /);
  });

  // Promise TE7
  test('one question refuses what does not fit with an exit code by its cause, and names the field', async () => {
    const hold = await ask('wrong');
    const wrong = await standfast('finn', 'decide', hold.id, '--values', '{"colour":"blue"}');
    expect(wrong.code).toBe(6);
    expect(wrong.output).toMatch(/422 payload_invalid: .*\n {2}\/colour: /);
    const notJson = await standfast('finn', 'decide', hold.id, '--values', 'green');
    expect([notJson.code, notJson.output]).toEqual([2, expect.stringContaining('--values is not JSON')]);
    const unknown = await standfast('finn', 'show', 'nothing');
    expect([unknown.code, unknown.output]).toEqual([3, expect.stringContaining('404 not_found')]);
  });
});

describe('a task', () => {
  test('a task is talked to: before a decision, and after its end as the next task', async () => {
    const hold = await ask('talk', 'fake', script([form], [form], thanks));
    expect(await outputOf('finn', 'message', hold.taskId, 'which shade?')).toBe(
      `Asked the agent; the question waits for its reply (task ${hold.taskId})\n`,
    );
    const again = await openHoldOtherThan(hold);
    await outputOf('finn', 'decide', again.id, '--values', '{"colour":"red"}');
    await waitForTask(as('olga'), hold.taskId, 'DONE');
    const followUp = await json<{ as: string; taskId: string }>('olga', 'message', hold.taskId, 'echo; complete');
    expect(followUp.as).toBe('follow-up');
    expect((await waitForTask(as('olga'), followUp.taskId, 'DONE')).threadId).toBe('talk');
  });

  test('a task is canceled, and one that failed is tried again by operators alone', async () => {
    const { taskId } = await ask('canceled');
    expect(await outputOf('ops', 'cancel', taskId)).toMatch(new RegExp(`^task: +${taskId}\n`));
    await waitForTask(as('olga'), taskId, 'CANCELED');
    ended(await as('olga').run('fake', { threadId: 'broken', text: 'fail no luck' }, longMs), 'error:agent_failed');
    const [failed] = await tasksOf(as('olga'), 'fake', 'broken');
    const id = failed?.id ?? '';
    const forbidden = await standfast('olga', 'restart', id);
    expect([forbidden.code, forbidden.output]).toEqual([4, expect.stringContaining('403 forbidden')]);
    const restarted = await json<{ id: string; restartOf: string }>('ops', 'restart', id);
    expect(restarted.restartOf).toBe(id);
    expect(await outputOf('ops', 'show', id)).toContain(`restarted as: ${restarted.id}`);
    expect((await waitForTask(as('olga'), restarted.id, 'FAILED')).error?.code).toBe('agent_failed');
  });
});

async function openHoldOtherThan(old: HoldView): Promise<HoldView> {
  const { task } = { task: await waitForTask(as('olga'), old.taskId, 'NEEDS_REVIEW') };
  const hold = await openHold(as('olga'), 'fake', task.threadId);
  return hold.id === old.id ? openHoldOtherThan(old) : hold;
}

describe('the overview', () => {
  test('the overview shows how many questions and how fast, by policy and agent, to operators', async () => {
    const words = await outputOf('ops', 'overview', '--days', '7');
    expect(words).toMatch(/^open \d+, overdue 0, unclaimed \d+, expiring within an hour 0\n/);
    const byPolicy = rowsOf(words.split('\n\n')[1]?.split('\n').slice(1).join('\n') ?? '');
    expect(byPolicy.find(({ POLICY }) => POLICY === 'finance')).toMatchObject({
      EXPIRED: '0',
      P50: expect.stringMatching(/s$/),
    });
    const refused = await standfast('finn', 'overview');
    expect([refused.code, refused.output]).toEqual([4, expect.stringContaining('403 forbidden')]);
  });
});

describe('a task whose agent is taken out of the configuration', () => {
  const operatorQuestions = async (): Promise<number> => {
    const { body } = await as('ops').get('/metrics');
    return Number(/^standfast_holds\{metric="operator"\} (\d+)$/m.exec(String(body))?.[1]);
  };
  const unknownOf = (previous?: HoldView): Promise<HoldView> =>
    waitFor(
      async () => {
        const holds = await holdsOf(as('ops'), 'pair', 'left-alone');
        return holds.find(({ kind, status, id }) => kind === 'operator' && status === 'open' && id !== previous?.id);
      },
      longMs,
      'the operators to be asked',
    );
  const tryAgain = '{"choice":"try_again"}';

  // Promise B9d
  test('a task whose agent is taken out of the configuration is an operator’s question in the metrics until the agent is back, and its answer then reaches the agent once', async () => {
    const hold = await ask('left-alone', 'pair');
    await up.stop();
    await startAgain({ configText: configText().replace(/^ {2}pair: .*url.*$/m, '') });
    const before = await operatorQuestions();
    await outputOf('finn', 'decide', hold.id, '--values', '{"colour":"green"}');
    await outputOf('fay', 'decide', hold.id, '--values', '{"colour":"green"}');
    const unknown = await unknownOf();
    expect(unknown.title).toBe('pair is not in the configuration any more');
    expect(await operatorQuestions()).toBe(before + 1);
    // Too early: the agent is not back, and operators are asked once more.
    await outputOf('ops', 'decide', unknown.id, '--values', tryAgain);
    const again = await unknownOf(unknown);
    await up.stop();
    await startAgain();
    await outputOf('ops', 'decide', again.id, '--values', tryAgain);
    await waitForTask(as('ops'), hold.taskId, 'DONE');
    const { a2aTaskId } = await readTask(as('ops'), hold.taskId);
    const messages = (await fake().messages()).filter(({ taskId }) => taskId === a2aTaskId);
    expect(messages).toHaveLength(1);
    await waitFor(async () => (await operatorQuestions()) === before, longMs, 'no question to operators');
  });
});
