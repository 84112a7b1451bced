// A server of MCP of a few lines, over HTTP without sessions, for tests and for the bench.

/**
 * @param {object[]} tools
 * @param {(call: { name: string, arguments: any }) => string | Promise<string>} call what the tool says
 * @returns {import('node:http').RequestListener}
 */
export function toolListener(tools, call) {
  const results = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'tools', version: '1' },
    }),
    'tools/list': () => ({ tools }),
    'tools/call': async (params) => ({ content: [{ type: 'text', text: await call(params) }] }),
  };
  const answer = async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    if (id === undefined) return response.writeHead(202).end();
    const result = await results[method]?.(params);
    const outcome = result === undefined ? { error: { code: -32601, message: `unknown: ${method}` } } : { result };
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
  };
  return (request, response) => void answer(request, response);
}
