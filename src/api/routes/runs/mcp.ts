// `POST /mcp`: MCP over streamable HTTP, without sessions; each request is answered by itself.
import type { FastifyInstance } from 'fastify';
import { route } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { sendProblem } from '../../http/problems.ts';

/** A call of a tool waits for people, as long as a stream: any other is answered at once. */
const asksPeople = (body: unknown): boolean =>
  [body]
    .flat()
    .some((one) => typeof one === 'object' && one !== null && 'method' in one && one.method === 'tools/call');

export function mcpRoutes(app: FastifyInstance, api: ApiContext): void {
  app.post(
    '/mcp',
    route('caller', 'agents', {
      summary: 'MCP server (streamable HTTP): ask_user, approve_tool_call',
      description: 'JSON-RPC 2.0 as in the Model Context Protocol; answers are JSON or an event stream.',
    }),
    async (request, reply) => {
      // Few installations ask by MCP, and its SDK is a tenth of the api's code.
      const [{ StreamableHTTPServerTransport }, { createMcpServer }] = await Promise.all([
        import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
        import('../../mcp/tools.ts'),
      ]);
      const lease = asksPeople(request.body)
        ? api.streams.count(request, reply, 'mcp')
        : api.streams.watch(request, reply);
      const server = createMcpServer({ api, principal: request.principal, lease });
      const transport = new StreamableHTTPServerTransport({});
      reply.hijack();
      reply.raw.setHeader('x-request-id', request.id);
      reply.raw.once('close', () => {
        void transport.close();
        void server.close();
      });
      await server.connect(transport);
      await transport.handleRequest(request.raw, reply.raw, request.body);
    },
  );
  for (const method of ['GET', 'DELETE'] as const) {
    app.route({
      method,
      url: '/mcp',
      config: { access: 'caller' },
      schema: { hide: true },
      // There is no session to listen to or to end; the protocol expects 405.
      handler: async (request, reply) =>
        sendProblem(request, reply.header('allow', 'POST'), {
          code: 'input_invalid',
          detail: 'this MCP server keeps no sessions: use POST',
          status: 405,
        }),
    });
  }
}
