import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeAgent } from '../rigs/agent.ts';
import type { FakeAgent } from '../rigs/agent.ts';
import { answer, startEngine, startTemporal } from '../rigs/engine.ts';
import type { Engine } from '../rigs/engine.ts';
import { createSupervisor } from '../rigs/supervisor.ts';

const supervisor = createSupervisor();
let agent: FakeAgent;
let engine: Engine;

beforeAll(async () => {
  const temporal = await startTemporal(supervisor);
  agent = await startFakeAgent(supervisor);
  engine = await startEngine(temporal, agent.url, 'policies:\n  test: {}\n');
}, 60_000);
afterAll(async () => {
  await engine?.stop();
  await supervisor.end();
}, 30_000);

test('a question is parked, answered by a decision, and the task completes', async () => {
  const { taskId, handle } = await engine.open('t-1', 'r-1', 'stream 5 5; form => stream 3; data; complete');
  const parked = await engine.waitForStatus(taskId, 'NEEDS_REVIEW', 'FAILED');
  expect(parked.error).toBeNull();
  const [hold] = await engine.openHolds(taskId);

  const heard = await engine.decide(parked, answer(hold!, { colour: 'green' }));
  console.log(JSON.stringify(heard));
  const done = await engine.waitForStatus(taskId, 'DONE', 'FAILED');
  expect(done.error).toBeNull();
  console.log(await handle.result());
  const history = await handle.fetchHistory();
  console.log(history.events?.map((e) => e.eventId + ' ' + e.eventType).join('\n'));
});
