// An MCP server in a process of its own, which a test kills: it writes each call into a file before it does anything with it, and
// does not answer while the file `hang` is there.
import { appendFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toolListener } from './tool-listener.js';

const [port, dir] = process.argv.slice(2);
const tools = [
  { name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'pay', description: 'Pays somebody.', inputSchema: { type: 'object' } },
];

async function call({ name, arguments: args }) {
  appendFileSync(join(dir, 'calls'), `${JSON.stringify({ tool: name, args })}\n`);
  while (existsSync(join(dir, 'hang'))) await sleep(20);
  return `${name} is done`;
}

const server = createServer(toolListener(tools, call));
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
