// A server of MCP over standard input and output, on the SDK of the older revisions: its tool asks a form, and says what came.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'asking', version: '1' });
server.registerTool('book', { description: 'Books a table.' }, async () => {
  const requestedSchema = {
    type: 'object',
    properties: {
      seats: { type: 'integer', minimum: 1, maximum: 8 },
      room: { type: 'string', enum: ['inside', 'outside'] },
    },
    required: ['seats'],
  };
  const came = await server.server.elicitInput({ message: 'How many seats?', requestedSchema });
  return { content: [{ type: 'text', text: JSON.stringify(came) }] };
});
await server.connect(new StdioServerTransport());
