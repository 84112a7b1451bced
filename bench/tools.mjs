// The tools of the bench: a server of MCP that answers at once and counts its calls by their number.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { serveParent } from './child.mjs';

const inputSchema = { type: 'object', properties: { n: { type: 'number' } } };
const tools = [
  { name: 'look', description: 'Looks.', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'pay', description: 'Pays.', inputSchema },
];
/** @type {Map<number, number>} */
const counts = new Map();

function resultOf(method, params) {
  if (method === 'initialize') {
    const { protocolVersion } = params;
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1' } };
  }
  if (method === 'tools/list') return { tools };
  if (method !== 'tools/call') return null;
  const { n } = params.arguments;
  counts.set(n, (counts.get(n) ?? 0) + 1);
  return { content: [{ type: 'text', text: 'done' }] };
}

async function answer(request, response) {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, method, params } = body === '' ? {} : JSON.parse(body);
  if (id === undefined) {
    response.writeHead(request.method === 'POST' ? 202 : 405).end();
    return;
  }
  const result = resultOf(method, params);
  const outcome = result === null ? { error: { code: -32601, message: 'unknown' } } : { result };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
}

let server;

async function start() {
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/mcp` };
}

serveParent({ start, counts: () => [...counts] }, async () => {
  server?.closeAllConnections();
  server?.close();
});
