// `POST /api/ask`: a question of a program that has no A2A task, over plain HTTP; the same as MCP's tools ask.
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  AskBodySchema,
  AskIdSchema,
  AskReplySchema,
  AskWaitSchema,
  FollowAsksBodySchema,
  FollowAsksReplySchema,
} from '../../../contract/views/ask.ts';
import type { AskBody, AskReply } from '../../../contract/views/ask.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import { whyNotSignalled, withCallback, type AskSignal } from '../../../core/questions/ask.ts';
import { askReplyOf } from '../../../core/questions/ask-answer.ts';
import { callersEgress, whyNotCalled } from '../../../host/net/egress.ts';
import { askedOf } from '../../ask/ask-body.ts';
import { answerOf, answersTo, askPeople } from '../../ask/ask-people.ts';
import { withdrawAsk } from '../../ask/withdraw-ask.ts';
import type { ApiContext } from '../../api-context.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { CallerLease } from '../../http/sse.ts';

const AskedSchema = z.object({ id: AskIdSchema.describe('the program’s own name of the question') });
const StrictSchema = z.object({
  strict: z
    .enum(['0', '1', 'false', 'true'])
    .optional()
    .describe('`1`: 200 is a yes or an answer alone; 409 is a no or another end, 408 a question that waits'),
});

const looseStatusOf = ({ status }: AskReply): 200 | 202 => (status === 'waiting' ? 202 : 200);

/** 200 is a yes, or an answer that is no decision; everything else is an error to `curl --fail`. */
function strictStatusOf({ status, verdict }: AskReply): 200 | 408 | 409 {
  if (status === 'waiting') return 408;
  return status === 'answered' && verdict !== 'no' ? 200 : 409;
}

const replies = { 200: AskReplySchema, 202: AskReplySchema, 408: AskReplySchema, 409: AskReplySchema };
const isStrict = ({ strict }: z.infer<typeof StrictSchema>): boolean => strict === '1' || strict === 'true';

const statusOf = (answer: AskReply, query: z.infer<typeof StrictSchema>): keyof typeof replies =>
  isStrict(query) ? strictStatusOf(answer) : looseStatusOf(answer);

function refuseEnded(lease: CallerLease): void {
  if (lease.isOver())
    throw new StandfastError(
      'not_authenticated',
      'the key of this call has ended; the question waits on for its owner',
    );
}

export function askRoutes(app: ApiApp, api: ApiContext): void {
  const egress = callersEgress(api.config);
  const { streams } = api;

  /** What waits counts as one of its caller's streams. */
  const leaseOf = (request: FastifyRequest, reply: FastifyReply, waitS: number): CallerLease =>
    waitS > 0 ? streams.count(request, reply, 'ask') : streams.watch(request, reply);

  async function replyTo(
    id: string,
    { principal }: Pick<Parameters<typeof api.streams.watch>[0], 'principal'>,
    wait: { seconds: number; lease: CallerLease; version?: number },
  ): Promise<AskReply> {
    const { seconds, lease, ...asked } = wait;
    const answer = await answerOf(api, id, principal, { timeoutMs: seconds * 1000, signal: lease.signal, ...asked });
    refuseEnded(lease);
    return askReplyOf(api, answer);
  }

  /** Throws where it may not be called. */
  function allowed(callback: NonNullable<AskBody['callback']>): { url: string } | { temporal: AskSignal } {
    if ('url' in callback) {
      const why = whyNotCalled(callback.url, egress);
      if (why !== null) throw new StandfastError('input_invalid', `callback.url: ${why}`);
      return callback;
    }
    const { namespace: own } = api.tasks;
    const { namespace = own, ...to } = callback.temporal;
    const temporal = { namespace, ...to };
    const why = whyNotSignalled(temporal, api.config.ask, own);
    if (why !== null) throw new StandfastError('forbidden', `callback.temporal: ${why}`);
    return { temporal };
  }

  app.post(
    '/api/ask',
    route('caller', 'holds', {
      summary: 'Ask people a question, or for approval of a tool call; 202 while there is no answer',
      description:
        'For programs without an A2A task. The same `id` again waits for the same answer, after a restart of the program too; with another question it is refused with `run_conflict`, unless `ifChanged` says otherwise. `version` names the question that a reply is about: one that replaces another has the next number. Ids are a space of each caller. `callback.url` is sent one POST `{type: "ask.ended", data: {id, version, holdId, status}}`, without the answer; `callback.temporal`, which `ask.signals` has to name, one signal with the reply. With `strict=1`, which needs an `id`, 200 is a yes or an answer alone: a no, an expiry and a withdrawal are 409, a question that still waits is 408, each with the same body.',
      querystring: StrictSchema,
      body: AskBodySchema,
      response: replies,
    }),
    async (request, reply) => {
      const { body, principal } = request;
      const { wait, callback, id = randomUUID() } = body;
      const lease = leaseOf(request, reply, wait);
      if (isStrict(request.query) && body.id === undefined)
        throw new StandfastError('input_invalid', 'id: missing; a strict call that is repeated without one asks again');
      const asked = askedOf(body, id);
      if (callback !== undefined) asked.question = withCallback(asked.question, { id, ...allowed(callback) });
      const version = await askPeople(api, asked, principal);
      const answer = await replyTo(id, request, { seconds: wait, lease, version });
      return reply.code(statusOf(answer, request.query)).send(answer);
    },
  );

  app.get(
    '/api/ask',
    route('caller', 'holds', {
      summary: 'The status of a question of this caller, by its id; waits up to `wait` seconds; 202 while it is open',
      querystring: AskedSchema.extend({
        wait: AskWaitSchema.describe('seconds to wait for the answer'),
        ...StrictSchema.shape,
      }),
      response: replies,
    }),
    async (request, reply) => {
      const { id, wait } = request.query;
      const lease = leaseOf(request, reply, wait);
      const answer = await replyTo(id, request, { seconds: wait, lease });
      return reply.code(statusOf(answer, request.query)).send(answer);
    },
  );

  app.post(
    '/api/ask/replies',
    route('caller', 'holds', {
      summary: 'Follow many questions of this caller by one request, which waits for the first of them',
      description:
        'Replies of those of `ids` that have ended (or, with `until: opened`, have their page), as soon as there is one; an empty list after `wait` seconds. Ask for the others again. Ids that nothing was asked under are in `unknown`.',
      body: FollowAsksBodySchema,
      response: { 200: FollowAsksReplySchema },
    }),
    async (request, reply) => {
      const { ids, until, wait } = request.body;
      const lease = leaseOf(request, reply, wait);
      const { signal } = lease;
      const found = await answersTo(api, ids, request.principal, { until, timeoutMs: wait * 1000, signal });
      refuseEnded(lease);
      return { items: found.answers.map((answer) => askReplyOf(api, answer)), unknown: found.unknown };
    },
  );

  app.delete(
    '/api/ask',
    route('caller', 'holds', {
      summary: 'Withdraw a question of this caller; one that was answered stays answered',
      querystring: AskedSchema,
      response: { 200: AskReplySchema, 202: AskReplySchema },
    }),
    async (request, reply) => {
      const { id } = request.query;
      await withdrawAsk(api, id, request.principal);
      const answer = await replyTo(id, request, { seconds: 0, lease: leaseOf(request, reply, 0) });
      return reply.code(looseStatusOf(answer)).send(answer);
    },
  );
}
