// The SDK's transports are written for express: each call is handed to them with its caller, once its body has been read.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2A_VERSION_HEADER } from '@a2a-js/sdk';
import { isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3';
import { RequestMalformedError, toRestErrorBody } from '@a2a-js/sdk/errors';
import { agentCardHandler, jsonRpcHandler, restHandler } from '@a2a-js/sdk/server/express';
import express from 'express';
import { z } from 'zod';
import type { ApiContext } from '../api-context.ts';
import type { Caller } from './caller.ts';
import { createRequestHandler } from './request-handler.ts';

/** What came as body; `broken`: it is no JSON. */
export type CallBody = { isBroken: false; json: unknown } | { isBroken: true; why: string };

export interface Calls {
  /** Answers a call; `path` is what follows the agent's address and begins with `/`. */
  handle(call: {
    agent: string;
    path: string;
    body: CallBody;
    caller: Caller;
    request: IncomingMessage;
    response: ServerResponse;
  }): void;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export const cardPath = '/.well-known/agent-card.json';

/** JSON-RPC's own codes. */
const parseError = -32_700;
const invalidRequest = -32_600;

const EnvelopeSchema = z.object({
  jsonrpc: z.literal('2.0'),
  method: z.string().min(1),
  id: z.union([z.string(), z.int(), z.null()]).optional(),
});

/** The id of a request that is otherwise none. */
function idIn(body: unknown): string | number | null {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** What the SDK would call invalid parameters: the request itself is none. */
function envelopeFault(body: unknown): string | null {
  const [fault] = EnvelopeSchema.safeParse(body).error?.issues ?? [];
  return fault === undefined ? null : `${fault.path.join('.') || 'the request'}: ${fault.message}`;
}

export function createCalls(api: ApiContext): Calls {
  const handlers = new Map<string, Handler>();
  const callers = new WeakMap<object, Caller>();

  function handlerOf(agent: string): Handler {
    const known = handlers.get(agent);
    if (known !== undefined) return known;
    const requestHandler = createRequestHandler(api, agent);
    const legacyCompat = { enabled: true };
    const userBuilder = (request: object): Promise<Caller> => {
      const caller = callers.get(request);
      return caller === undefined ? Promise.reject(new Error('a call without a caller')) : Promise.resolve(caller);
    };
    const rpc = jsonRpcHandler({ requestHandler, userBuilder, legacyCompat });
    const rest = restHandler({ requestHandler, userBuilder, legacyCompat });
    const app = express().disable('x-powered-by');
    app.use(cardPath, agentCardHandler({ agentCardProvider: requestHandler, legacyCompat, cache: { maxAge: 60 } }));
    app.use((request, response, next) => (isRpc(request) ? rpc : rest)(request, response, next));
    handlers.set(agent, app);
    return app;
  }

  return {
    handle({ agent, path, body, caller, request, response }) {
      request.url = path;
      if (body.isBroken) return answerBroken(request, response, { code: parseError, why: body.why, id: null });
      const fault = isRpc(request) ? envelopeFault(body.json) : null;
      if (fault !== null)
        return answerBroken(request, response, { code: invalidRequest, why: fault, id: idIn(body.json) });
      callers.set(request, caller);
      request.headers[versionHeader] ??= isNew(request, body.json) ? '1.0' : '0.3';
      // What has been read is not read again.
      Object.assign(request, { body: body.json });
      return handlerOf(agent)(request, response);
    },
  };
}

const isRpc = ({ method, url = '' }: IncomingMessage): boolean => method === 'POST' && /^\/(\?|$)/.test(url);

const versionHeader = A2A_VERSION_HEADER.toLowerCase();

/**
 * A caller that names no version speaks 0.3, says 1.0; callers exist that forget it. Methods and paths of the two have nothing in
 * common, so how a call is written tells.
 */
function isNew(request: IncomingMessage, body: unknown): boolean {
  const { url = '' } = request;
  if (url.startsWith(cardPath)) return false;
  if (!isRpc(request)) return !url.startsWith('/v1/');
  const method = typeof body === 'object' && body !== null && 'method' in body ? body.method : '';
  return typeof method === 'string' && isV1JsonRpcMethod(method);
}

function answerBroken(
  request: IncomingMessage,
  response: ServerResponse,
  { code, why, id }: { code: number; why: string; id: string | number | null },
): void {
  const [status, body] = isRpc(request)
    ? [200, { jsonrpc: '2.0', id, error: { code, message: why } }]
    : [400, toRestErrorBody(new RequestMalformedError(why), 400)];
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
