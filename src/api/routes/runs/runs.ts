// The AG-UI endpoint: RunAgentInput in, the run's events out. What the body alone shows to be wrong is refused before any
// stream; what needs the task's state is reported by RUN_ERROR.
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ThreadIdSchema } from '../../../contract/base/ids.ts';
import { callerThreadPrefix, isCallerThread } from '../../../contract/tasks/caller.ts';
import { tooLarge, tooMuch } from '../../../core/task/answer-size.ts';
import { assertNever, StandfastError } from '../../../core/base/errors.ts';
import { withoutCaller } from '../../../wire/a2a/caller/caller-message.ts';
import { readRunInput, type RunInput } from '../../../wire/agui/input/run-input.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { ApiContext } from '../../api-context.ts';
import { formatFor } from '../../http/formats.ts';
import type { Cut } from '../../http/sse.ts';
import { AgentParamsSchema } from '../../http/query-params.ts';
import { planEngram } from '../../engram/plan-engram.ts';
import { planRun } from '../../runs/plan-run.ts';
import type { RunPlan } from '../../runs/run-plan.ts';
import { runErrorOf } from '../../runs/run-stream.ts';
import { sealRun } from '../../holds/seal-answers.ts';
import { agentOf } from '../../agents/agent-access.ts';
import { pageSourceOf } from '../../auth/same-origin.ts';
import { hideFromStranger } from '../../auth/principal.ts';
import { chooseThread, possibleThreads, withPublicThread } from '../../runs/thread-space.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import type { RunLookup } from '../../../store/store.ts';

/** For the document only: bodies are read by `wire/agui`, which knows every version of the client. */
const BodySchema = z
  .looseObject({
    threadId: z.string(),
    runId: z.string(),
    messages: z.array(z.record(z.string(), z.unknown())),
    state: z.unknown().optional(),
    tools: z.array(z.unknown()).optional(),
    context: z.array(z.unknown()).optional(),
    forwardedProps: z.unknown().optional(),
    resume: z.array(z.record(z.string(), z.unknown())).optional(),
    protocolVersion: z.string().optional(),
  })
  .meta({ id: 'RunAgentInput' });

/** Larger than any execution could take in: that shows in the body alone. */
function refuseLarge(input: RunInput): RunInput {
  const payloads = (input.resume ?? []).map(({ payload }) => payload);
  const large = payloads.map(tooLarge).find((why) => why !== null) ?? tooMuch(payloads);
  if (large !== null) throw new StandfastError('too_large', `resume: ${large}`);
  return input;
}

function parse(body: unknown): RunInput {
  const read = readRunInput(withoutCaller(body));
  if (read.ok) return refuseLarge(read.input);
  const [first] = read.errors;
  const where = first === undefined || first.path === '' ? 'the body' : first.path;
  throw new StandfastError('input_invalid', `${where}: ${first?.message ?? 'is not valid'}`, {
    data: { errors: read.errors },
  });
}

/** Why a run is read no further, though it goes on. */
function cutError(why: Cut): StandfastError {
  switch (why) {
    case 'closing':
      return new StandfastError(
        'worker_unavailable',
        'Standfast is stopping; the run goes on, and the same runId reads it',
      );
    case 'signed_out':
      return new StandfastError(
        'not_authenticated',
        'the session or key of this reader has ended; the run goes on, and the same runId reads it after a new sign-in',
      );
    case 'failed':
      return new StandfastError('internal', 'the stream failed; the same runId reads it again');
    default:
      return assertNever(why);
  }
}

/** A run that is joined is named by an id of its own, and by the thread that it reads: nothing else is asked by. */
const joinedRun = /^([\da-f-]{36}):(.+)$/su;
const maxJoinedChars = 36 + 1 + 128;

/** The body of a run that sends nothing and restates what its thread has. */
function readingBody(joined: string): JsonObject {
  const [, runId, threadId] = joinedRun.exec(joined) ?? [];
  if (runId === undefined || threadId === undefined)
    throw new StandfastError('not_found', 'runId: there is no such run to join; ask by threadId which one there is');
  return { threadId, runId, messages: [], forwardedProps: { a2a: { subscribeOnly: true } } };
}

export function runRoutes(app: ApiApp, api: ApiContext): void {
  /** The run as it belongs to the caller's own thread of that id, with what is known of it. */
  async function ownThread(
    agent: string,
    input: RunInput,
    principal: Principal,
  ): Promise<{ input: RunInput; lookup: RunLookup | undefined }> {
    const meant = possibleThreads(input.threadId, principal);
    const lookups = await api.store.intake.findRuns({ agent, runId: input.runId }, meant);
    const [mine, plain] = lookups;
    const threadId = chooseThread(input.threadId, principal, mine?.thread ?? null, plain?.thread ?? null);
    const lookup = lookups[meant.indexOf(threadId)];
    // Ids of A2A callers' threads can be worked out from what they send: no other caller begins one.
    if (isCallerThread(threadId) && (lookup?.thread ?? null) === null)
      throw new StandfastError('input_invalid', `threadId: ids that begin with ${callerThreadPrefix} are A2A callers’`);
    return {
      input: threadId === input.threadId ? input : { ...input, threadId, body: { ...input.body, threadId } },
      lookup,
    };
  }

  async function planned(agent: string, request: FastifyRequest, body: unknown): Promise<RunPlan> {
    const { principal } = request;
    agentOf(api, agent, principal);
    // Before it acts; a run that is refused here was never asked for.
    api.streams.refuseTooMany(request, 'run');
    const { input, lookup } = await ownThread(agent, parse(body), principal);
    const source = pageSourceOf(request, api.publicUrl) ?? ('resume' as const);
    const ask = { agent, principal, lookup, source, ...(await sealRun(api, agent, input)) };
    return (await planEngram(api, ask)) ?? planRun(api, ask);
  }

  async function stream(
    agent: string,
    request: FastifyRequest,
    reply: FastifyReply,
    body: unknown,
  ): Promise<FastifyReply> {
    const plan = await planned(agent, request, body);
    api.metrics.runs.inc({ agent, result: plan.kind });
    return api.streams.send(request, reply, {
      kind: 'run',
      format: formatFor(request.headers.accept),
      source: async function* source(signal) {
        try {
          yield* withPublicThread(plan.events(signal));
        } catch (error) {
          const last = runErrorOf(error);
          if (last['code'] === 'internal')
            request.log.error({ err: error, requestId: request.id }, 'a run could not be streamed');
          yield [{ event: last }];
        }
      },
      finalEvent: (why) => runErrorOf(cutError(why)),
    });
  }

  app.post(
    '/agents/:agent/run',
    {
      ...route('caller', 'agents', {
        summary: 'Run an agent (AG-UI): RunAgentInput in, events out as SSE, or as protobuf when Accept names it',
        params: AgentParamsSchema,
        body: BodySchema,
      }),
      validatorCompiler:
        ({ schema, httpPart }) =>
        (data) => {
          if (httpPart === 'body') return { value: data };
          const parsed = z.safeParse(schema as unknown as z.ZodType, data);
          return parsed.success
            ? { value: parsed.data }
            : { error: new StandfastError('input_invalid', 'agent: is not a name') };
        },
    },
    (request, reply) => stream(request.params.agent, request, reply, request.body),
  );

  app.get(
    '/agents/:agent/run',
    route('caller', 'agents', {
      summary:
        'After a reload, as TanStack AI asks: by threadId which run to join, by runId that run, which only reads',
      params: AgentParamsSchema,
      querystring: z.object({
        threadId: ThreadIdSchema.optional().describe('the thread of which a run to join is asked for'),
        runId: z.string().max(maxJoinedChars).optional().describe('the run to join, as the thread’s answer named it'),
      }),
    }),
    async (request, reply) => {
      const { agent } = request.params;
      const { principal } = request;
      const { threadId, runId = '' } = request.query;
      if (threadId === undefined) return stream(agent, request, reply, readingBody(runId));
      agentOf(api, agent, principal);
      const joined = `${randomUUID()}:${threadId}`;
      const { lookup } = await ownThread(agent, parse(readingBody(joined)), principal);
      const thread = lookup?.thread ?? null;
      if (thread !== null) hideFromStranger(principal, thread.owner, `thread ${threadId}`);
      // Messages and questions come with that run, as to every other client.
      return { messages: [], activeRun: thread === null ? null : { runId: joined }, interrupts: null };
    },
  );
}
