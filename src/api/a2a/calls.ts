// The SDK's transports are written for express: each call is handed to them with its caller, once its body has been read.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestMalformedError, toRestErrorBody } from '@a2a-js/sdk/errors';
import { agentCardHandler, jsonRpcHandler, restHandler } from '@a2a-js/sdk/server/express';
import express from 'express';
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

/** JSON-RPC's own code. */
const parseError = -32_700;

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
      if (body.isBroken) return answerBroken(request, response, body.why);
      callers.set(request, caller);
      // What has been read is not read again.
      Object.assign(request, { body: body.json });
      return handlerOf(agent)(request, response);
    },
  };
}

const isRpc = ({ method, url = '' }: IncomingMessage): boolean => method === 'POST' && /^\/(\?|$)/.test(url);

function answerBroken(request: IncomingMessage, response: ServerResponse, why: string): void {
  const [status, body] = isRpc(request)
    ? [200, { jsonrpc: '2.0', id: null, error: { code: parseError, message: why } }]
    : [400, toRestErrorBody(new RequestMalformedError(why), 400)];
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
