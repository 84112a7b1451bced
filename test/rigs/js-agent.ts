// Agents on the official JavaScript SDK, each a process of its own (js/sdk-agents.js).

import { fileURLToPath } from 'node:url';
import type { RigProcess, Supervisor } from './supervisor.ts';

export type JsAgentKind = 'hello' | 'survey' | 'trip' | 'echo' | 'reply';

export interface JsAgentWire {
  version?: '1.0' | '0.3';
  binding?: 'JSONRPC' | 'HTTP+JSON';
  streaming?: boolean;
}

export interface JsAgent {
  /** Base address, ends in `/`. */
  url: string;
  process: RigProcess;
}

export async function startJsAgent(
  supervisor: Supervisor,
  kind: JsAgentKind,
  { version = '1.0', binding = 'JSONRPC', streaming = true }: JsAgentWire = {},
): Promise<JsAgent> {
  const port = await supervisor.freePort();
  const path = fileURLToPath(new URL('./js/sdk-agents.js', import.meta.url));
  const args = [path, kind, '--port', String(port), '--version', version, '--binding', binding];
  const process_ = supervisor.start({
    name: `${kind} agent`,
    command: process.execPath,
    args: streaming ? args : [...args, '--no-streaming'],
  });
  await process_.waitForLine(/ ready http/, 30_000);
  return { url: `http://127.0.0.1:${port}/`, process: process_ };
}
