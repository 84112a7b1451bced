// The hook for coding agents, in the shapes that Claude Code documents, against the api on a real database.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HoldRow } from '../../src/store/store.ts';
import { runHook, type HookRun } from '../rigs/product/hook.ts';
import { aDecision, anEnd, withdrawWhatIsAsked, keyConfig, keys, openWhatIsAsked } from '../api/rig.ts';
import { closeSent } from '../rigs/proofs.ts';
import { describeApi } from '../api/describe-api.ts';
import { askedHold } from '../rigs/store/asked-hold.ts';

let url = '';
const policies = { finance: { audience: ['role:finance'] } };
const rig = describeApi({
  withKeys: true,
  config: { auth: { keys: keyConfig }, policies, ask: { policy: 'finance' } },
});
beforeAll(async () => {
  openWhatIsAsked(rig);
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});

const call = (id: string, event: 'PreToolUse' | 'PermissionRequest' = 'PreToolUse'): object => ({
  session_id: 'session-1',
  transcript_path: '/home/anna/.claude/session-1.jsonl',
  cwd: '/home/anna/shop',
  permission_mode: 'default',
  hook_event_name: event,
  tool_name: 'Bash',
  tool_input: { command: 'npm publish', description: 'Publish' },
  tool_use_id: id,
});

async function hook(given: unknown, args: string[] = [], to = url): Promise<HookRun> {
  return runHook(given, ['--url', to, '--api-key', keys.anna, ...args]);
}

const holdOf = (id: string): Promise<HoldRow> => askedHold(rig.store, 'anna', `hook:session-1:${id}`);
async function end(id: string, status: Parameters<typeof anEnd>[0], decision: HoldRow['decision']): Promise<void> {
  await closeSent(rig.store, (await holdOf(id)).holdId, anEnd(status, decision, null));
}
const yes = aDecision({ by: 'fin', values: { approved: true } });
const no = aDecision({ by: 'fin', values: { approved: false, reason: 'not on Fridays' } });
const refused = 'fin did not approve this: not on Fridays';

describe('approve-hook', () => {
  test('approve-hook asks people about the call, and prints what a PreToolUse hook decides', async () => {
    const allowed = hook(call('call-1'));
    expect((await holdOf('call-1')).question).toMatchObject({
      kind: 'tool_call',
      title: 'Bash: npm publish',
      message: 'A coding agent asks, in `/home/anna/shop`.',
      tool: { name: 'Bash', args: { command: 'npm publish', description: 'Publish' } },
    });
    await end('call-1', 'decided', yes);
    const output = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      permissionDecisionReason: 'approved by fin',
    };
    expect((await allowed).out).toEqual({ hookSpecificOutput: output });
    const denied = hook(call('call-2'));
    await end('call-2', 'decided', no);
    const deny = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: refused };
    expect((await denied).out).toEqual({ hookSpecificOutput: deny });
    // The same call again, as after a crash of the hook: the answer is there.
    expect((await hook(call('call-1'))).out).toEqual({ hookSpecificOutput: output });
  });

  test('approve-hook prints what a PermissionRequest hook decides', async () => {
    const hookEventName = 'PermissionRequest';
    const allowed = hook(call('call-3', hookEventName));
    await end('call-3', 'decided', yes);
    expect((await allowed).out).toEqual({ hookSpecificOutput: { hookEventName, decision: { behavior: 'allow' } } });
    const denied = hook(call('call-4', hookEventName));
    await end('call-4', 'decided', no);
    const decision = { behavior: 'deny', message: refused };
    expect((await denied).out).toEqual({ hookSpecificOutput: { hookEventName, decision } });
  });

  test('approve-hook leaves the decision to the terminal where people gave none, or denies if it shall', async () => {
    const expired = hook(call('call-5'));
    await end('call-5', 'expired', null);
    const { out, err } = await expired;
    expect(out).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask' } });
    expect(err).toContain('no decision: the question was expired');
    const left = hook(call('call-6', 'PermissionRequest'));
    await end('call-6', 'cancelled', null);
    expect((await left).out).toBeNull();
    expect((await hook(call('call-5'), ['--otherwise', 'deny'])).out).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
    const away = await hook(call('call-7'), [], 'http://127.0.0.1:1');
    expect(away.out).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask' } });
    expect(away.err).toContain('no Standfast answers');
  });

  test('approve-hook withdraws the question when its wait is over', async () => {
    withdrawWhatIsAsked(rig);
    const { out, err } = await hook(call('call-8'), ['--wait', '1s']);
    expect(out).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask' } });
    expect(err).toContain('no decision within 1s');
    expect((await holdOf('call-8')).status).toBe('cancelled');
  });

  test('approve-hook gives no verdict for what is not a tool call: exit code 2', async () => {
    for (const given of ['{"hook_event_name":"Stop"}', 'not json', '', '[]', '\uD800']) {
      expect(await hook(given)).toMatchObject({ out: null, exitCode: 2 });
    }
    expect(await hook(call('call-9'), ['--otherwise', 'yes'])).toMatchObject({ out: null, exitCode: 2 });
    expect(await hook(call('call-9'), ['--wait', 'soon'])).toMatchObject({ out: null, exitCode: 2 });
  });

  // Promise Y91
  test('approve-hook denies, if it shall, whatever Standfast refuses', async () => {
    const deny = ['--otherwise', 'deny'];
    const denied = { out: { hookSpecificOutput: { permissionDecision: 'deny' } }, exitCode: null };
    expect(await hook(call('call-10'), [...deny, '--policy', 'none'])).toMatchObject(denied);
    expect(await hook(call('call-10'), [...deny, '--api-key', 'no-key-of-standfast'])).toMatchObject(denied);
    expect(await hook(call('call-10'), [...deny, '--url', 'nowhere'])).toMatchObject(denied);
    let deep: unknown = 'rm';
    for (let depth = 0; depth < 150; depth += 1) deep = [deep];
    expect(await hook({ ...call('call-10'), tool_input: { deep } }, deny)).toMatchObject(denied);
    const large = { ...call('call-10'), tool_input: { command: 'x'.repeat(11_000_000) } };
    expect(await hook(large, deny)).toMatchObject(denied);
  });

  // Promise Y92
  test('approve-hook asks people about odd characters, with a mark in their place', async () => {
    const odd = { command: 'rm\0 -rf \uD800', ['a\0']: 1, nested: JSON.parse('{"__proto__": {"x": 1}}') as object };
    const asked = hook({ ...call('call-11'), cwd: '/home/\0', tool_input: odd });
    const { question } = await holdOf('call-11');
    expect(question).toMatchObject({ title: 'Bash: rm⟦U+0000⟧ -rf ⟦U+D800⟧' });
    expect(question.message).toContain('⟦…⟧ stands for each of them');
    const args = { command: 'rm⟦U+0000⟧ -rf ⟦U+D800⟧', 'a⟦U+0000⟧': 1, nested: { '⟦__proto__⟧': { x: 1 } } };
    expect(question.tool?.args).toEqual(args);
    await end('call-11', 'decided', yes);
    expect((await asked).out).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
  });

  test('approve-hook marks a title that it cuts', async () => {
    const asked = hook({ ...call('call-12'), tool_input: { command: `echo ${'a'.repeat(300)}; rm -rf /` } });
    const { title } = (await holdOf('call-12')).question;
    expect(Array.from(title)).toHaveLength(200);
    expect(title.endsWith('a…')).toBe(true);
    await end('call-12', 'decided', no);
    await asked;
  });
});
