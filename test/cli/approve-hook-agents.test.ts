// The hook for each coding agent, by its example and in the shapes of its documents, against the api on a real database.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { JsonObject } from '../../src/contract/base/json.ts';
import { callOf, outputOf } from '../../src/cli/answer/hook-formats.ts';
import type { HoldRow } from '../../src/store/store.ts';
import { runHook, type HookRun } from '../rigs/product/hook.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { fc, runs } from '../rigs/properties.ts';
import { aDecision, admittedAs, aHold, anEnd, aTask, keyConfig, keys } from '../api/rig.ts';
import { closeSent } from '../rigs/proofs.ts';
import { describeApi } from '../api/describe-api.ts';

let url = '';
const asked: HoldRow[] = [];
const policies = { finance: { audience: ['role:finance'] } };
const rig = describeApi({
  withKeys: true,
  config: { auth: { keys: keyConfig }, policies, ask: { policy: 'finance' } },
});
beforeAll(async () => {
  rig.tasks.open = async (start) => {
    const task = await aTask(rig.store, start.threadId, { owner: start.owner, agent: start.agent });
    const [question] = start.opening.kind === 'ask' ? start.opening.questions : [];
    if (question !== undefined) asked.push(await aHold(rig.store, task, { question, canRefuse: true }));
    return admittedAs(start.taskId, start.opening.runId, 'opened');
  };
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});

const HookSchema = z.object({ command: z.string() });
const ExampleSchema = z.object({
  hooks: z.record(z.string(), z.array(z.union([HookSchema, z.object({ hooks: z.array(HookSchema) })]))),
});

/** The flags that an example gives the command at an event. */
function flagsOf(file: string, event: string): string[] {
  const { hooks } = ExampleSchema.parse(JSON.parse(readFileSync(`examples/coding-agents/${file}`, 'utf8')));
  const [entry] = hooks[event] ?? [];
  const command = entry === undefined ? '' : 'command' in entry ? entry.command : (entry.hooks[0]?.command ?? '');
  const [, flags] = /^standfast approve-hook (.*) \|\| exit 2$/.exec(command) ?? [];
  expect([file, event, flags]).toEqual([file, event, expect.stringContaining('--wait')]);
  return (flags ?? '').split(' ');
}

const yes = (args: JsonObject) => aDecision({ by: 'fin', values: { approved: true, editedArgs: args } });
const no = aDecision({ by: 'fin', values: { approved: false, reason: 'not on Fridays' } });

/** Runs the hook of an example with a call, and ends its question; null: it is expired. */
async function answered(
  [file, event]: [file: string, event: string],
  call: object,
  decision: HoldRow['decision'],
): Promise<HookRun & { question: HoldRow['question'] }> {
  const before = asked.length;
  const run = runHook({ ...call, hook_event_name: event }, [
    ...flagsOf(file, event),
    '--url',
    url,
    '--api-key',
    keys.anna,
  ]);
  const hold = await waitFor(() => asked[before], 10_000, 'the question of the hook');
  await closeSent(rig.store, hold.holdId, anEnd(decision === null ? 'expired' : 'decided', decision));
  return { ...(await run), question: hold.question };
}

const claude = { session_id: 's1', cwd: '/home/anna', tool_name: 'Bash', tool_input: { command: 'ls', timeout: 5 } };
const gemini = { ...claude, tool_name: 'run_shell_command', timestamp: '2026-11-28T09:00:00Z', transcript_path: '/t' };
const cursor = { conversation_id: 'c1', generation_id: 'g1', workspace_roots: ['/home/anna'], cwd: '/home/anna' };
const edited = { command: 'ls -l', timeout: 5 };

describe('the hook of a coding agent', () => {
  test('the hook of a coding agent is configured in docs/agents.md as in the file that is tried here', () => {
    const file = readFileSync('examples/coding-agents/claude-code.json', 'utf8');
    expect(readFileSync('docs/agents.md', 'utf8')).toContain(`\`\`\`json\n${file}\`\`\``);
  });

  // Promise Y92b
  test('the hook of a coding agent gives Claude Code the arguments that people made of the call, which names no id', async () => {
    const at = ['claude-code.json', 'PermissionRequest'] as [string, string];
    const changed = await answered(at, claude, yes(edited));
    expect(changed.question.tool).toMatchObject({ name: 'Bash', args: claude.tool_input, isEditable: true });
    const decision = { behavior: 'allow', updatedInput: edited };
    expect(changed.out).toEqual({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
    // An equal call is asked about for itself: the answer before it was to another one.
    const again = await answered(at, claude, no);
    expect(again.out).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
    const same = await answered(at, claude, yes(claude.tool_input));
    expect(same.out).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'allow' } } });
    expect(JSON.stringify(same.out)).not.toContain('updatedInput');
  });

  // Promise Y92c
  test('the hook of a coding agent asks people what Claude Code asks its user, with its choices, and gives back what they chose', async () => {
    const questions = [
      {
        question: 'Which database?',
        header: 'Database',
        multiSelect: false,
        options: [
          { label: 'SQLite', description: 'one file' },
          { label: 'Postgres', description: 'a server' },
        ],
      },
      { question: 'Which regions?', header: 'Regions', multiSelect: true, options: [{ label: 'eu' }, { label: 'us' }] },
    ];
    const call = { ...claude, tool_name: 'AskUserQuestion', tool_input: { questions } };
    const at = ['claude-code.json', 'PermissionRequest'] as [string, string];
    const values = { q1: '2', q2: ['1', '2'], q2_other: 'asia' };
    const { out, question } = await answered(at, call, aDecision({ by: 'fin', values }));
    expect(question).toMatchObject({
      title: 'Which database?',
      schema: { properties: { q1: { oneOf: [{ const: '1', title: 'SQLite: one file' }, { const: '2' }] } } },
    });
    const answers = { 'Which database?': 'Postgres', 'Which regions?': 'eu, us, asia' };
    const decision = { behavior: 'allow', updatedInput: { questions, answers } };
    expect(out).toEqual({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
    const half = await answered(at, call, aDecision({ by: 'fin', values: { q1: '1' } }));
    expect(half.out).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
  });

  test('the hook of a coding agent answers Gemini CLI as its documents say, and denies an edit that its merge would undo', async () => {
    const at = ['gemini-cli.json', 'BeforeTool'] as [string, string];
    expect((await answered(at, gemini, yes(gemini.tool_input))).out).toEqual({ decision: 'allow' });
    expect((await answered(at, gemini, yes(edited))).out).toEqual({
      decision: 'allow',
      hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: edited },
    });
    expect((await answered(at, gemini, yes({ command: 'ls -l' }))).out).toMatchObject({ decision: 'deny' });
    expect((await answered(at, gemini, no)).out).toEqual({
      decision: 'deny',
      reason: 'fin did not approve this: not on Fridays',
    });
    expect((await answered(at, gemini, null)).out).toMatchObject({ decision: 'deny' });
  });

  test('the hook of a coding agent answers Cursor as its documents say, for its shell and for tools of MCP', async () => {
    const shell = ['cursor.json', 'beforeShellExecution'] as [string, string];
    const call = { ...cursor, command: 'npm publish' };
    const allowed = await answered(shell, call, yes({ command: 'npm publish' }));
    expect(allowed.question).toMatchObject({ title: 'Shell: npm publish' });
    expect(allowed.question.tool).toMatchObject({ isEditable: false });
    expect(allowed.out).toEqual({ permission: 'allow' });
    // It takes no other command from a hook.
    expect((await answered(shell, call, yes({ command: 'npm pack' }))).out).toMatchObject({ permission: 'deny' });
    expect((await answered(shell, call, null)).out).toMatchObject({ permission: 'ask' });
    const mcp = { ...cursor, tool_name: 'pay', tool_input: '{"amount": 9007199254740993}' };
    const refused = await answered(['cursor.json', 'beforeMCPExecution'], mcp, no);
    expect(refused.question.tool).toMatchObject({ name: 'pay', args: { amount: '9007199254740993' } });
    const why = 'fin did not approve this: not on Fridays';
    expect(refused.out).toEqual({ permission: 'deny', user_message: why, agent_message: why });
  });

  // Promise Y92b
  test('the hook of a coding agent never lets a merge bring back what people took out', () => {
    const given = { hook_event_name: 'BeforeTool', session_id: 's', tool_name: 't' };
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (input, other) => {
          const call = callOf(JSON.stringify({ ...given, tool_input: input }));
          const text = outputOf(
            call,
            { decision: 'allow', reason: 'approved by fin' },
            JSON.parse(JSON.stringify(other)),
          );
          const out = JSON.parse(text) as { decision: string; hookSpecificOutput?: { tool_input: object } };
          if (out.decision === 'allow')
            expect({ ...call.input, ...out.hookSpecificOutput?.tool_input }).toEqual(JSON.parse(JSON.stringify(other)));
        },
      ),
      { numRuns: runs(400) },
    );
  });
});
