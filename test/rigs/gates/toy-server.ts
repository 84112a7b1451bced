// An MCP server behind a gate, in this process: it writes down each call, and fails, hangs or changes its tools as a test wants.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, inputRequired, inputResponse, Server } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Supervisor } from '../process/supervisor.ts';

export interface ToyServer {
  url: string;
  /** Calls of tools, in their order. */
  calls: { tool: string; args: JsonObject }[];
  /** The credential of each request. */
  seen: Set<string | undefined>;
  tools: JsonObject[];
  /** How many connections were opened to it. */
  connections: number;
  /** A form that each call asks first; null: none. */
  form: JsonObject | null;
  /** What a call does; missing: it answers. */
  onCall: ((tool: string) => Promise<void>) | null;
}

const args = { type: 'object', properties: { amount: { type: 'number' }, to: { type: 'string' } } };
export const toyTools = (): JsonObject[] => [
  { name: 'read_note', description: 'Reads a note.', inputSchema: args, annotations: { readOnlyHint: true } },
  { name: 'pay', description: 'Pays somebody.', inputSchema: args },
  { name: 'set_note', description: 'Sets a note.', inputSchema: args, annotations: { idempotentHint: true } },
  { name: 'drop_all', description: 'Deletes all notes.', inputSchema: args, annotations: { destructiveHint: true } },
];

export async function startToyServer(supervisor: Supervisor): Promise<ToyServer> {
  const toy: ToyServer = {
    url: '',
    calls: [],
    seen: new Set(),
    tools: toyTools(),
    connections: 0,
    form: null,
    onCall: null,
  };
  const create = (): Server => {
    const server = new Server({ name: 'toy', version: '1' }, { capabilities: { tools: {} } });
    // Safe, here and below: what tests write there.
    server.setRequestHandler('tools/list', async () => ({ tools: toy.tools }) as never);
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const { name, arguments: given = {} } = params;
      const came = inputResponse(mcpReq.inputResponses, 'form');
      if (toy.form !== null && came.kind === 'missing')
        return inputRequired({ inputRequests: { form: inputRequired.elicit(toy.form as never) } });
      toy.calls.push({ tool: name, args: given as JsonObject });
      await toy.onCall?.(name);
      return {
        content: [{ type: 'text', text: `${name} is done${came.kind === 'missing' ? '' : JSON.stringify(came)}` }],
      };
    });
    return server;
  };
  const handler = createMcpHandler(create);
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      toy.seen.add(request.headers.authorization);
      const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : [],
      );
      const hasBody = request.method === 'POST';
      const asked = new Request(`http://127.0.0.1${request.url ?? '/'}`, {
        method: request.method ?? 'GET',
        headers,
        ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
      });
      const answer = await handler.fetch(asked);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body === null) response.end();
      else Readable.fromWeb(answer.body as never).pipe(response);
    })().catch(() => response.destroy());
  });
  server.on('connection', () => (toy.connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  supervisor.defer(async () => {
    server.closeAllConnections();
    server.close();
  });
  toy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return toy;
}

export const rulesOfToy = [
  { tool: 'read_*', then: 'pass' },
  { tool: 'pay', data: 'amount <= 10', then: 'pass' },
  { tool: 'drop_all', then: 'refuse' },
];
