// Two builds of the worker under Temporal's Worker Versioning.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { buildOnce } from '../setting.ts';
import { startSplit, type Split } from './split.ts';
import { takeTurns } from './two-builds.ts';

const supervisor = createSupervisor();
let split: Split;
let configText: string;

beforeAll(async () => {
  buildOnce();
  const { url } = await startFakeAgent(supervisor);
  configText = `agents: { fake: { url: '${url}' } }\nworker: { versioned: true }\n`;
  split = await startSplit(supervisor, configText);
});
afterAll(() => supervisor.end());

// Promise W27
test('an open question outlives the build that asked it, forward and back, and doctor says which build has which', async () => {
  await expect(takeTurns(supervisor, split, configText)).resolves.toBeUndefined();
});
