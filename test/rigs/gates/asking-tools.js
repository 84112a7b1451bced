// A server of MCP on the SDK of the older revisions, whose tools ask a form each, and say what came.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';

const form = {
  message: 'How many seats?',
  requestedSchema: {
    type: 'object',
    properties: {
      seats: { type: 'integer', minimum: 1, maximum: 8 },
      room: { type: 'string', enum: ['inside', 'outside'] },
    },
    required: ['seats'],
  },
};
const shown = (came) => ({ content: [{ type: 'text', text: JSON.stringify(came) }] });
const whyNot = ({ message }) => shown({ failed: message });

export function createAskingServer() {
  const server = new McpServer({ name: 'asking', version: '1' });
  // Over HTTP it asks by the stream of what it sends of itself.
  server.registerTool('book', { description: 'Books a table.' }, () =>
    server.server.elicitInput(form).then(shown, whyNot),
  );
  // By the stream of the call; `hurry` waits for three seconds.
  server.registerTool('seat', { description: 'Finds a seat.' }, (extra) =>
    extra.sendRequest({ method: 'elicitation/create', params: form }, ElicitResultSchema).then(shown, whyNot),
  );
  server.registerTool('hurry', { description: 'Finds a seat at once.' }, (extra) =>
    extra
      .sendRequest({ method: 'elicitation/create', params: form }, ElicitResultSchema, { timeout: 3_000 })
      .then(shown, whyNot),
  );
  return server;
}
