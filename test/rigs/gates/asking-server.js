// The asking server over standard input and output.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createAskingServer } from './asking-tools.js';

await createAskingServer().connect(new StdioServerTransport());
