// The asking server over streamable HTTP, with a session for each client.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Supervisor } from '../process/supervisor.ts';
import { createAskingServer } from './asking-tools.js';

export interface AskingOverHttp {
  url: string;
  /** How many clients have opened the stream of what it sends of itself: before that it loses what it asks there. */
  streams(): number;
}

export async function startAskingOverHttp(supervisor: Supervisor): Promise<AskingOverHttp> {
  const listening: ServerResponse[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  async function transportOf({ headers }: IncomingMessage): Promise<StreamableHTTPServerTransport> {
    const known = sessions.get(String(headers['mcp-session-id']));
    if (known !== undefined) return known;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createAskingServer().connect(transport);
    return transport;
  }
  const server = createServer((request, response) => {
    if (request.method === 'GET') listening.push(response);
    void transportOf(request)
      .then((transport) => transport.handleRequest(request, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  supervisor.defer(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    streams: () => listening.filter(({ headersSent }) => headersSent).length,
  };
}
