// A client of a gate on the Python SDK of MCP, as a process that is asked in lines of JSON.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Called } from './gate-rig.ts';

const program = fileURLToPath(new URL('servers/client.py', import.meta.url));

export interface PythonClient {
  tools(): Promise<string[]>;
  call(name: string, args: JsonObject): Promise<Called>;
  close(): void;
}

export async function connectPython(python: string, address: string, key: string): Promise<PythonClient> {
  const child = spawn(python, [program, address, key], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-2_000)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  async function next(): Promise<JsonObject> {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the client in Python has ended:\n${errors}`);
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
