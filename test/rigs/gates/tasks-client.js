// A client of a gate on the protocol's own package for tasks (ext-tasks): reads a request in JSON a line, and writes what came of it.
// The SDK reads no task as a result, so that its requests are sent as they are, as the package has its hosts do.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const [dir, address, key] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(dir, 'node_modules/@modelcontextprotocol', path)));
const { Client, StreamableHTTPClientTransport } = await load('client/dist/index.mjs');
const { createTaskSessionFromClient, resultFromTaskOutcome } = await load('ext-tasks/dist/client/index.js');

const protocolVersion = '2026-07-28';
const clientInfo = { name: 'an agent', version: '1' };
const clientCapabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const authorization = `Bearer ${key}`;

async function rawDispatch({ method, params = {} }, { signal } = {}) {
  const named = params.name ?? params.taskId;
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocolVersion,
      'mcp-method': method,
      ...(named === undefined ? {} : { 'mcp-name': named }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: signal ?? null,
  });
  const text = await response.text();
  const lines = text.split('\n').filter((line) => line.startsWith('data:'));
  const { result, error } = JSON.parse(lines.at(-1)?.slice('data:'.length) ?? text);
  return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
}

const mode = { pin: protocolVersion };
const client = new Client(clientInfo, { capabilities: clientCapabilities, versionNegotiation: { mode } });
await client.connect(
  new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers: { authorization } } }),
);
const v2RequestFraming = { protocolVersion, clientInfo, clientCapabilities };
const session = createTaskSessionFromClient(client, { endpointId: 'gate', rawDispatch, v2RequestFraming });
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const { do: what, name, args } = JSON.parse(line);
  if (what === 'tools') say({ tools: (await client.listTools()).tools.map((one) => one.name) });
  else {
    const execution = await session.callTool(name, args);
    const { outcome } = await execution.settle();
    const { content, isError } = resultFromTaskOutcome(outcome);
    say({ text: content[0]?.text ?? '', isError: isError === true });
  }
}
process.exit(0);
