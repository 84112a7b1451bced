// An MCP server with two tools, to try a gate with: notes are read and written in the file that it is given. Over standard input and
// output, as `standfast up` starts it behind the gate `demo`.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const file = process.argv[2] ?? 'notes.txt';
const tools = [
  {
    name: 'read_notes',
    description: 'Reads all notes.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'write_note',
    description: 'Adds a note for everybody.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: { destructiveHint: false },
  },
];
const words = (text, isError = false) => ({ content: [{ type: 'text', text }], isError });

function call({ name, arguments: args = {} }) {
  if (name === 'read_notes') return words(existsSync(file) ? readFileSync(file, 'utf8') : 'There are no notes.');
  if (name !== 'write_note' || typeof args.text !== 'string') return words('write_note takes a text', true);
  appendFileSync(file, `${args.text.replaceAll(/\s+/g, ' ')}\n`);
  return words('It is written.');
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': call,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params ?? {});
  const outcome = result === undefined ? { error: { code: -32601, message: `unknown: ${method}` } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
}
