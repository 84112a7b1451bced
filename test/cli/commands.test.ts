// The commands against the api on a real database, each run as the program runs it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createPrinter } from '../../src/cli/operate/watch-command.ts';
import type { Terminal } from '../../src/cli/operate/terminal.ts';
import { carriedQuestions } from '../../src/core/consent/whole.ts';
import { sha256OfText } from '../../src/host/secrets/hash.ts';
import { aDecision, aHold, anEnd, aQuestion, aTask, freshThread, keys } from '../api/rig.ts';
import { describeApi } from '../api/describe-api.ts';
import { runInProcess, type CommandRun } from '../rigs/product/command.ts';
import { aHold as aShownHold } from '../rigs/pages/page-server.ts';

let url = '';
const first = '91b70a07-1111-4000-8000-000000000001';
const twin = '91b70a07-2222-4000-8000-000000000002';
const lone = 'c0ffee00-1111-4000-8000-000000000003';
const closed = 'dec1ded0-1111-4000-8000-000000000004';
const schema = { type: 'object', properties: { amount: { type: 'number' }, approve: { type: 'boolean' } } };

const rig = describeApi({ withKeys: true, config: { users: { anna: { name: 'Anna Arnold' } } } });
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  const put = async (holdId: string, title: string, change: Parameters<typeof aHold>[2] = {}): Promise<void> => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    await aHold(rig.store, task, {
      holdId,
      audience: ['role:finance'],
      question: aQuestion({ title, schema, defaults: { amount: 84.5 } }),
      ...change,
    });
  };
  await put(first, 'Refund 4,210 EUR to Miller Ltd', { expiresAt: '2099-01-02T00:00:00.000Z' });
  await put(twin, 'Refund 12 EUR to Ana', { expiresAt: '2099-01-01T00:00:00.000Z' });
  await put(lone, 'Train to Hamburg', { audience: ['user:ben'] });
  await put(closed, 'Lunch');
  await rig.store.holds.close(closed, anEnd('decided', aDecision({ values: { amount: 80, approve: true } }), 'p'));
});

async function run(
  args: string[],
  options: { who?: keyof typeof keys; columns?: number; typed?: string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<CommandRun> {
  const { who = 'fin', typed: answers, ...more } = options;
  const typed = async (question: string): Promise<string> => {
    const next = answers?.shift();
    if (next === undefined) throw new Error(`nobody answers: ${question}`);
    return next;
  };
  const isRemote = !['--help', 'completion'].some((word) => args.includes(word));
  const command = [...args, ...(isRemote ? ['--url', url, '--api-key', keys[who]] : [])];
  return runInProcess(command, answers === undefined ? more : { ...more, typed });
}

describe('the list of questions at a terminal', () => {
  // Promise TE1
  test('the list of questions at a terminal says what each is about, whose it is and of which agent by their names, the earliest deadline first', async () => {
    const { out } = await run(['holds']);
    const [head, ...rows] = out.trimEnd().split('\n');
    expect(head).toMatch(/^ID +ABOUT +AGENT +REQUESTER +ASKED +EXPIRES$/);
    expect(rows.map((row) => row.split(/ {2,}/).slice(1, 4))).toEqual([
      ['Refund 12 EUR to Ana', 'Expenses', 'Anna Arnold'],
      ['Refund 4,210 EUR to Miller Ltd', 'Expenses', 'Anna Arnold'],
    ]);
  });

  // Promise TE2
  test('the list of questions at a terminal has ids of eight characters, longer where two of them look alike', async () => {
    expect((await run(['holds'])).out).toMatch(/^91b70a07-2222 {2}[^]+\n91b70a07-1111 {2}/m);
    const { out } = await run(['holds', '--q', 'hamburg'], { who: 'ben' });
    expect(out).toMatch(/^c0ffee00 {2}Train to Hamburg/m);
  });

  // Promise TE1
  test('the list of questions at a terminal fits the terminal, and is filtered as the page is', async () => {
    const { out } = await run(['holds'], { columns: 60 });
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(JSON.parse((await run(['holds', '--for-me', '--json'])).out)).toHaveLength(2);
    expect(JSON.parse((await run(['holds', '--view', 'decided', '--json'])).out)).toMatchObject([{ id: closed }]);
    expect((await run(['holds', '--q', 'miller'])).out).not.toContain('Ana ');
    expect((await run(['holds', '--limit', '1'])).out).toContain('(there are more: narrow the list, or raise --limit)');
  });

  // Promise TE10
  test('the list of questions at a terminal is coloured on a terminal alone, and never against NO_COLOR', async () => {
    const escape = '\u001b[';
    expect((await run(['holds'], { columns: 100, env: { NO_COLOR: '' } })).out).toContain(escape);
    expect((await run(['holds'], { env: { NO_COLOR: '' } })).out).not.toContain(escape);
    expect((await run(['holds'], { columns: 100 })).out).not.toContain(escape);
  });
});

describe('a question at a terminal is', () => {
  // Promise TE2
  test('a question at a terminal is found by the beginning of its id, unless it begins another one’s too', async () => {
    expect((await run(['show', 'c0ffee00'], { who: 'ben' })).out).toContain(`question:     ${lone}`);
    expect(await run(['show', '91b70a07'])).toMatchObject({
      code: 2,
      err: `standfast: 91b70a07 begins the id of more than one question: ${twin}, ${first}\n`,
    });
    // It belongs to others: what one may not see is not there.
    expect(await run(['show', 'c0ffee00'])).toMatchObject({
      code: 3,
      err: 'standfast: nothing that you may see has an id that begins with c0ffee00\n',
    });
  });

  // Promise TE3
  test('a question at a terminal is shown with agent, requester, policy and link, and once it is decided with what was decided', async () => {
    const { out } = await run(['show', 'dec1ded0']);
    for (const line of [
      /^agent: +Expenses \(expenses\)$/m,
      /^requester: +Anna Arnold \(anna\)$/m,
      /^policy: +default$/m,
      /^decision: +approved by .+ at 2026.+, by the HTTP interface$/m,
      /^values: +amount: 80\n +approve: true$/m,
      new RegExp(`^url: +${url}/holds/${closed}$`, 'm'),
    ]) {
      expect(out).toMatch(line);
    }
  });

  // Promise TE4
  test('approved, filled in and rejected by flags, and the answer is what the schema asks for', async () => {
    for (const args of [
      ['--approve', '--set', 'amount=80'],
      ['--set', 'approve=no'],
      ['--reject', '--reason', 'twice'],
    ]) {
      await run(['decide', first, ...args]);
    }
    const sent = rig.tasks.calls.filter(({ source }) => source === 'decide').slice(-3);
    expect(sent.map(({ args }) => args[1])).toMatchObject([
      { entry: { status: 'resolved', values: { amount: 80, approve: true }, digest: null } },
      { entry: { status: 'resolved', values: { amount: 84.5, approve: false } } },
      { entry: { status: 'cancelled', reason: 'twice' } },
    ]);
  });

  // Promise TE5
  test('a question at a terminal is asked field by field where no flag says how, and answered as it was shown', async () => {
    const { err } = await run(['decide', first], { columns: 80, typed: ['90', 'y', ''] });
    expect(err).toContain('Refund 4,210 EUR to Miller Ltd');
    const sent = rig.tasks.calls.filter(({ source }) => source === 'decide').at(-1);
    expect(sent?.args[1]).toMatchObject({
      entry: { values: { amount: 90, approve: true }, digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    });
  });
});

describe('a tool call decided at a terminal', () => {
  test('a tool call decided at a terminal says first what differs from the last approved one, and an amount that is unusual', async () => {
    const approved = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
    const call = async (args: Record<string, string | number>): Promise<string> => {
      const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
      const tool = { callId: 'c', name: 'refund', args, isEditable: false };
      const question = aQuestion({ kind: 'tool_call', title: 'Refund', schema: approved, tool });
      return (await aHold(rig.store, task, { audience: ['role:finance'], kind: 'tool_call', question })).holdId;
    };
    for (let n = 1; n <= 3; n += 1) {
      const decision = aDecision({ at: `2026-11-21T10:0${n}:00.000Z`, values: { approved: true } });
      await rig.store.holds.close(await call({ to: 'Olu', amount: 80 }), anEnd('decided', decision));
    }
    const { err } = await run(['decide', await call({ to: 'Olu', amount: 900 })], { typed: ['y', ''] });
    expect(err).toContain('record:       1 of 2 arguments not as last approved by fin, 2026-11-21 10:03:00 UTC');
    expect(err).toContain('amount: 900, was 80 (you approved that 3 ×)');
    expect(err).toContain('amount 900 is unusual: median 80, highest 80 of 3 granted');
    const { err: same } = await run(['decide', await call({ to: 'Olu', amount: 80 })], { typed: ['y', ''] });
    expect(same).toContain('exactly as last approved by fin');
  });
});

describe('a command that fails says why by its exit code', () => {
  test.each<[string, string[], number]>([
    ['a command that there is not', ['accept'], 2],
    ['two answers at once', ['decide', first, '--approve', '--reject'], 2],
    ['no answer where there is no prompt', ['decide', first], 2],
    ['a field that there is not', ['decide', first, '--set', 'price=1'], 2],
    ['an id that nothing has', ['show', 'nothing'], 3],
    ['a question for others', ['decide', lone, '--values', '{}'], 3],
    ['the overview for somebody who is not an operator', ['overview'], 4],
    ['a question that is decided', ['decide', closed, '--values', '{"amount":1}'], 5],
    ['a word that the server does not know', ['holds', '--kind', 'best'], 6],
    ['a word that is no choice of an option', ['holds', '--view', 'overdue'], 2],
    ['a workflow that does not answer', ['decide', first, '--approve'], 7],
  ])('a command that fails says why by its exit code: %s', async (_what, args, code) => {
    expect((await run(args)).code).toBe(code);
  });

  test('a server that is not there, too', async () => {
    expect((await runInProcess(['tasks', '--url', 'http://127.0.0.1:1'])).code).toBe(7);
  });

  // Promise TE7
  test('a command that fails says why by its exit code and as JSON with --json, usage too', async () => {
    const refused = await run(['holds', '--kind', 'best', '--json']);
    expect(JSON.parse(refused.err)).toMatchObject({ error: { code: 'input_invalid', status: 400, exitCode: 6 } });
    const unknown = await run(['holds', '--loud', '--json']);
    expect(JSON.parse(unknown.err)).toMatchObject({ error: { code: null, exitCode: 2 } });
  });
});

describe('help', () => {
  test('help has the commands in groups, with examples, the exit codes, and a hint for a word that is none', async () => {
    const { out } = await run(['--help']);
    expect(out).toMatch(
      /Run Standfast:[^]+Operate:[^]+Answer questions:|Run Standfast:[^]+Answer questions:[^]+Operate:/,
    );
    expect(out).toContain('$ standfast decide 91b70a07 --approve');
    expect(out).toContain('3 not found');
    const { err } = await run(['hold']);
    expect(err).toContain('Did you mean holds?');
    expect(err.split('\n').length).toBeLessThan(6);
  });

  // Promise TE8
  test.each([
    ['ls', 'holds or tasks'],
    ['list', 'holds or tasks'],
    ['ps', 'tasks'],
    ['start', 'up'],
  ])('help says what is called otherwise here: for %s, %s', async (typed, command) => {
    const { code, err } = await run([typed]);
    expect(code).toBe(2);
    expect(err).toContain(`(Did you mean ${command}?)`);
    expect(JSON.parse((await run([typed, '--json'])).err)).toMatchObject({
      error: { exitCode: 2, message: expect.stringContaining(`(Did you mean ${command}?)`) },
    });
  });
});

describe('completion', () => {
  // Promise TE13
  test('of bash offers commands, and the options of each', async () => {
    const { out } = await run(['completion', 'bash']);
    const complete = async (...words: string[]): Promise<string[]> => {
      const script = `${out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _standfast; echo "\${COMPREPLY[@]}"`;
      return (await promisify(execFile)('bash', ['-c', script])).stdout.trim().split(' ');
    };
    expect(await complete('standfast', 'de')).toEqual(['decide']);
    expect(await complete('standfast', 'decide', '--re')).toEqual(['--reject', '--reason']);
    expect(await complete('standfast', 'watch', '--b')).toEqual(['--bell']);
  });

  test.each(['zsh', 'fish'])(
    'completion of %s names every command and option, and no quote ends early',
    async (shell) => {
      const { out } = await run(['completion', shell]);
      for (const word of ['decide', 'holds', 'watch', 'completion', 'up', 'reassign']) expect(out).toContain(word);
      for (const line of out.split('\n')) expect((line.match(/'/g) ?? []).length % 2).toBe(0);
      expect(out).toContain(shell === 'fish' ? '-l approve' : '--approve[');
    },
  );
});

describe('watch', () => {
  const names = { agent: () => 'Expenses', person: (id: string) => id };
  function watching(
    options: { forMe?: boolean; agent?: string; new?: boolean; bell?: boolean },
    columns: number | null = null,
  ) {
    let [out, err] = ['', ''];
    const terminal: Terminal = {
      write: (text) => void (out += text),
      warn: (text) => void (err += text),
      columns,
      style: (_style, text) => text,
      ask: null,
    };
    const printer = createPrinter({ json: false, ...options }, terminal, names);
    const lines = (): string[] =>
      out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.slice(10));
    return { printer, lines, err: () => err };
  }
  const row = (n: number, change: Parameters<typeof aShownHold>[1] = {}) =>
    aShownHold(n, { expiresAt: null, dueAt: null, id: `0000000${n}-0000-4000-8000-000000000000`, ...change });

  // Promise TE12
  test('watch begins with how many are open, then prints what comes, once', () => {
    const { printer, lines, err } = watching({});
    printer.begin([row(1), row(2)]);
    printer.hold(row(2));
    printer.hold(row(3));
    expect(err()).toBe('2 open, then live (Ctrl+C ends)\n');
    expect(lines()).toEqual([
      '00000001  Expenses: Pay invoice 1? · for bob · open, no deadline',
      '00000002  Expenses: Pay invoice 2? · for bob · open, no deadline',
      '00000003  Expenses: Pay invoice 3? · for bob · open, no deadline',
    ]);
  });

  test('watch says since when a question that is kept open is overdue', () => {
    const { printer, lines } = watching({});
    printer.begin([row(1, { dueAt: '2026-01-02T03:04:00.000Z' })]);
    expect(lines()).toEqual([
      '00000001  Expenses: Pay invoice 1? · for bob · open, overdue since 2026-01-02 03:04 UTC',
    ]);
  });

  // Promise TE12
  test('watch leaves out what is not asked for, and rings for a new question that one may decide', () => {
    const { printer, lines, err } = watching({ forMe: true, new: true, bell: true });
    printer.begin([row(1), row(2, { mayDecide: false })]);
    expect(err()).not.toContain('\u0007');
    printer.hold(row(3, { mayDecide: false }));
    printer.hold(row(4));
    const end = { by: 'ana', at: '2026-03-02T09:00:00.000Z', why: 'approved' as const };
    // Decided: it is not theirs to decide any more, and its end is reported all the same.
    printer.hold(row(1, { status: 'decided', mayDecide: false, ended: end }));
    expect(lines().map((line) => line.slice(0, 8))).toEqual(['00000004', '00000001']);
    expect(err().match(/\u0007/g)).toHaveLength(1);
  });

  test('watch cuts its lines to the terminal', () => {
    const { printer, lines } = watching({}, 40);
    printer.begin([row(1)]);
    expect(lines()[0]?.length).toBeLessThanOrEqual(30);
  });
});

describe('a question that is too long to be carried', () => {
  const long = 'a0b1c2d3-1111-4000-8000-000000000009';
  beforeAll(async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const approve = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
    const whole = aQuestion({
      kind: 'confirmation',
      message: `Pay ${'these, '.repeat(5_000)}and the last`,
      schema: approve,
    });
    const carried = carriedQuestions([whole], sha256OfText);
    await rig.store.attachments.putContents(task.taskId, carried?.contents ?? []);
    await aHold(rig.store, task, {
      holdId: long,
      audience: ['role:finance'],
      question: carried?.questions[0] ?? whole,
    });
  });

  // Promise Y19a
  test('a question that is too long to be carried is shown whole at a terminal, and a yes by a flag names its digest', async () => {
    const shown = await run(['show', long]);
    expect(shown.out.replaceAll(/\s+/gu, ' ')).toContain('these, '.repeat(5_000).trim());
    const refused = await run(['decide', long, '--approve']);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('read it by "standfast show a0b1c2d3"');
    expect((await rig.store.holds.get(long))?.status).toBe('open');
  });
});
