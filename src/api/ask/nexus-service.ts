// The Nexus service: a workflow of somebody else's asks people by one operation, whose result is that of the workflow that any
// program's question is. It holds no slot and polls nothing; a retried request is the same question.
import {
  HandlerError,
  HandlerStartOperationResult,
  operation,
  service,
  serviceHandler,
  type CancelOperationContext,
  type HandlerErrorType,
  type OperationContext,
  type ServiceHandler,
  type StartOperationContext,
} from 'nexus-rpc';
import { operationInfo } from '@temporalio/nexus';
import { z } from 'zod';
import { nexusService } from '../../contract/base/nexus-names.ts';
import type { ProblemCode } from '../../contract/base/problem.ts';
import type { Config } from '../../contract/configuration/config.ts';
import {
  ApproveInputSchema,
  AskBodySchema,
  NexusAskSchema,
  type AskBody,
  type AskReply,
} from '../../contract/views/ask.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { askAgent, workflowIdOf } from '../../core/base/ids.ts';
import { askReplyOf } from '../../core/questions/ask-answer.ts';
import { nexusStart } from '../engine/nexus-start.ts';
import { rowsFollowMs } from '../engine/follow-rows.ts';
import { cancelTask } from '../tasks/cancel-task.ts';
import { askedOf } from './ask-body.ts';
import { answerOf, askPeople, handOverAsk, type AskingApi } from './ask-people.ts';
import { callerOf, namespaceIn, principalOf, rulesOf } from './nexus-caller.ts';

export interface NexusApi extends AskingApi {
  /** Who may ask where the configuration does not say it. */
  ownCallers: NonNullable<Config['ask']['nexus']>;
}

/** How the input of an operation is the body of a program's question. */
type Reads = (input: unknown) => AskBody;

/** Some languages send a null for what is left out. */
const withoutNulls = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    : input;

/** As a schema reads it; throws `input_invalid` with the place of the first fault. */
function parsed<T>(schema: z.ZodType<T>, input: unknown): T {
  const found = schema.safeParse(withoutNulls(input));
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  throw new StandfastError('input_invalid', `${issue?.path.join('.') || 'input'}: ${issue?.message ?? 'unfit'}`);
}

const reads: Record<'ask' | 'approve', Reads> = {
  ask: (input) => parsed(AskBodySchema, parsed(NexusAskSchema, input)),
  approve: (input) => {
    const { tool: name, args, editable, why, ...rest } = parsed(ApproveInputSchema, input);
    return parsed(AskBodySchema, { ...rest, message: why, tool: { name, args, editable } });
  },
};

/** By StandfastError's code; those of others are worth another try. */
const errorTypes: Partial<Record<ProblemCode, HandlerErrorType>> = {
  input_invalid: 'BAD_REQUEST',
  forbidden: 'UNAUTHORIZED',
  run_conflict: 'CONFLICT',
  not_found: 'NOT_FOUND',
  rate_limited: 'RESOURCE_EXHAUSTED',
};

function asHandlerError(error: unknown): unknown {
  if (!(error instanceof StandfastError)) return error;
  const { code, message } = error;
  return new HandlerError(errorTypes[code] ?? 'UNAVAILABLE', `${code}: ${message}`);
}

const failing = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw asHandlerError(error);
  }
};

/** The operations of the published contract (packages/client/src/nexus.ts, and its like in other languages). */
export function createNexusService(api: NexusApi): ServiceHandler {
  const handlerOf = (read: Reads): object => ({
    start: (ctx: StartOperationContext, input: unknown) => failing(() => ask(api, ctx, read, input)),
    cancel: (ctx: CancelOperationContext, token: string) => failing(() => withdraw(api, ctx, token)),
  });
  const definition = service(nexusService, {
    ask: operation<unknown, AskReply>(),
    approve: operation<unknown, AskReply>(),
  });
  return serviceHandler(definition, {
    ask: handlerOf(reads.ask),
    approve: handlerOf(reads.approve),
  } as never);
}

async function ask(
  api: NexusApi,
  ctx: StartOperationContext,
  read: Reads,
  input: unknown,
): Promise<HandlerStartOperationResult<AskReply>> {
  const caller = callerOf(ctx.inboundLinks);
  const rules = rulesOf(api.config, api.ownCallers, { ...caller, endpoint: operationInfo().endpoint });
  const principal = principalOf(caller);
  const body = read(input);
  // A request that is sent again has its id: it is the same question.
  const id = body.id ?? `nexus-${ctx.requestId}`;
  const start = nexusStart<AskReply>(ctx);
  const asking = { ...api, tasks: { ...api.tasks, open: start.open }, config: { ...api.config, ask: rules } };
  await askPeople(asking, { ...askedOf(body, id), isWorkflowResult: true, within: timeOf(ctx) }, principal);
  const begun = start.result();
  if (begun !== null) return begun;
  // It was begun before: by an attempt whose reply was lost, or under an id of the caller's own.
  const ended = await endedReply(api, id, principal, ctx, 0);
  if (ended !== null) return HandlerStartOperationResult.sync(ended);
  await handOverAsk(asking, id, principal);
  const joined = start.result();
  if (joined !== null) return joined;
  const late = await endedReply(api, id, principal, ctx, rowsFollowMs);
  if (late !== null) return HandlerStartOperationResult.sync(late);
  throw new StandfastError('worker_unavailable', 'the question has ended, and its answer is not written yet');
}

const timeout = /^(\d+(?:\.\d+)?)(ms|s|m)$/;

/** What is left of the caller's `scheduleToCloseTimeout`, in whole seconds; nothing answers it after that. */
function timeOf({ headers }: OperationContext): string | undefined {
  const found = timeout.exec(headers['operation-timeout'] ?? '');
  return found === null ? undefined : `${Math.max(1, Math.ceil(durationMs(found[0]) / 1000))}s`;
}

async function endedReply(
  api: NexusApi,
  id: string,
  principal: Parameters<typeof answerOf>[2],
  { abortSignal }: OperationContext,
  timeoutMs: number,
): Promise<AskReply | null> {
  const answer = await answerOf(api, id, principal, { timeoutMs, signal: abortSignal });
  return answer.status === 'waiting' ? null : askReplyOf(api, answer);
}

const TokenSchema = z.object({ wid: z.string() });
const ownIds = workflowIdOf(askAgent, '');

/** The thread of the question that a token names; throws `not_found` for any other workflow. */
function threadIn(token: string): string {
  try {
    const { wid } = TokenSchema.parse(JSON.parse(Buffer.from(token, 'base64url').toString()));
    if (wid.startsWith(ownIds)) return wid.slice(ownIds.length);
  } catch {
    // Another service made it.
  }
  throw new StandfastError('not_found', 'the token names no question');
}

/** The asking workflow was cancelled: people are not asked any longer. */
async function withdraw(api: NexusApi, _ctx: CancelOperationContext, token: string): Promise<void> {
  const hold = (await api.store.holds.ofThread(askAgent, threadIn(token))).at(-1);
  const row = hold === undefined ? null : await api.store.tasks.get(hold.taskId);
  if (row === null) throw new StandfastError('worker_unavailable', 'the question is not open yet; withdraw it again');
  const namespace = namespaceIn(row.owner);
  if (namespace === null) throw new StandfastError('not_found', 'the token names no question of a workflow');
  rulesOf(api.config, api.ownCallers, { namespace, endpoint: operationInfo().endpoint });
  await cancelTask(api, row, row.owner);
}
