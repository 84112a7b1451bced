// The tool that an approved call is made of is the one that was approved, whatever the row of its gate has next to the fingerprint.
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toolView } from '../../../src/api/gates/gate-views.ts';
import { GateSchema } from '../../../src/contract/configuration/gate.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { definitionDigest, serverDigest } from '../../../src/host/secrets/gate-digests.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { aPrincipal } from '../../rigs/factories.ts';
import { aProvedDecision } from '../../rigs/proofs.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';
import { decidedBy } from '../../store/stores.ts';
import { aHeldCall } from '../turns.ts';

let pglite: PGlite;
let store: Store;
beforeAll(async () => {
  pglite = await openMemoryDatabase();
  store = await openStore({ pglite });
});
afterAll(() => store.close());

const at = '2026-11-28T09:00:00.000Z';
const gate = GateSchema.parse({ url: 'http://127.0.0.1:1/mcp', policy: 'pay' });
const definition = { name: 'pay', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } };
const digest = definitionDigest(definition);

async function aListed(name: string, forged: JsonObject | null): Promise<void> {
  await store.gateTools.list(name, [{ tool: 'pay', digest, definition }], true);
  if (forged === null) return;
  const json = JSON.stringify(forged);
  await pglite.query('update gate_tools set approved = $1, listed = $1 where gate = $2', [json, name]);
}

let gates = 0;

/** Names of the tools that are called, and how the turn ends. */
async function made(forged: JsonObject | null): Promise<{ called: unknown[]; outcome: unknown }> {
  gates += 1;
  const name = `toy-${gates}`;
  await aListed(name, forged);
  const { taken, row } = await aHeldCall(store, { gate: name, server: serverDigest(gate), digest, definition });
  await store.holds.putOnce([row]);
  const decision = aProvedDecision(row, { by: aPrincipal('fin', 'finance'), at });
  const closed = { ...decidedBy('fin', at), holdId: row.holdId, decision };
  taken.deps.config = { ...taken.deps.config, gates: { [name]: gate } };
  const called: unknown[] = [];
  taken.deps.connectGate = async () => ({
    tools: async () => [definition],
    async call(tool) {
      called.push(tool['name']);
      return { kind: 'result', result: { content: [] } };
    },
    close: async () => undefined,
  });
  const send = { kind: 'answers' as const, answers: [{ interruptId: row.interruptId, closed }] };
  const outcome = await taken.attempt(1, { ...taken.input, send }).outcome;
  return { called, outcome };
}

describe('a call that people approved', () => {
  // Promise GA7
  test('a call that people approved is made of the tool that was approved', async () => {
    expect((await made(null)).called).toEqual(['pay']);
  });

  // Promise GA8a
  test.each<[string, JsonObject]>([
    ['another tool', { ...definition, name: 'delete_all' }],
    ['a tool that may be called twice', { ...definition, annotations: { readOnlyHint: true } }],
  ])('a call that people approved is not made where the row of its tool has %s', async (_what, forged) => {
    const { called, outcome } = await made(forged);
    expect(called).toEqual([]);
    expect(JSON.stringify(outcome)).toContain('its tool is another one than people were asked about');
  });
});

// Promise GA8a
test('what the row of a tool has is no word of its server where its fingerprint is of something else', async () => {
  const name = 'toy-views';
  await aListed(name, { ...definition, annotations: { readOnlyHint: true } });
  const [row] = await store.gateTools.of(name);
  if (row === undefined) throw new Error('no tool is listed');
  const view = toolView(row);
  expect(view.state).not.toBe('approved');
  expect(await store.gateTools.approve(name, 'pay', view.digest, 'op')).toBeNull();
});
