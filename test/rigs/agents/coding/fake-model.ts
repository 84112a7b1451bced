// A model as coding agents reach it, at an address of this machine: the interfaces of Anthropic's and Google's models, with one
// call of a tool for an answer, and `done` after its result. What an agent asks of other addresses is refused.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Supervisor } from '../../process/supervisor.ts';
import { waitFor } from '../../wait-for.ts';

export interface ToolCall {
  name: string;
  input: object;
}

export interface FakeModel {
  url: string;
  /** For `HTTPS_PROXY`: nothing gets through. */
  proxyUrl: string;
  /** What the agent gives back as the result of the call. */
  result(): Promise<string>;
}

const RequestSchema = z.looseObject({
  stream: z.boolean().default(false),
  model: z.string().default(''),
  tools: z.array(z.unknown()).default([]),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })).default([]),
  contents: z
    .array(z.looseObject({ parts: z.array(z.looseObject({ functionResponse: z.unknown().optional() })) }))
    .default([]),
  generationConfig: z.looseObject({ responseMimeType: z.string().optional() }).default({}),
});
type Request = z.infer<typeof RequestSchema>;

const ResultsSchema = z.array(z.looseObject({ type: z.literal('tool_result') })).min(1);

/** What the request has of the call's result; undefined before it was made. */
function resultIn({ messages, contents }: Request): string | undefined {
  const given = messages.find(({ content }) => ResultsSchema.safeParse(content).success)?.content;
  const found = given ?? contents.flatMap(({ parts }) => parts).find((part) => part.functionResponse !== undefined);
  return found === undefined ? undefined : JSON.stringify(found);
}

const usage = { input_tokens: 10, output_tokens: 5 };

function asAnthropic(request: Request, call: ToolCall | null, response: ServerResponse): void {
  const block =
    call === null
      ? { type: 'text', text: 'done' }
      : { type: 'tool_use', id: `toolu_${randomUUID()}`, name: call.name, input: call.input };
  const stop = { stop_reason: call === null ? 'end_turn' : 'tool_use', stop_sequence: null };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: request.model, usage };
  if (!request.stream) {
    response.end(JSON.stringify({ ...message, ...stop, content: [block] }));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const write = (type: string, data: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const delta =
    call === null
      ? { type: 'text_delta', text: 'done' }
      : { type: 'input_json_delta', partial_json: JSON.stringify(call.input) };
  write('message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null } });
  write('content_block_start', {
    index: 0,
    content_block: { ...block, ...(call === null ? { text: '' } : { input: {} }) },
  });
  write('content_block_delta', { index: 0, delta });
  write('content_block_stop', { index: 0 });
  write('message_delta', { delta: stop, usage });
  write('message_stop', {});
  response.end();
}

/** Gemini CLI first asks for JSON which of its models is to answer. */
const choice = { complexity_reasoning: 'easy', complexity_score: 1 };

function asGoogle(request: Request, call: ToolCall | null, isStreamed: boolean, response: ServerResponse): void {
  const isChoice = request.generationConfig.responseMimeType === 'application/json';
  const called =
    call === null ? { text: 'done' } : { functionCall: { id: 'call-1', name: call.name, args: call.input } };
  const parts = [isChoice ? { text: JSON.stringify(choice) } : called];
  const body = JSON.stringify({
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  });
  if (isStreamed) response.setHeader('content-type', 'text/event-stream');
  response.end(isStreamed ? `data: ${body}\n\n` : body);
}

async function listening(supervisor: Supervisor, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  supervisor.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A model that answers with this call once. */
export async function startFakeModel(supervisor: Supervisor, call: ToolCall): Promise<FakeModel> {
  let result: string | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = RequestSchema.safeParse(JSON.parse((await text(request)) || '{}'));
    const path = request.url ?? '';
    response.setHeader('content-type', 'application/json');
    if (!body.success || !/messages|[gG]enerateContent/.test(path)) {
      response.writeHead(404).end('{}');
      return;
    }
    result ??= resultIn(body.data);
    // Requests without that tool are the agent's own (a title, a topic).
    const isCalled = result === undefined && JSON.stringify(body.data.tools).includes(`"${call.name}"`);
    if (path.includes('/messages')) asAnthropic(body.data, isCalled ? call : null, response);
    else asGoogle(body.data, isCalled ? call : null, path.includes('stream'), response);
  };
  const model = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const proxy = createServer((_request, response) => void response.writeHead(502).end());
  proxy.on('connect', (_request, socket) => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  return {
    url: await listening(supervisor, model),
    proxyUrl: await listening(supervisor, proxy),
    result: () => waitFor(() => result, 60_000, `the result of ${call.name}`),
  };
}
