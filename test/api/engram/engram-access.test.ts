// Who reads an agent's records, and who changes them; against the example agent, by the real way to it.
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startEngramAgent } from '../../../examples/agents/engram/engram-agent.js';
import { createEngramAgent } from '../../../src/activities/a2a/engram-agent.ts';
import { createTransports } from '../../../src/cli/run/agent-transports.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { EvidenceLine } from '../../../src/store/ports/evidence.ts';
import { openMemoryStore } from '../../rigs/store/memory-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { bearer, freshThread, startRig, type keys, type Rig } from '../rig.ts';

let store: Store;
let agent: Awaited<ReturnType<typeof startEngramAgent>>;
let rig: Rig;
beforeEach(async () => {
  store = await openMemoryStore();
  agent = await startEngramAgent({ pageSize: 2 });
  agent.records.set({ key: { key: 'config/limits' }, value: { approvalAbove: 100 } });
  const { url } = agent;
  const agents = {
    guarded: { url, engram: true },
    settings: { url, engram: { write: ['user:anna'] } },
    secret: { url, engram: { read: ['role:finance'], write: ['user:anna'] } },
  };
  const config = ConfigSchema.parse({ agents, egress: { allow: ['127.0.0.1/32'] } });
  const transportOf = createTransports(config, pino({ level: 'silent' }));
  const engram = (name: string) => createEngramAgent(transportOf(name));
  rig = await startRig({ store, withKeys: true, config: { agents, agentOutage: '2s' }, engram });
});
afterEach(async () => {
  await rig.close();
  await agent.close();
  await store.close();
});

interface Run {
  agent?: string;
  who?: keyof typeof keys;
  runId?: string;
  engram?: JsonObject;
  a2a?: JsonObject;
  state?: JsonObject;
  messages?: JsonObject[];
}

const post = ({
  agent: name = 'settings',
  who = 'anna',
  runId = 'r1',
  state = {},
  messages = [],
  ...forwardedProps
}: Run) =>
  rig.app.inject({
    method: 'POST',
    url: `/agents/${name}/run`,
    headers: bearer(who),
    payload: {
      threadId: freshThread(),
      runId,
      protocolVersion: '1.0',
      state,
      messages,
      tools: [],
      context: [],
      forwardedProps,
    },
  });

describe('records of an agent', () => {
  const state = { view: { engram: { 'config/limits': { approvalAbove: 1e9 } } } };
  const sync = { engram: { mode: 'sync' }, state };
  const hydrate = { engram: { mode: 'hydrate_once' } };
  const limits = (): unknown => agent.records.get('config/limits')?.value;
  const statusOf = async (ask: Run): Promise<number> => (await post(ask)).statusCode;

  test('records of an agent are changed by operators alone where no others are named, by a run of records or inside a message', async () => {
    const before = limits();
    const update = {
      a2a: { engramUpdate: { update: { approvalAbove: 1e9 } } },
      messages: [{ id: 'm', role: 'user', content: 'x' }],
    };
    for (const who of ['anna', 'fin'] as const)
      for (const change of [sync, update]) {
        const refused = await post({ ...change, agent: 'guarded', who });
        expect([refused.statusCode, refused.json()]).toEqual([403, expect.objectContaining({ code: 'forbidden' })]);
      }
    expect(limits()).toEqual(before);
    expect(await statusOf({ ...hydrate, agent: 'guarded', who: 'anna' })).toBe(200);
    await post({ ...sync, agent: 'guarded', who: 'op' });
    expect(limits()).toEqual({ approvalAbove: 1e9 });
  });

  test('records of an agent are changed by those whom the configuration names, and read by them and by readers', async () => {
    expect(await statusOf({ ...sync, agent: 'settings', who: 'ben' })).toBe(403);
    expect(await statusOf({ ...hydrate, agent: 'secret', who: 'ben' })).toBe(403);
    for (const who of ['fin', 'anna', 'op'] as const)
      expect(await statusOf({ ...hydrate, agent: 'secret', who })).toBe(200);
    expect(await statusOf({ ...sync, agent: 'secret', who: 'fin' })).toBe(403);
    await post({ ...sync, agent: 'secret', who: 'anna' });
    expect(limits()).toEqual({ approvalAbove: 1e9 });
  });

  test('records of an agent leave a record of each change in the evidence, with who, by which key, and a hash of what', async () => {
    await post({ ...sync, runId: 'r-evidence', who: 'anna' });
    const lines: EvidenceLine[] = [];
    await store.evidence.export({}, (line) => lines.push(line));
    const records = lines.flatMap((line) => (line.type === 'record' ? [JSON.parse(line.record) as JsonObject] : []));
    expect(records.filter((one) => one['run'] === 'r-evidence')).toEqual([
      expect.objectContaining({
        kind: 'engram',
        agent: 'settings',
        by: 'anna',
        credential: expect.stringMatching(/^key:/),
        key: 'config/limits',
        result: 'written',
        changeHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      }),
    ]);
    expect((await store.evidence.verify({})).faults).toEqual([]);
  });
});
