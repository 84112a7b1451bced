// The tools of the bench: a server of MCP that answers at once and counts its calls by their number.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { toolListener } from '../test/rigs/gates/tool-listener.js';
import { serveParent } from './child.mjs';

const inputSchema = { type: 'object', properties: { n: { type: 'number' } } };
const tools = [
  { name: 'look', description: 'Looks.', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'pay', description: 'Pays.', inputSchema },
];
/** @type {Map<number, number>} */
const counts = new Map();

function call({ arguments: { n } }) {
  counts.set(n, (counts.get(n) ?? 0) + 1);
  return 'done';
}

let server;

async function start() {
  server = createServer(toolListener(tools, call));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/mcp` };
}

serveParent({ start, counts: () => [...counts] }, async () => {
  server?.closeAllConnections();
  server?.close();
});
