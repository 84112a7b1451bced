// The two agents as processes: the scriptable one (fake-agent/) and the demo (examples/agents/expenses).

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RigProcess, Supervisor } from '../process/supervisor.ts';
import { waitFor } from '../wait-for.ts';

/** One request that arrived at the fake agent (fake-agent/ledger.js). */
export interface LedgerEntry {
  at: string;
  /** Name in A2A 1.0, whatever the version: `SendStreamingMessage`, `GetTask`, `CancelTask`, … */
  method: string;
  messageId: string | null;
  taskId: string | null;
  contextId: string | null;
  parts: unknown[] | null;
  metadata: object | null;
  extensions: string | null;
  version: string | null;
  traceparent: string | null;
  /** False when an armed fault answered in the agent's place. */
  reached: boolean;
  fault: string | null;
}

/** An armed fault; the table is at the head of fake-agent/faults.js. */
export interface Fault {
  do:
    | 'status'
    | 'html'
    | 'rpc-error'
    | 'hang'
    | 'destroy'
    | 'body'
    | 'cut'
    | 'end'
    | 'half'
    | 'mute'
    | 'drop-response'
    | 'delay-headers';
  on?: string;
  times?: number;
  skip?: number;
  match?: string;
  status?: number;
  retryAfter?: number;
  body?: string;
  contentType?: string;
  code?: number;
  message?: string;
  after?: number;
  ms?: number;
}

export interface FakeAgentSettings {
  protocol?: '1.0' | '0.3';
  streaming?: boolean;
  push?: boolean;
  hideHistory?: boolean;
  noListTasks?: boolean;
}

export interface AgentProcess {
  /** Base address, ends in `/`; the same after a restart. */
  url: string;
  port: number;
  /** The process running now. */
  process(): RigProcess;
  kill9(): Promise<void>;
  /** Starts it again on the same port and directory; ends the old one first if it runs. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface FakeAgent extends AgentProcess {
  ledger(): Promise<LedgerEntry[]>;
  /** Messages that truly reached the agent, in order. */
  messages(): Promise<LedgerEntry[]>;
  arm(...faults: Fault[]): Promise<void>;
  disarm(): Promise<void>;
  /** `protocol`, `streaming` and `push` take effect at the next start. */
  set(settings: FakeAgentSettings): Promise<void>;
  openGate(name: string): Promise<void>;
  /** Waits until a turn is at this gate. */
  atGate(name: string, boundMs?: number): Promise<void>;
}

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export async function startFakeAgent(
  supervisor: Supervisor,
  options: { dir?: string; port?: number; settings?: FakeAgentSettings } = {},
): Promise<FakeAgent> {
  const dir = options.dir ?? (await supervisor.tempDir('fake-agent'));
  const port = options.port ?? (await supervisor.freePort());
  const args = [fileOf('./fake-agent/main.js'), '--dir', dir, '--port', String(port)];
  const agent = await startAgent(supervisor, 'fake agent', port, args);
  const control = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(`${agent.url}control/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`control ${path}: ${response.status} ${await response.text()}`);
    const answer: Record<string, unknown> = JSON.parse(await response.text());
    return answer;
  };
  const ledger = (): Promise<LedgerEntry[]> => readLedger(join(dir, 'ledger.jsonl'));

  const fake: FakeAgent = {
    ...agent,
    ledger,
    async messages() {
      const sends = ['SendMessage', 'SendStreamingMessage'];
      return (await ledger()).filter((entry) => entry.reached && sends.includes(entry.method));
    },
    arm: async (...faults) => void (await control('POST', 'faults', faults)),
    disarm: async () => void (await control('DELETE', 'faults')),
    set: async (settings) => void (await control('POST', 'settings', settings)),
    openGate: async (name) => void (await control('POST', `gates/${name}`)),
    async atGate(name, boundMs = 10_000) {
      const isWaiting = async (): Promise<boolean> => {
        const { waitingAt } = await control('GET', 'state');
        return Array.isArray(waitingAt) && waitingAt.includes(name);
      };
      await waitFor(isWaiting, boundMs, `a turn at gate ${name}`);
    },
  };
  if (options.settings) {
    await fake.set(options.settings);
    await fake.restart();
  }
  return fake;
}

export async function startExpensesAgent(
  supervisor: Supervisor,
  options: { dir?: string; port?: number; chunkDelayMs?: number } = {},
): Promise<AgentProcess> {
  const dir = options.dir ?? (await supervisor.tempDir('expenses-agent'));
  const port = options.port ?? (await supervisor.freePort());
  const args = [fileOf('../../../examples/agents/expenses/main.js'), '--port', String(port), '--data-dir', dir];
  if (options.chunkDelayMs !== undefined) args.push('--chunk-delay-ms', String(options.chunkDelayMs));
  return startAgent(supervisor, 'expenses agent', port, args);
}

async function startAgent(supervisor: Supervisor, name: string, port: number, args: string[]): Promise<AgentProcess> {
  const start = async (): Promise<RigProcess> => {
    const started = supervisor.start({ name, command: process.execPath, args });
    await started.waitForLine(/ ready http/, 30_000);
    return started;
  };
  let running = await start();
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    process: () => running,
    kill9: () => running.kill9(),
    async restart() {
      if (running.isRunning()) await running.stop();
      running = await start();
    },
    stop: async () => void (await running.stop()),
  };
}

async function readLedger(path: string): Promise<LedgerEntry[]> {
  const text = await readFile(path, 'utf8');
  // A line cut by kill -9 was never acted on: the agent goes on only after the fsync.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line): LedgerEntry => JSON.parse(line));
}
