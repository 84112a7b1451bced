// Runs the demo agent as a child process if the configuration names it and nothing listens at its URL.
import { spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../contract/configuration/config.ts';
import { StartError } from './startup-output.ts';
import { timeLimit } from '../../host/process/time-limit.ts';
import { sleep } from '../../host/process/sleep.ts';

interface DemoAgent {
  url: string;
  isReused: boolean;
  stop(): Promise<void>;
}

const readyMs = 15_000;

/** Null when the configuration has no local agent `expenses`. */
export async function startDemoAgent(config: Config, dataDir: string): Promise<DemoAgent | null> {
  const url = config.agents['expenses']?.url;
  if (url === undefined) return null;
  const { hostname, port } = new URL(url);
  if (hostname !== '127.0.0.1' && hostname !== 'localhost') return null;
  if (await answers(url)) return { url, isReused: true, stop: () => Promise.resolve() };
  const main = fileURLToPath(new URL('../../../examples/agents/expenses/main.js', import.meta.url));
  if (!existsSync(main)) return null;
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
    isReused: false,
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
