// The gate that `up` has to try: a call of one tool passes, the other waits for people.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addDemoGate } from '../../../src/cli/run/demo-agent.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { judgeCall } from '../../../src/core/policy/gate-rules.ts';
import { connectUpstream } from '../../../src/host/net/mcp-upstream.ts';
import { openEgress } from '../../rigs/open-egress.ts';
import { bearer } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const dir = mkdtempSync(join(tmpdir(), 'demo-gate-'));
function demoConfig(more: object = {}) {
  const agents = { expenses: { url: 'http://127.0.0.1:8701/', policy: 'finance' } };
  const whole = { agents, policies: { finance: { audience: ['role:finance'] } }, ...more };
  // JSON is YAML.
  const loaded = loadConfig({ text: JSON.stringify(whole), env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

const config = demoConfig();
const isAdded = addDemoGate(config, dir);
const { demo } = config.gates;
let url: string;
const rig = describeApi(async () => ({
  withKeys: true,
  config: { gates: config.gates, policies: { finance: { audience: ['role:finance'] } } },
}));
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('the demo gate is there where nothing else is, and asks under the policy of the demo agent', () => {
  expect(isAdded).toBe(true);
  expect(judgeCall(demo!, { name: 'write_note', annotations: {} }, {})).toMatchObject({ do: 'ask', policy: 'finance' });
  const own = demoConfig({ gates: { own: { url: 'http://127.0.0.1:9/mcp' } } });
  expect(addDemoGate(own, dir)).toBe(false);
  expect(Object.keys(own.gates)).toEqual(['own']);
});

test('the demo gate lists its tools and lets notes be read, which are written by a call that was approved', async () => {
  const client = new Client({ name: 'an agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/gates/demo/mcp`), {
    requestInit: { headers: bearer('anna') },
  });
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read_notes', 'write_note']);
  expect((await client.callTool({ name: 'read_notes', arguments: {} })).content).toEqual([
    { type: 'text', text: 'There are no notes.' },
  ]);
  // As a worker makes it after the yes.
  const upstream = await connectUpstream(demo!, openEgress, async () => ({ action: 'cancel' }));
  await upstream.call(
    { name: 'write_note' },
    { text: 'Lunch is at noon.' },
    { timeoutMs: 10_000, signal: AbortSignal.timeout(10_000) },
  );
  await upstream.close();
  expect(readFileSync(join(dir, 'demo-notes.txt'), 'utf8')).toBe('Lunch is at noon.\n');
  await transport.terminateSession();
  await client.close();
});
