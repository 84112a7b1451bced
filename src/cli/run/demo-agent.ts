// Runs the demo agent as a child process if the configuration names it and nothing listens at its URL; with it comes a gate to try,
// before a server of two tools: one passes, the other waits for people.
import { spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../contract/configuration/config.ts';
import { GateSchema } from '../../contract/configuration/gate.ts';
import { StartError } from './startup-output.ts';
import { timeLimit } from '../../host/process/time-limit.ts';
import { sleep } from '../../host/process/sleep.ts';

interface DemoAgent {
  url: string;
  /** Path of the gate to try; null: there are gates of the configuration's. */
  gate: string | null;
  isReused: boolean;
  /** Adds the gate to a configuration that was read again. */
  complete(this: void, read: Config): void;
  stop(): Promise<void>;
}

const readyMs = 15_000;

const main = fileURLToPath(new URL('../../../examples/agents/expenses/main.js', import.meta.url));

/** Where `up` starts the demo agent if nothing answers there; null when the configuration has no local agent `expenses`. */
export function demoAddress({ agents }: Pick<Config, 'agents'>): string | null {
  const url = agents['expenses']?.url;
  if (url === undefined || !existsSync(main)) return null;
  return ['127.0.0.1', 'localhost'].includes(new URL(url).hostname) ? url : null;
}

/** Null when there is nowhere to start it. */
export async function startDemoAgent(config: Config, dataDir: string): Promise<DemoAgent | null> {
  const url = demoAddress(config);
  if (url === null) return null;
  const { port } = new URL(url);
  const gate = addDemoGate(config, dataDir) ? `/gates/${demoGate}/mcp` : null;
  const complete = (read: Config): void => void (gate !== null && addDemoGate(read, dataDir));
  if (await answers(url)) return { url, gate, isReused: true, complete, stop: () => Promise.resolve() };
  const logFile = join(dataDir, 'expenses-agent.log');
  const out = openSync(logFile, 'a');
  const args = [main, '--port', port === '' ? '80' : port, '--data-dir', join(dataDir, 'expenses-agent')];
  // Its standard input closes when this process dies, even after kill -9.
  const child = spawn(process.execPath, [...args, '--stop-with-parent'], { stdio: ['pipe', out, out] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const until = performance.now() + readyMs;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > until) {
      child.kill('SIGKILL');
      throw new StartError(
        `the demo agent did not start at ${url}; its words are in ${logFile} (or start with --no-demo)`,
      );
    }
    await sleep(50);
  }
  return {
    url,
    gate,
    isReused: false,
    complete,
    async stop() {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), 2000);
      await exited;
      clearTimeout(force);
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('.well-known/agent-card.json', url), { signal: timeLimit(1000) });
    return response.ok;
  } catch {
    return false;
  }
}

const demoGate = 'demo';

/** Adds it next to the demo agent, under whose policy people are asked; false: there are gates already, or nothing of a demo. */
export function addDemoGate(config: Config, dataDir: string): boolean {
  const server = fileURLToPath(new URL('../../../examples/agents/notes/server.js', import.meta.url));
  const policy = config.agents['expenses']?.policy ?? config.ask.policy;
  if (policy === undefined || Object.keys(config.gates).length > 0 || !existsSync(server)) return false;
  config.gates[demoGate] = GateSchema.parse({
    title: 'Notes (demo)',
    command: [process.execPath, server, join(dataDir, 'demo-notes.txt')],
    policy,
    rules: [{ tool: 'read_notes', then: 'pass' }],
  });
  return true;
}

/** What is printed of it. */
export const addressesOf = (
  demo: Pick<DemoAgent, 'url' | 'gate'> | null,
  { auth }: Pick<Config, 'auth'>,
): { agent: string | null; gate: string | null; hasKeys: boolean } => ({
  agent: demo?.url ?? null,
  gate: demo?.gate ?? null,
  hasKeys: auth.keys.length > 0,
});
