// Temporal's full server on PostgreSQL, as clusters and docker-compose.yml run it: nothing is registered in its namespace before a
// worker comes, and what is listed is asked of SQL. Skipped where Go cannot build it (scripts/temporal-server.mjs).
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { searchAttributes as defined } from '../../../src/contract/tasks/search-attribute-names.ts';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import { startCore } from '../../rigs/engine/engine.ts';
import { dynamicConfigFile, startFullTemporal, type FullTemporal } from '../../rigs/process/full-temporal.ts';
import { startPostgres } from '../../rigs/process/postgres.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { runProgram, writeConfig } from '../../rigs/product/standfast.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { answerGoesFirst } from '../../workflows/execution/answer-first.ts';
import {
  buildOnce,
  decided,
  ended,
  failedWorkflowTasks,
  greenDecision,
  longMs,
  openHold,
  runTemporal,
  waitForTask,
} from '../setting.ts';
import { startSplit } from './split.ts';
import { takeTurns } from './two-builds.ts';

const programs = process.env['STANDFAST_TEST_TEMPORAL_SERVER'] ?? '';
const supervisor = createSupervisor();
let temporal: FullTemporal;
let agentUrl: string;

(programs === '' ? describe.skip : describe)('on the full server of Temporal', () => {
  beforeAll(async () => {
    buildOnce();
    const postgres = await startPostgres();
    supervisor.defer(() => postgres.stop());
    const dir = await supervisor.tempDir('temporal');
    temporal = await startFullTemporal(supervisor, { programs, postgresUrl: postgres.url, dir });
    agentUrl = (await startFakeAgent(supervisor)).url;
  });
  afterAll(() => supervisor.end());

  const split = (text: string): ReturnType<typeof startSplit> => startSplit(supervisor, text, undefined, {}, temporal);

  test('the worker registers what its tasks are found by, and a question is found, answered and its task done', async () => {
    const text = `agents: { fake: { url: '${agentUrl}' } }\n`;
    const { startApi, startWorker } = await split(text);
    const worker = await startWorker();
    const api = await startApi();
    ended(await api.run('fake', { threadId: 'asks', text: 'form => complete' }, longMs), 'interrupt');
    const hold = await openHold(api, 'fake', 'asks');
    const found = async (query: string): Promise<number> => {
      const listed = await runTemporal(temporal.address, ['workflow', 'list', '--query', query, '--output', 'json']);
      return (JSON.parse(listed) as unknown[]).length;
    };
    const asks = `${defined.agent.name} = "fake" AND ${defined.openHolds.name} = 1 AND ${defined.status.name} = "NEEDS_REVIEW"`;
    const forUs = `${defined.audience.name} IS NOT NULL AND ${defined.a2aTaskId.name} IS NOT NULL AND ${defined.contextId.name} IS NOT NULL`;
    await waitFor(async () => (await found(`${asks} AND ${forUs}`)) === 1, longMs, 'the question in the list');
    const config = await writeConfig(supervisor, text);
    const env = { TEMPORAL_ADDRESS: temporal.address };
    const plan = await runProgram(supervisor, ['rebuild', '--config', config, '--json', '--dry-run'], { env });
    expect(JSON.parse(plan.output.slice(plan.output.indexOf('{')))).toMatchObject({ tasks: 1, failed: 0 });
    expect((await decided(api, hold.id, greenDecision())).status).toBe(200);
    await waitForTask(api, hold.taskId, 'DONE');
    expect(await failedWorkflowTasks(temporal.address)).toEqual([]);
    await Promise.all([worker.stop(), api.process.stop()]);
  });

  // Promise W27
  test('an open question outlives the build that asked it, forward and back', async () => {
    const text = `agents: { fake: { url: '${agentUrl}' } }\nworker: { versioned: true }\n`;
    await expect(takeTurns(supervisor, await split(text), text)).resolves.toBeUndefined();
  });

  // Promise W5
  test('with every turn slot taken, an answered task goes before fifty new ones queued earlier', async () => {
    process.env['STANDFAST_TEST_TEMPORAL'] = temporal.address.split(':')[1];
    const core = await startCore(createSupervisor(), { config: { worker: { turnSlots: 1 } } });
    try {
      await expect(answerGoesFirst(core)).resolves.toBeUndefined();
    } finally {
      await core.stop();
    }
  });

  test('the full server of Temporal takes the settings of deploy/temporal', () => {
    const check = (): string =>
      execFileSync(join(programs, 'server'), ['validate-dynamic-config', dynamicConfigFile], { encoding: 'utf8' });
    expect(check()).not.toMatch(/error|warning/);
  });
});
