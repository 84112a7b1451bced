// A program on an official JavaScript SDK of MCP: calls one tool, and prints what came of it, as python/mcp_caller.py does.
//
//     node mcp-caller.js <url> <@modelcontextprotocol/sdk|@modelcontextprotocol/client> <answer|give-up|cancel> <tool> '{"its": "arguments"}'
//
// `answer` waits for the result, `give-up` until people were asked and a second more, `cancel` until they were asked. The key is
// STANDFAST_API_KEY.
import { Client as NewestClient, StreamableHTTPClientTransport as NewestTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, sdk, verb, name, args] = process.argv.slice(2);
const isOlder = sdk === '@modelcontextprotocol/sdk';
const about = { name: 'a program', version: '1' };
const requestInit = { headers: { authorization: `Bearer ${process.env.STANDFAST_API_KEY}` } };
const pinned = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
const client = isOlder ? new Client(about) : new NewestClient(about, pinned);
const Transport = isOlder ? StreamableHTTPClientTransport : NewestTransport;
await client.connect(new Transport(new URL(url), { requestInit }));

const control = new AbortController();
const options = {
  signal: control.signal,
  timeout: verb === 'give-up' ? 11_000 : 700_000,
  onprogress: ({ message }) => {
    console.log(`asked: ${message}`);
    if (verb === 'cancel') control.abort();
  },
};
const call = { name, arguments: JSON.parse(args) };
try {
  const { structuredContent } = await (isOlder
    ? client.callTool(call, undefined, options)
    : client.callTool(call, options));
  console.log(JSON.stringify(structuredContent));
  await client.close();
} catch (error) {
  // What it sends about its end may still be under way: it is not closed.
  console.log(control.signal.aborted ? 'cancelled' : `gave up: ${error.message}`);
}
