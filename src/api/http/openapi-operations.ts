// What each operation of the published document has in addition to its route's own schemas: a name for generated clients, and refusals.
import { problems } from '../../contract/base/problem.ts';

interface Operation {
  operationId?: string;
  responses?: Record<string, { description?: string; content?: Record<string, unknown> }>;
}
type Paths = Record<string, Record<string, Operation>>;

const problemRef = { $ref: '#/components/schemas/Problem' };
const problemType = 'application/problem+json';
const text = { type: 'string' };

/** The body of every refusal and failure (RFC 9457). */
export const problemSchema = {
  type: 'object',
  properties: {
    type: { ...text, examples: ['urn:standfast:problem:not_found'] },
    title: { ...text, examples: [problems.not_found.title] },
    status: { type: 'integer', examples: [problems.not_found.http] },
    code: {
      ...text,
      description: `One of docs/errors.md: ${Object.keys(problems).join(', ')}`,
      examples: ['not_found'],
    },
    detail: { ...text, description: 'What was wrong, where, and what to do.' },
    requestId: text,
    errors: {
      type: 'array',
      items: { type: 'object', properties: { path: text, message: text }, required: ['path', 'message'] },
    },
  },
  required: ['type', 'title', 'status', 'code', 'detail', 'requestId'],
};

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** The method, then the words of the path, a parameter after By: getTasksByIdTimeline. */
export function operationIdOf(method: string, path: string): string {
  // The addresses of AG-UI are those of no other route with the same words.
  const own = path.startsWith('/agents') ? `/agui${path}` : path.replace(/^\/api\//, '/');
  const words = own.split('/').flatMap((part) => {
    const named = /^\{(\w+)\}$/.exec(part)?.[1];
    return named === undefined ? part.split(/[^A-Za-z0-9]+/) : ['by', named];
  });
  return method + words.map(capital).join('');
}

const reasons = { '4XX': 'Refused, with why', '5XX': 'Failed, or not possible now' };

/** The operation with its name, and with the problems that it may end with. */
function described(method: string, path: string, operation: Operation): Operation {
  const responses = Object.entries(operation.responses ?? {}).map(([status, response]): [string, object] =>
    // A refusal may have the status of an answer.
    /^[45]/.test(status)
      ? [status, { ...response, content: { ...response.content, [problemType]: { schema: problemRef } } }]
      : [status, response],
  );
  const refused = Object.entries(reasons).map(([status, description]): [string, object] => [
    status,
    { description, content: { [problemType]: { schema: problemRef } } },
  ]);
  return {
    operationId: operationIdOf(method, path),
    ...operation,
    responses: Object.fromEntries([...responses, ...refused]),
  };
}

export const describedPaths = (paths: object): object =>
  Object.fromEntries(
    // Safe: the document's paths, as OpenAPI has them.
    Object.entries(paths as Paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [method, described(method, path, operation)]),
      ),
    ]),
  );
