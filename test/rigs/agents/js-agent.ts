// Agents on the official JavaScript SDK, each a process of its own (js/sdk-agents.js).

import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { RigProcess, Supervisor } from '../process/supervisor.ts';

export type JsAgentKind = 'hello' | 'survey' | 'trip' | 'echo' | 'reply' | 'steps' | 'listener' | 'mute' | 'tck';

export interface JsAgentWire {
  version?: '1.0' | '0.3' | 'both';
  binding?: 'JSONRPC' | 'HTTP+JSON';
  streaming?: boolean;
}

/** How it goes about its work; js/sdk-agents.js tells what each means. */
export interface JsAgentManner {
  statusFirst?: boolean;
  gated?: boolean;
  late?: boolean;
  push?: boolean;
  extension?: boolean;
}

export interface JsAgent {
  /** Base address, ends in `/`. */
  url: string;
  process: RigProcess;
  /** The messages that its executor was called with, in order. */
  executions(): Promise<{ messageId: string; text: string; extensions: string[] }[]>;
  /** Lets it through its gate once. */
  go(): Promise<void>;
  /** Once somebody has subscribed to a task of it. */
  subscribed(): Promise<void>;
}

const ExecutionsSchema = z.array(
  z.object({ messageId: z.string(), text: z.string(), extensions: z.array(z.string()) }),
);

export async function startJsAgent(
  supervisor: Supervisor,
  kind: JsAgentKind,
  options: JsAgentWire & JsAgentManner = {},
): Promise<JsAgent> {
  const { version = '1.0', binding = 'JSONRPC', streaming = true } = options;
  const port = await supervisor.freePort();
  const path = fileURLToPath(new URL('./js/sdk-agents.js', import.meta.url));
  const flags = [
    ...(streaming ? [] : ['--no-streaming']),
    ...(options.statusFirst === true ? ['--status-first'] : []),
    ...(options.gated === true ? ['--gated'] : []),
    ...(options.late === true ? ['--late'] : []),
    ...(options.push === true ? ['--push'] : []),
    ...(options.extension === true ? ['--extension'] : []),
  ];
  const process_ = supervisor.start({
    name: `${kind} agent`,
    command: process.execPath,
    args: [path, kind, '--port', String(port), '--version', version, '--binding', binding, ...flags],
  });
  await process_.waitForLine(/ ready http/, 30_000);
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    process: process_,
    executions: async () => ExecutionsSchema.parse(await (await fetch(`${url}executions`)).json()),
    async go() {
      await fetch(`${url}go`, { method: 'POST' });
    },
    async subscribed() {
      await process_.waitForLine(/^subscribed$/, 30_000);
    },
  };
}

/** One of examples/agents, as its readers start it; returns its address. */
export async function startExample(supervisor: Supervisor, name: string, dataDir: string): Promise<string> {
  const port = await supervisor.freePort();
  const main = fileURLToPath(new URL(`../../../examples/agents/${name}/main.js`, import.meta.url));
  const args = [main, '--port', String(port), '--data-dir', dataDir];
  const started = supervisor.start({ name: `${name} agent`, command: process.execPath, args });
  await started.waitForLine(/ ready http/, 30_000);
  return `http://127.0.0.1:${port}/`;
}
