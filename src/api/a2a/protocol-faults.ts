// What is wrong with a call before any method runs, and what a caller may know of an internal failure.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2A_CONTENT_TYPE, A2A_VERSION_HEADER } from '@a2a-js/sdk';
import { isLegacyJsonRpcMethod, isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3';
import {
  A2AError,
  ContentTypeNotSupportedError,
  RequestMalformedError,
  restStatusFor,
  toJsonRpcError,
  toRestErrorBody,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { z } from 'zod';
import { problems } from '../../contract/base/problem.ts';
import { oneLine } from '../../contract/base/text.ts';
import { isObject } from '../../core/base/json.ts';
import { type Problem, problemOf, retryAfterS } from '../http/problems.ts';
import { Caller } from './caller.ts';
import type { WithLog } from '../api-parts.ts';

/** The body; `broken`: it is not JSON. */
export type CallBody = { isBroken: false; json: unknown } | { isBroken: true; why: string };

export const cardPath = '/.well-known/agent-card.json';
export const versionHeader = A2A_VERSION_HEADER.toLowerCase();

export const isRpc = ({ method, url = '' }: IncomingMessage): boolean => method === 'POST' && /^\/(\?|$)/.test(url);

/** JSON-RPC's own codes. */
const parseError = -32_700;
const invalidRequest = -32_600;
const methodNotFound = -32_601;

const EnvelopeSchema = z.object({
  jsonrpc: z.literal('2.0'),
  method: z.string().min(1),
  // The SDK prints it to the console.
  id: z
    .union([
      z
        .string()
        .regex(/^\P{Cc}*$/u, 'expected no control characters')
        .max(500),
      z.int(),
      z.null(),
    ])
    .optional(),
});

/** `code`: one of JSON-RPC itself, in place of the error's own. */
interface ProtocolFault {
  error: A2AError;
  code?: number;
  id: string | number | null;
}

/** Empty where the request names none. */
const mediaTypeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').replace(/;.*/s, '').trim().toLowerCase();

export function faultOf(request: IncomingMessage, body: CallBody): ProtocolFault | null {
  const type = mediaTypeOf(request);
  if (!['', 'application/json', A2A_CONTENT_TYPE].includes(type)) {
    const why = `the body is ${type.slice(0, 100)}; expected application/json or ${A2A_CONTENT_TYPE}`;
    return { error: new ContentTypeNotSupportedError(why), id: body.isBroken ? null : idIn(body.json) };
  }
  if (body.isBroken) return { error: new RequestMalformedError(body.why), code: parseError, id: null };
  const wrongName = misnamed(isRpc(request) && isObject(body.json) ? body.json['params'] : body.json);
  if (wrongName !== null) return { error: new RequestMalformedError(wrongName), id: idIn(body.json) };
  return isRpc(request) ? envelopeFault(body.json) : null;
}

/** The SDK would report invalid parameters, but the request itself is invalid. */
function envelopeFault(json: unknown): ProtocolFault | null {
  const envelope = EnvelopeSchema.safeParse(json);
  const [issue] = envelope.error?.issues ?? [];
  const id = idIn(json);
  if (issue !== undefined) {
    const why = `${issue.path.join('.') || 'the request'}: ${issue.message}`;
    return { error: new RequestMalformedError(why), code: invalidRequest, id };
  }
  const { method = '' } = envelope.data ?? {};
  if (isV1JsonRpcMethod(method) || isLegacyJsonRpcMethod(method)) return null;
  return { error: new RequestMalformedError(`there is no method ${method.slice(0, 100)}`), code: methodNotFound, id };
}

/** The SDK turns any JSON value of an id into a text: two different messages would have the same. */
function misnamed(params: unknown): string | null {
  const message = isObject(params) ? params['message'] : undefined;
  if (!isObject(message)) return null;
  const names = ['messageId', 'message_id', 'taskId', 'task_id', 'contextId', 'context_id'];
  const wrong = names.find((name) => message[name] != null && typeof message[name] !== 'string');
  return wrong === undefined ? null : `message.${wrong}: expected a text`;
}

/** The id of an otherwise invalid request. */
function idIn(body: unknown): string | number | null {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

export function answerFault(
  request: IncomingMessage,
  response: ServerResponse,
  { error, code, id }: ProtocolFault,
): void {
  const status = isRpc(request) ? 200 : restStatusFor(error);
  const rpcError = code === undefined ? toJsonRpcError(error) : { code, message: error.message };
  const body = isRpc(request) ? { jsonrpc: '2.0', id, error: rpcError } : toRestErrorBody(error, status);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/**
 * Major and minor version of the protocol that a call speaks. By A2A 1.0 a caller that names none speaks 0.3, but some
 * callers of 1.0 forget the header. Methods and paths of the two differ, so the form of the call decides.
 */
export function versionOf(request: IncomingMessage, body: unknown): string {
  const { url = '', headers } = request;
  const named = [headers[versionHeader]].flat()[0] ?? '';
  const version = (named.trim() || (new URL(url, 'http://any').searchParams.get(A2A_VERSION_HEADER) ?? '')).trim();
  // The refusal names the unsupported version, and the SDK prints it.
  if (version !== '') return /^\d+\.\d+(?=\.\d+$)/.exec(version)?.[0] ?? oneLine(version.slice(0, 100));
  return isNew(request, body) ? '1.0' : '0.3';
}

function isNew(request: IncomingMessage, body: unknown): boolean {
  const { url = '' } = request;
  if (url.startsWith(cardPath)) return false;
  if (!isRpc(request)) return !url.startsWith('/v1/');
  const method = typeof body === 'object' && body !== null && 'method' in body ? body.method : '';
  return typeof method === 'string' && isV1JsonRpcMethod(method);
}

/** What gRPC calls them; the SDK knows neither. */
const statusNames: Record<number, string> = { 429: 'RESOURCE_EXHAUSTED', 503: 'UNAVAILABLE' };

/** Standfast's own refusal in A2A's words; the SDK reads the HTTP status from it, which JSON-RPC has no place for. */
class ProblemError extends A2AError {
  readonly transport = 'rest';
  readonly statusCode: number;
  override readonly reason: string;
  constructor({ code, detail }: Problem) {
    super(detail);
    this.name = 'ProblemError';
    this.statusCode = problems[code].http ?? 500;
    this.reason = code.toUpperCase();
  }
}

/**
 * The same methods, whose errors a caller may know: of an internal failure they learn only that there was one, and the log gets the
 * rest. A passing failure is noted with the caller.
 */
export function withoutInternals(handler: A2ARequestHandler, { log }: WithLog): A2ARequestHandler {
  const shown = (error: unknown, args: unknown[]): unknown => {
    if (error instanceof A2AError) return inOneLine(error);
    const problem = problemOf(error);
    if (problem.code === 'internal') {
      log.error({ err: error }, 'a call over A2A failed');
      return new Error('Standfast failed; the same request again is safe');
    }
    const refusal = new ProblemError(problem);
    const caller = callerIn(args);
    if (caller !== null && problems[problem.code].isRetryable) caller.passingStatus = refusal.statusCode;
    return inOneLine(refusal);
  };
  const stream = <A extends unknown[], T>(method: (...args: A) => AsyncGenerator<T, void, undefined>) =>
    async function* (...args: A): AsyncGenerator<T, void, undefined> {
      try {
        yield* method(...args);
      } catch (error) {
        throw shown(error, args);
      }
    };
  const once =
    <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      method(...args).catch((error: unknown) => {
        throw shown(error, args);
      });
  return {
    getAgentCard: once(handler.getAgentCard),
    getAuthenticatedExtendedAgentCard: once(handler.getAuthenticatedExtendedAgentCard),
    sendMessage: once(handler.sendMessage),
    sendMessageStream: stream(handler.sendMessageStream),
    resubscribe: stream(handler.resubscribe),
    getTask: once(handler.getTask),
    cancelTask: once(handler.cancelTask),
    listTasks: once(handler.listTasks),
    createTaskPushNotificationConfig: once(handler.createTaskPushNotificationConfig),
    getTaskPushNotificationConfig: once(handler.getTaskPushNotificationConfig),
    listTaskPushNotificationConfigs: once(handler.listTaskPushNotificationConfigs),
    deleteTaskPushNotificationConfig: once(handler.deleteTaskPushNotificationConfig),
  };
}

/** The SDK passes its context to methods as the last argument. */
function callerIn(args: unknown[]): Caller | null {
  const context = args.at(-1);
  return isObject(context) && context['user'] instanceof Caller ? context['user'] : null;
}

/** The SDK prints errors of streams to the console: what a caller wrote must not look like lines of the log. */
function inOneLine(error: A2AError): A2AError {
  error.message = oneLine(error.message);
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

/** Of a passing refusal: its status and Retry-After, also in the bindings whose errors have no status of their own. */
export function answerOutage(response: ServerResponse, caller: Caller, body: unknown): unknown {
  if (caller.passingStatus === null || response.headersSent) return body;
  response.statusCode = caller.passingStatus;
  response.setHeader('retry-after', String(retryAfterS));
  const status = statusNames[caller.passingStatus];
  if (!isObject(body) || !isObject(body['error']) || status === undefined) return body;
  return body['error']['code'] === caller.passingStatus ? { ...body, error: { ...body['error'], status } } : body;
}
