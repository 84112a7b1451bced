// `POST /mcp`: MCP over streamable HTTP, without sessions; each request is answered alone, in the revision it names.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { route } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { sendProblem } from '../../http/problems.ts';
import { createCancelledCalls, sessionHeader } from '../../mcp/cancelled-calls.ts';
import { calls, serveMcp } from '../../mcp/serve.ts';

const headerOf = ({ headers }: FastifyRequest, name: string): string => [headers[name] ?? ''].flat()[0] ?? '';

export function mcpRoutes(app: FastifyInstance, api: ApiContext): void {
  const cancelled = createCancelledCalls();
  let isStopping = false;
  // Calls whose connections a stopping process closes were not cancelled by their clients.
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.post(
    '/mcp',
    route('caller', 'agents', {
      summary: 'MCP server (streamable HTTP): ask_user, approve_tool_call, permission_prompt',
      description: 'JSON-RPC 2.0 as in the Model Context Protocol; answers are JSON or an event stream.',
    }),
    async (request, reply) => {
      const { createMcpServer } = await import('../../mcp/tools.ts');
      // A tool's call waits for people, as long as a stream: any other but a subscription is answered at once.
      const lease = calls(request.body, 'tools/call', 'subscriptions/listen')
        ? api.streams.count(request, reply, 'mcp')
        : api.streams.watch(request, reply);
      const { principal } = request;
      const session = headerOf(request, sessionHeader);
      cancelled.read(principal, session, request.body);
      const caller = { api, principal, lease, session, cancelled, isStopping: () => isStopping };
      if (session === '' && calls(request.body, 'initialize')) void reply.header(sessionHeader, cancelled.newSession());
      return serveMcp(api, { request, reply, lease }, () => createMcpServer(caller));
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
