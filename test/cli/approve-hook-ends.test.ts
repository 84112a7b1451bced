// Whatever a call is, and whatever answers in Standfast's place, the hook ends with a verdict or with exit code 2.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gateVerdict, visibleJson } from '../../src/core/consent/gate.ts';
import { isPlainText } from '../../src/contract/base/text.ts';
import { runHook } from '../rigs/product/hook.ts';
import { fc, runs } from '../rigs/properties.ts';

interface Reply {
  status: number;
  body: string;
  end: 'whole' | 'hang' | 'half' | 'reset';
}

const replies = new Map<string, Reply[]>();
let server: Server;
let url = '';

function answer(request: IncomingMessage, response: ServerResponse): void {
  const left = replies.get(request.headers.authorization ?? '') ?? [];
  const { status, body, end } = (left.length > 1 ? left.shift() : left[0]) ?? { status: 500, body: '', end: 'whole' };
  if (end === 'reset') return void request.socket.destroy();
  if (end === 'hang') return;
  response.writeHead(status, { 'content-type': 'application/json' });
  if (end === 'half') return void response.write(body);
  response.end(body);
}

beforeAll(async () => {
  server = createServer((request, response) => {
    request
      .resume()
      .on('end', () => answer(request, response))
      .on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('\0', '\uD800', '__proto__', 'x'.repeat(5_000)),
);
const anyArgs = fc.dictionary(anyText, fc.oneof(anyText, fc.jsonValue()), { maxKeys: 4 });
const event = fc.constantFrom('PreToolUse', 'PermissionRequest');
const aCall = fc.record({
  hook_event_name: event,
  session_id: fc.oneof(fc.constant('s'), anyText),
  cwd: anyText,
  tool_name: fc.oneof(fc.constant('Bash'), anyText),
  tool_input: anyArgs,
  tool_use_id: fc.oneof(fc.constant('t'), anyText),
});
const notACall = fc.oneof(anyText, fc.jsonValue(), fc.record({ hook_event_name: event, tool_input: fc.jsonValue() }));
const anyReply = fc.record({
  status: fc.constantFrom(200, 200, 202, 204, 301, 304, 400, 401, 403, 404, 409, 413, 418, 422, 429, 500, 503),
  body: fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record({
        id: fc.constantFrom('hook:s:t', 'another'),
        status: fc.constantFrom('waiting', 'answered', 'declined', 'expired', 'x'),
        approved: fc.constantFrom(true, false, null, 'true'),
        by: fc.jsonValue(),
        args: fc.oneof(fc.constant({}), fc.jsonValue()),
      })
      .map((one) => JSON.stringify(one)),
  ),
  end: fc.oneof(
    { weight: 12, arbitrary: fc.constant('whole' as const) },
    { weight: 1, arbitrary: fc.constantFrom('hang' as const, 'half' as const, 'reset' as const) },
  ),
});

/** How often a property holds that people could only see to be violated by a call that ran. */
const numRuns = runs(1_000);
let number = 0;

describe('the ends of approve-hook', () => {
  // Promise Y91
  test('A thousand odd calls and replies end in a verdict or with exit code 2, and none is allowed without a yes', async () => {
    const given = fc.oneof({ weight: 4, arbitrary: aCall }, { weight: 1, arbitrary: notACall });
    await fc.assert(
      fc.asyncProperty(
        given,
        fc.array(anyReply, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('deny', 'ask'),
        async (input, list, otherwise) => {
          const key = `key-${(number += 1)}`;
          replies.set(`Bearer ${key}`, [...list]);
          const run = await runHook(input, [
            '--url',
            url,
            '--api-key',
            key,
            '--wait',
            '60ms',
            '--otherwise',
            otherwise,
          ]);
          replies.delete(`Bearer ${key}`);
          if (run.exitCode !== null) return expect([run.exitCode, run.out]).toEqual([2, null]);
          const { hook_event_name: hookEventName } = input as { hook_event_name: string };
          const decision = decisionIn(run.out, hookEventName);
          expect(['allow', 'deny', 'ask']).toContain(decision);
          if (otherwise === 'deny') expect(decision).not.toBe('ask');
          const isYes = list.some(({ body }) => /"id":"hook:s:t","status":"answered","approved":true/.test(body));
          if (decision === 'allow') expect(isYes).toBe(true);
        },
      ),
      { numRuns },
    );
  });

  // Promise Y92
  test('Every call is shown in characters that can be kept, and no two calls alike but by their marks', () => {
    fc.assert(
      fc.property(anyArgs, (args) => {
        const shown = visibleJson(args as never);
        if (shown === null) return;
        fc.pre(shown !== null);
        const text = JSON.stringify(shown);
        expect(isPlainText(JSON.stringify(shown).replaceAll('\\u0000', '\0'))).toBe(true);
        if (!text.includes('⟦')) expect(shown).toEqual(args);
      }),
      { numRuns },
    );
    expect(visibleJson({ '\0': 1, '⟦U+0000⟧': 2 })).toBeNull();
  });

  test('A yes counts for the call whose id and arguments it names alone', () => {
    const asked = { id: 'hook:s:t', args: { command: 'ls' }, isEditable: false };
    const given = { status: 'answered', verdict: 'yes', approved: true, by: 'fin' };
    const yes = { id: 'hook:s:t', ...given, args: { command: 'ls' } };
    expect(gateVerdict(yes, asked)).toEqual({ decision: 'allow', reason: 'approved by fin' });
    expect(gateVerdict({ ...yes, id: 'hook:s:u' }, asked)).toMatchObject({ decision: 'ask' });
    expect(gateVerdict({ ...yes, args: { command: 'rm' } }, asked)).toMatchObject({ decision: 'deny' });
    expect(gateVerdict({ ...yes, args: null }, asked)).toMatchObject({ decision: 'deny' });
    for (const approved of ['true', 1, null])
      expect(gateVerdict({ ...yes, approved }, asked)).toMatchObject({ decision: 'deny' });
    expect(gateVerdict({ ...yes, verdict: 'no' }, asked)).toMatchObject({ decision: 'deny' });
    expect(gateVerdict({ ...yes, verdict: undefined }, asked)).toMatchObject({ decision: 'ask' });
    expect(gateVerdict({ ...yes, status: 'waiting' }, asked)).toBeNull();
    // Where people may change them, theirs are what the call is made with, and nothing else is.
    const editable = { ...asked, isEditable: true };
    expect(gateVerdict({ ...yes, args: { command: 'rm' } }, editable)).toMatchObject({ given: { command: 'rm' } });
    expect(gateVerdict({ ...yes, args: null }, editable)).toMatchObject({ decision: 'deny' });
    expect(gateVerdict({ ...yes, id: 'hook:s:u', args: { command: 'rm' } }, editable)).toMatchObject({
      decision: 'ask',
    });
  });
});

/** The decision that the agent's program reads; `ask` where a permission dialog is left to its terminal. */
function decisionIn(out: unknown, hookEventName: string): string {
  if (out === null) return hookEventName === 'PermissionRequest' ? 'ask' : 'nothing';
  const { hookSpecificOutput: verdict } = out as { hookSpecificOutput: Record<string, unknown> };
  if (verdict['hookEventName'] !== hookEventName) return 'another event';
  if (hookEventName === 'PreToolUse') return String(verdict['permissionDecision']);
  return String((verdict['decision'] as { behavior: unknown }).behavior);
}
