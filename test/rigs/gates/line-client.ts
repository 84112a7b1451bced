// A client of a gate on an SDK of another language, as a process that is asked in lines of JSON.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Called } from './gate-rig.ts';

/** On the Python SDK of MCP. */
export const pythonClient = (python: string): string[] => [
  python,
  fileURLToPath(new URL('servers/client.py', import.meta.url)),
];

export interface LineClient {
  tools(): Promise<string[]>;
  call(name: string, args: JsonObject): Promise<Called>;
  close(): void;
}

export async function connectByLines(command: string[], address: string, key: string): Promise<LineClient> {
  const [program = '', ...given] = command;
  const child = spawn(program, [...given, address, key], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-2_000)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  async function next(): Promise<JsonObject> {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the client has ended:\n${errors}`);
    return JSON.parse(value) as JsonObject;
  }
  const ask = (request: JsonObject): Promise<JsonObject> => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return next();
  };
  await next();
  return {
    tools: async () => (await ask({ do: 'tools' }))['tools'] as string[],
    async call(name, args) {
      const { text, isError } = await ask({ do: 'call', name, args });
      return { text: String(text), isError: isError === true, meta: {} };
    },
    close: () => child.stdin.end(),
  };
}
