// What lists and `show` print beyond their lines: chosen members, all columns, pages, colours, ids; against the api.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openOnWeb } from '../../src/cli/operate/command-parts.ts';
import type { Terminal } from '../../src/cli/operate/terminal.ts';
import { paintDiff } from '../../src/cli/operate/text-lines.ts';
import { editedArgsField } from '../../src/contract/holds/answer-names.ts';
import { aHold, aQuestion, aTask, freshThread, keys } from '../api/rig.ts';
import { describeApi } from '../api/describe-api.ts';
import { runInProcess, type CommandRun } from '../rigs/product/command.ts';

const call = '91b70a07-1111-4000-8000-000000000001';
const lunch = 'c0ffee00-1111-4000-8000-000000000002';
const args = {
  amount: 4210,
  lines: [{ sku: 'A-1', n: 2 }],
  patch: 'diff --git a/x b/x\n@@ -1 +1 @@\n-old\n+new\n same',
};
let url = '';
const rig = describeApi({ withKeys: true });
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  const put = async (holdId: string, question: Parameters<typeof aQuestion>[0]): Promise<void> => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const expiresAt = '2099-01-02T00:00:00.000Z';
    await aHold(rig.store, task, { holdId, audience: ['role:finance'], question: aQuestion(question), expiresAt });
  };
  await put(call, {
    title: 'Refund 4,210 EUR?',
    message: 'Refund 4,210 EUR?',
    kind: 'tool_call',
    tool: { callId: 'c', name: 'refund', args, isEditable: true },
    schema: { type: 'object', properties: { approve: { type: 'boolean' }, [editedArgsField]: { type: 'object' } } },
    defaults: { [editedArgsField]: args },
  });
  await put(lunch, { title: 'Lunch, 84.50 EUR?' });
});

const run = (words: string[], more: { columns?: number; env?: NodeJS.ProcessEnv } = {}): Promise<CommandRun> =>
  runInProcess([...words, '--url', url, '--api-key', keys.fin], more);

describe('--json with names', () => {
  // Promise TE19
  test('--json with names prints these members alone, of one thing and of each of a list', async () => {
    const one = await run(['show', call, '--json', 'headline,tool.name,decision.by']);
    expect(JSON.parse(one.out)).toEqual({ headline: 'Refund 4,210 EUR?', 'tool.name': 'refund', 'decision.by': null });
    const list = await run(['holds', '--q', 'lunch', '--json', 'id']);
    expect(JSON.parse(list.out)).toEqual([{ id: lunch }]);
  });

  test('--json with a name that is none says which there are, and prints nothing else', async () => {
    const { code, out, err } = await run(['show', call, '--json', 'headlines']);
    expect([code, out]).toEqual([2, '']);
    expect(JSON.parse(err).detail ?? err).toMatch(/nothing is called headlines; there are .*headline/);
  });

  test('--json in front of an id is not taken for the name of a member', async () => {
    expect(JSON.parse((await run(['show', '--json', '91b70a07'])).out)).toMatchObject({ id: call });
  });
});

describe('a list at a terminal', () => {
  // Promise TE20
  test('a list at a terminal has all columns, whole lines and full ids where they are wanted', async () => {
    const { out } = await run(['holds', '-o', 'wide'], { columns: 60 });
    const [head = '', ...rows] = out.trimEnd().split('\n');
    expect(head).toMatch(/^ID .*KIND +POLICY +TASK +OPENED +DUE/);
    expect(new Set(rows.map((row) => row.split(' ')[0]))).toEqual(new Set([call, lunch]));
    const tasks = ['tasks', '-o', 'wide', '--url', url, '--api-key', keys.anna];
    expect((await runInProcess(tasks, { columns: 60 })).out).toMatch(/^ID .*WORKFLOW/);
  });

  test('a list at a terminal that is to be followed refuses what events do not say', async () => {
    expect(await run(['holds', '-w', '--policy', 'finance'])).toMatchObject({
      code: 2,
      err: 'standfast: -w follows with --for-me and --agent alone, not with policy\n',
    });
  });

  test('a list at a terminal leads to its page, and says where it opens none', async () => {
    const { out, err } = await run(['holds', '--for-me', '--q', 'lunch', '--web']);
    expect(out).toBe(`${url}/?view=forMe&q=lunch\n`);
    expect(err).toMatch(/^not opened \(.+\):\n$/);
    expect((await run(['show', '91b70a07', '--web'])).out).toBe(`${url}/holds/${call}\n`);
  });
});

test('a page is opened on a desktop alone, and its address is printed in any case', async () => {
  const printed: string[] = [];
  const terminal = {
    write: (text: string) => void printed.push(text),
    warn: (text: string) => void printed.push(text),
  };
  const desk = { env: { SSH_TTY: '/dev/pts/1' }, platform: 'linux' as const, isTTY: true };
  await openOnWeb(terminal as unknown as Terminal, 'http://127.0.0.1:1/x', desk);
  expect(printed).toEqual(['not opened (over SSH):\n', 'http://127.0.0.1:1/x\n']);
});

describe('a question that is shown', () => {
  // Promise TE21
  test('a question that is shown says nothing twice: neither its title as its message, nor its arguments as a proposal', async () => {
    const { out } = await run(['show', '91b70a07']);
    expect(out.match(/Refund 4,210 EUR\?/g)).toHaveLength(1);
    expect(out.match(/A-1/g)).toHaveLength(1);
    expect(out).toContain('[the arguments above]');
  });

  test('a question that is shown has a line for each argument, by the way to it', async () => {
    expect((await run(['show', '91b70a07'])).out).toMatch(
      /^arguments: +amount: 4210\n +lines\[1\] › sku: A-1\n +lines\[1\] › n: 2\n +patch:\n/m,
    );
  });

  // Promise TE10
  test('a question that is shown has its status and its diffs in colours, for terminals alone', async () => {
    const coloured = (await run(['show', '91b70a07'], { columns: 100, env: { NO_COLOR: '' } })).out;
    for (const [code, text] of [
      [32, 'open'],
      [31, '-old'],
      [32, '+new'],
      [36, '@@ -1 +1 @@'],
    ])
      expect(coloured).toContain(`\u001b[${code}m${text}\u001b[39m`);
    expect((await run(['show', '91b70a07'])).out).not.toContain('\u001b');
  });
});

test('a text that is no diff is not coloured, whatever its lines begin with', () => {
  const paint = (style: string, text: string): string => `${style}(${text})`;
  expect(paintDiff(['- a list', '+ of words'], paint)).toEqual(['- a list', '+ of words']);
  expect(paintDiff(['@@ -1 +1 @@', '-a', 'Then words.', '- b'], paint)).toEqual([
    'cyan(@@ -1 +1 @@)',
    'red(-a)',
    'Then words.',
    '- b',
  ]);
});

describe('completion of ids', () => {
  // Promise TE13
  test('completion of ids has those of open questions, with what they are about, and of tasks for what acts on tasks', async () => {
    const { out } = await run(['complete-ids', 'decide']);
    expect(out.trimEnd().split('\n').toSorted()).toEqual([
      '91b70a07\tRefund 4,210 EUR?',
      'c0ffee00\tLunch, 84.50 EUR?',
    ]);
    expect((await run(['complete-ids', 'cancel'])).out).not.toContain('91b70a07');
  });

  test('completion of ids in bash asks the command, and offers no file in their place', async () => {
    const { out } = await runInProcess(['completion', 'bash']);
    const script = `${out}\nstandfast() { [ "$1 $2" = 'complete-ids decide' ] && printf '91b70a07\\tRefund\\nc0ffee00\\tLunch\\n'; }
COMP_WORDS=('standfast' 'decide' '91'); COMP_CWORD=2; _standfast; echo "\${COMPREPLY[@]}"`;
    expect((await promisify(execFile)('bash', ['-c', script])).stdout.trim()).toBe('91b70a07');
  });

  test('the command behind completion is in no help, and is completed by none', async () => {
    expect((await runInProcess(['--help'])).out).not.toContain('complete-ids');
    expect((await runInProcess(['completion', 'fish'])).out).not.toContain('-a complete-ids ');
  });
});
