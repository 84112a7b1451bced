// An MCP server in a process of its own, which a test kills: it writes each call into a file before it does anything with it, and
// does not answer while the file `hang` is there.
import { appendFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [port, dir] = process.argv.slice(2);
const tools = [
  { name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'pay', description: 'Pays somebody.', inputSchema: { type: 'object' } },
];

async function resultOf(method, params) {
  if (method === 'initialize') {
    const { protocolVersion } = params;
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'tools', version: '1' } };
  }
  if (method === 'tools/list') return { tools };
  if (method !== 'tools/call') return null;
  appendFileSync(join(dir, 'calls'), `${JSON.stringify({ tool: params.name, args: params.arguments })}\n`);
  while (existsSync(join(dir, 'hang'))) await sleep(20);
  return { content: [{ type: 'text', text: `${params.name} is done` }] };
}

async function answer(request, response) {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, method, params } = JSON.parse(body);
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const result = await resultOf(method, params);
  const outcome = result === null ? { error: { code: -32601, message: `unknown: ${method}` } } : { result };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
}

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
