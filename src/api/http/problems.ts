// Turns any error into application/problem+json: never 5xx for a client's mistake, never 4xx for the server's.
import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { problems, type ProblemCode } from '../../contract/base/problem.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { BadCursorError } from '../../store/database/cursor.ts';
import { StoreUnavailableError } from '../../store/store.ts';
import { drainBody } from './json-body.ts';

export interface Problem {
  code: ProblemCode;
  detail: string;
  errors?: { path: string; message: string }[];
  /** How a question ended, for who came too late. */
  end?: { ended: unknown; supersededBy: unknown };
  /** When it may be asked for again. */
  retryAfterS?: number;
  /** When it differs from the code's own (405). */
  status?: number;
}

/** Retry-After for outages, which are usually over by then. */
export const retryAfterS = 2;
const maxErrors = 50;

/** Codes that exist only in RUN_ERROR get the nearest HTTP status when REST meets them. */
const statusOfRunCode: Partial<Record<ProblemCode, number>> = { interrupt_unknown: 404 };

function statusOf(problem: Problem): number {
  return problem.status ?? problems[problem.code].http ?? statusOfRunCode[problem.code] ?? 409;
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const status = statusOf(problem);
  const { isRetryable, title } = problems[problem.code];
  if (problem.retryAfterS !== undefined) void reply.header('retry-after', String(problem.retryAfterS));
  if (isRetryable && !reply.hasHeader('retry-after')) void reply.header('retry-after', String(retryAfterS));
  void reply.header('x-request-id', request.id);
  // The headers that a route set for its answer do not hold for a refusal.
  void reply.header('cache-control', 'no-store');
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  const body = {
    type: `urn:standfast:problem:${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.detail,
    requestId: request.id,
    ...(problem.errors === undefined ? {} : { errors: problem.errors.slice(0, maxErrors) }),
    ...problem.end,
  };
  // Already JSON text: the route's own response schema does not apply.
  return reply.code(status).type('application/problem+json').serializer(String).send(JSON.stringify(body));
}

interface FastifyishError {
  code?: string;
  statusCode?: number;
  message: string;
}

/** What an error is to the caller; `internal` for every fault of Standfast. */
export function problemOf(error: unknown): Problem {
  if (error instanceof StandfastError) return ownProblem(error);
  if (error instanceof StoreUnavailableError) return { code: 'store_unavailable', detail: error.message };
  if (error instanceof BadCursorError) {
    return { code: 'input_invalid', detail: error.message, errors: [{ path: 'cursor', message: error.message }] };
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.map((one) => ({
      // Dotted, as all paths into what was sent.
      path: one.instancePath.replace(/^\//, '').replaceAll('/', '.'),
      message: describeInputErrors(one),
    }));
    const first = errors[0];
    const where = first === undefined || first.path === '' ? 'the request' : first.path;
    return { code: 'input_invalid', detail: `${where}: ${first?.message ?? 'is not valid'}`, errors };
  }
  return frameworkProblem(error as FastifyishError);
}

function ownProblem({ code, message, data }: StandfastError): Problem {
  const { errors, ended, supersededBy, retryAfterS: waitS } = data ?? {};
  const hasEnd = ended !== undefined || supersededBy !== undefined;
  return {
    code,
    detail: message,
    ...(errors === undefined ? {} : { errors }),
    ...(waitS === undefined ? {} : { retryAfterS: waitS }),
    ...(hasEnd ? { end: { ended: ended ?? null, supersededBy: supersededBy ?? null } } : {}),
  };
}

function frameworkProblem({ code, statusCode, message }: FastifyishError): Problem {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return { code: 'too_large', detail: message };
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || statusCode === 415) {
    return { code: 'input_invalid', detail: 'send JSON: Content-Type: application/json' };
  }
  if (statusCode === 404) return { code: 'not_found', detail: 'there is no such address' };
  if (statusCode === 429) return { code: 'rate_limited', detail: message };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return { code: 'input_invalid', detail: message };
  return { code: 'internal', detail: 'something failed on our side; the log names it by this request id' };
}

/** For what fails before there is a route, such as an address that cannot be decoded. */
export function answerFrameworkError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  void sendProblem(request, reply, problemOf(error));
}

/** Paths that exist under other methods, to tell 405 from 404. */
function createMethodFinder(app: FastifyInstance): (path: string) => string[] {
  const known: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', (route) => {
    // Answered for every address there may be.
    if (route.method === 'OPTIONS') return;
    const pattern = route.url
      .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/:[^/]+/g, '[^/]+')
      .replaceAll('*', '.*');
    known.push({ pattern: new RegExp(`^${pattern}/?$`), methods: [route.method].flat() });
  });
  return (path) => [...new Set(known.filter((one) => one.pattern.test(path)).flatMap((one) => one.methods))];
}

/** What a browser gets at an address that is nothing; null: it asked for something else than a page. */
type AnswerMissing = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;

export function answerProblems(app: FastifyInstance, answerMissing: AnswerMissing = () => null): void {
  const methodsOf = createMethodFinder(app);
  app.setErrorHandler(async (error, request, reply) => {
    const problem = problemOf(error);
    if (problem.code === 'too_large') await drainBody(request.raw);
    if (problem.code === 'store_unavailable') request.log.warn({ err: error, requestId: request.id }, 'no database');
    if (problem.code === 'internal') request.log.error({ err: error, requestId: request.id }, 'a request failed');
    return sendProblem(request, reply, problem);
  });
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request.url.split('?', 1)[0] ?? '');
    // Also what a handler of this very address did not find.
    if (methods.length === 0 || methods.includes(request.method))
      return (
        answerMissing(request, reply) ??
        sendProblem(request, reply, { code: 'not_found', detail: 'there is no such address' })
      );
    void reply.header('allow', methods.join(', '));
    return sendProblem(request, reply, {
      code: 'not_found',
      status: 405,
      detail: `${STATUS_CODES[405] ?? ''}: this address takes ${methods.join(', ')}`,
    });
  });
}

// What a schema found wrong, in plain words: zod's own speak of records and origins.

interface Found {
  /** Code of the fault. */
  keyword: string;
  message?: string | undefined;
  params: Record<string, unknown>;
}

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};
const units: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

/** Beginnings of zod's general messages: those written for a field are shown as they are. */
const unnamed = /^(Invalid (input|option)|Too (small|big))/;

function amount(origin: unknown, bound: unknown): string {
  const [one, many] = units[String(origin)] ?? ['', ''];
  return `${String(bound)} ${bound === 1 ? one : many}`.trimEnd();
}

function describeInputErrors({ keyword, message = 'is not valid', params }: Found): string {
  if (!unnamed.test(message)) return message;
  const { expected, origin, minimum, maximum, values } = params;
  switch (keyword) {
    case 'invalid_type':
      return `expected ${kinds[String(expected)] ?? String(expected)}`;
    case 'too_small':
      return `expected at least ${amount(origin, minimum)}`;
    case 'too_big':
      return `expected at most ${amount(origin, maximum)}`;
    case 'invalid_value':
      return Array.isArray(values) ? `expected ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}` : message;
    case 'invalid_union':
      return 'is not in any form that is taken here';
    default:
      return message;
  }
}
