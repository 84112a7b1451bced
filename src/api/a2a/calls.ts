// The SDK's transports are written for express: each call is passed to them with its caller, once its body was read.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2A_CONTENT_TYPE } from '@a2a-js/sdk';
import { agentCardHandler, jsonRpcHandler, restHandler } from '@a2a-js/sdk/server/express';
import express, { type NextFunction, type Request, type Response } from 'express';
import { isObject } from '../../core/base/json.ts';
import type { Caller } from './caller.ts';
import { writeCard } from './agent-card.ts';
import {
  answerFault,
  answerOutage,
  type CallBody,
  cardPath,
  faultOf,
  isRpc,
  versionHeader,
  versionOf,
  withoutInternals,
} from './protocol-faults.ts';
import { createRequestHandler, type ServingApi } from './request-handler.ts';
import type { WithLog } from '../api-parts.ts';

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

export function createCalls(api: ServingApi): Calls {
  const handlers = new Map<string, Handler>();
  const callers = new WeakMap<object, Caller>();

  function answerOutages(request: Request, response: Response, next: NextFunction): void {
    const caller = callers.get(request);
    const json = response.json.bind(response);
    if (caller !== undefined) response.json = (body: unknown) => json(answerOutage(response, caller, body));
    next();
  }

  function handlerOf(agent: string): Handler {
    const known = handlers.get(agent);
    if (known !== undefined) return known;
    const requestHandler = withoutInternals(createRequestHandler(api, agent), api);
    const legacyCompat = { enabled: true };
    const userBuilder = (request: object): Promise<Caller> => {
      const caller = callers.get(request);
      return caller === undefined ? Promise.reject(new Error('a call without a caller')) : Promise.resolve(caller);
    };
    const rpc = jsonRpcHandler({ requestHandler, userBuilder, legacyCompat });
    const rest = restHandler({ requestHandler, userBuilder, legacyCompat });
    const app = express().disable('x-powered-by');
    app.use(cardPath, (request, response, next) => void writeCard(api, agent, request, response, next));
    app.use(cardPath, agentCardHandler({ agentCardProvider: requestHandler, legacyCompat, cache: { maxAge: 60 } }));
    app.use(answerInKind);
    app.use(answerOk);
    app.post('/v1/tasks/:taskId/pushNotificationConfigs', unwrapPushConfig);
    app.use(answerOutages);
    app.use((request, response, next) => (isRpc(request) ? rpc : rest)(request, response, next));
    app.use(answerUnknown);
    app.use(answerFailure(api));
    handlers.set(agent, app);
    return app;
  }

  return {
    handle({ agent, path, body, caller, request, response }) {
      // An address ends in `/` and a path begins with one: many callers write both.
      const url = path.replace(/^\/{2,}/, '/');
      request.url = request.method === 'GET' && /^\/(\?|$)/.test(url) ? url.replace('/', cardPath) : url;
      const fault = faultOf(request, body);
      if (fault !== null) return answerFault(request, response, fault);
      const json = body.isBroken ? undefined : body.json;
      callers.set(request, caller);
      request.headers[versionHeader] = versionOf(request, json);
      // The body is not read again.
      Object.assign(request, { body: json });
      return handlerOf(agent)(request, response);
    },
  };
}

/** HTTP+JSON is `application/json` in A2A 1.0.0, and should be `application/a2a+json` since 1.0.1: who names that gets it. */
function answerInKind({ headers }: Request, response: Response, next: NextFunction): void {
  const mediaTypes = [headers['content-type'], headers.accept].join();
  if (!mediaTypes.includes(A2A_CONTENT_TYPE)) {
    const json = response.json.bind(response);
    response.json = (body: unknown) => json.call(response.set('content-type', 'application/json'), body);
  }
  next();
}

/**
 * What succeeds is 200, as A2A's proto is written over HTTP; the SDK says 201 and 204, which callers on Go and Python take for a
 * failure. What has nothing to say is `{}`.
 */
function answerOk(_request: Request, response: Response, next: NextFunction): void {
  const status = response.status.bind(response);
  const end = response.end.bind(response);
  response.status = (code) => {
    if (code === 204) response.end = () => (response.set('content-type', 'application/json'), end('{}'));
    return status(code > 200 && code < 300 ? 200 : code);
  };
  next();
}

/**
 * The proto of A2A 0.3 has `body: "config"`; the Python SDK of 0.3 and the TCK send the whole request around it. A name that is
 * missing is that of the path.
 */
function unwrapPushConfig(request: Request, _response: Response, next: NextFunction): void {
  const body: unknown = request.body;
  if (isObject(body)) {
    const config = isObject(body['config']) ? body['config'] : body;
    request.body = { name: `tasks/${String(request.params['taskId'])}`, ...config };
  }
  next();
}

function answerUnknown({ method, path }: Request, response: Response): void {
  const message = `there is no method of A2A at ${method} ${path.slice(0, 200)}`;
  response.status(404).json({ error: { code: 404, status: 'NOT_FOUND', message, details: [] } });
}

const answerFailure =
  ({ log }: WithLog) =>
  (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
    log.error({ err: error }, 'a call over A2A failed');
    if (response.headersSent) return void response.destroy();
    const message = 'Standfast failed; the same request again is safe';
    response.status(500).json({ error: { code: 500, status: 'INTERNAL', message, details: [] } });
  };
