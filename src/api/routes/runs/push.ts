// Push notifications of agents (A2A 1.0 §9.5, 0.3 §9.5): a hint that a task has moved. Nothing of it is believed but the
// name of a task that is watched anyway, and the answer does not show whether it is.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { StandfastError } from '../../../core/base/errors.ts';
import { pushTokenOf } from '../../../host/secrets/tokens.ts';
import type { ApiContext } from '../../api-context.ts';
import { parseJson } from '../../http/json-body.ts';
import { AgentParamsSchema } from '../../http/query-params.ts';

const maxBodyBytes = 1024 * 1024;
const maxIdLength = 200;

const NamedSchema = z.looseObject({
  id: z.string().optional(),
  taskId: z.string().optional(),
  kind: z.string().optional(),
});
/** StreamResponse of 1.0, a task of either version, or an event of 0.3. */
const BodySchema = NamedSchema.extend({
  task: NamedSchema.optional(),
  statusUpdate: NamedSchema.optional(),
  artifactUpdate: NamedSchema.optional(),
  message: NamedSchema.optional(),
});

function taskIdIn(body: unknown): string | null {
  const read = BodySchema.safeParse(body);
  if (!read.success) return null;
  const { task, statusUpdate, artifactUpdate, message, taskId, id } = read.data;
  const named = task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId ?? message?.taskId ?? taskId ?? id;
  return named === undefined || named === '' || named.length > maxIdLength ? null : named;
}

/** As the SDKs send it, a2a-go without `X-`; some send only what `authentication` would contain. */
function tokenOf({ headers }: FastifyRequest): string {
  const own = headers['x-a2a-notification-token'] ?? headers['a2a-notification-token'];
  if (typeof own === 'string') return own;
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function pushRoutes(app: FastifyInstance, api: Pick<ApiContext, 'config' | 'metrics' | 'store'>): void {
  const tokens = new Map<string, string>();

  async function expectedToken(agent: string): Promise<string | null> {
    if (!Object.hasOwn(api.config.agents, agent)) return null;
    const token = tokens.get(agent) ?? (await pushTokenOf(api.store.settings, agent));
    tokens.set(agent, token);
    return token;
  }

  void app.register(async (scope) => {
    // The media type of A2A itself, which no other route takes.
    scope.addContentTypeParser('application/a2a+json', { parseAs: 'string' }, parseJson(app, { keepsDigits: true }));
    scope.withTypeProvider<ZodTypeProvider>().post(
      '/agents/:agent/push-notifications',
      {
        config: { access: 'public', isUncounted: true },
        bodyLimit: maxBodyBytes,
        // Before the body is read: nothing of a stranger's is parsed.
        onRequest: async (request) => {
          const { agent = '' } = request.params as { agent?: string };
          const expected = await expectedToken(agent);
          if (expected !== null && isSame(tokenOf(request), expected)) return;
          api.metrics.pushes.inc({ agent: expected === null ? 'unknown' : agent, result: 'refused' });
          throw new StandfastError('not_authenticated', 'send the token that the message to the agent brought');
        },
        schema: {
          tags: ['agents'],
          summary: 'Push notifications of an agent, with the token it was given: the task is polled soon',
          params: AgentParamsSchema,
          response: { 202: z.object({}) },
        },
      },
      async ({ params, body }, reply) => {
        const a2aTaskId = taskIdIn(body);
        if (a2aTaskId !== null) await api.store.tasks.watchNow(params.agent, a2aTaskId);
        api.metrics.pushes.inc({ agent: params.agent, result: a2aTaskId === null ? 'nameless' : 'taken' });
        return reply.code(202).send({});
      },
    );
  });
}
