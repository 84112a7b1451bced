// Starts what is measured: one Temporal server for both systems, the bare engine, Standfast, and the agent.
import { join } from 'node:path';
import { resolveTemporal } from '#dist/host/temporal/temporal-cli.js';
import { startEmbeddedTemporal } from '#dist/host/temporal/temporal-server.js';
import { prepareNamespace } from '#dist/host/temporal/temporal-setup.js';
import { startChild } from './child.mjs';

const repeatedChecks = new URL('repeated-checks.mjs', import.meta.url).href;

/** The floors bundle their workflow first. */
const startMs = 180_000;

/**
 * @param {string} dataDir of this run alone
 * @param {{ hasFloor?: boolean, repeatsChecks?: boolean, hasTools?: boolean }} options without a floor nothing is compared with the bare engine
 */
export async function startParts(dataDir, { hasFloor = true, repeatsChecks = false, hasTools = false } = {}) {
  const source = await resolveTemporal({ env: { ...process.env, TEMPORAL_ADDRESS: undefined } });
  if (source.use !== 'cli') throw new Error('the bench needs a Temporal CLI of its own');
  const logFile = join(dataDir, 'temporal.log');
  const temporal = await startEmbeddedTemporal({ cliPath: source.path, dataDir, port: 0, uiPort: 0, logFile });
  const children = [];
  const stop = async () => {
    for (const child of children) await child.stop();
    await temporal.stop();
  };
  try {
    const { target } = temporal;
    await prepareNamespace(target);
    const agent = startChild('./agent.mjs');
    const standfast = startChild('./standfast.mjs', repeatsChecks ? ['--import', repeatedChecks] : undefined);
    children.push(standfast, agent);
    const { url: agentUrl } = await agent.ask('start');
    const tools = hasTools ? startChild('./tools.mjs') : undefined;
    if (tools !== undefined) children.push(tools);
    const toolsUrl = (await tools?.ask('start'))?.url;
    const [floor, floorWithWork] = hasFloor ? ['floor', 'work'].map(() => startChild('./floor/process.mjs')) : [];
    if (floor !== undefined && floorWithWork !== undefined) {
      children.push(floor, floorWithWork);
      await floor.ask('start', { address: target.address }, startMs);
      await floorWithWork.ask('start', { address: target.address, agentUrl, dataDir }, startMs);
    }
    const { runUrl, gateUrl } = await standfast.ask('start', { target, agentUrl, dataDir, toolsUrl }, startMs);
    const pids = [process.pid, temporal.pid, ...children.map(({ pid }) => pid)];
    const urls = { agentUrl, runUrl, toolsUrl, gateUrl };
    return { agent, tools, floor, floorWithWork, standfast, target, temporalPid: temporal.pid, ...urls, pids, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
