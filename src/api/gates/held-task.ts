// A held call as a task of MCP's extension for tasks (2026-07-28), for clients that follow tasks: its id is the call's, and what it says
// is read from the call's rows each time.
import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { holdUrl } from '../../core/base/page-url.ts';
import { tasksExtension, type HeldTaskMethod } from '../../core/policy/gate-message.ts';
import { askStatusOf } from '../../core/questions/ask.ts';
import { version } from '../../host/process/version.ts';
import type { GateCallRow } from '../../store/ports/gates.ts';
import { withdrawAbandoned } from '../ask/withdraw-ask.ts';
import type { AskingApi } from '../ask/ask-people.ts';
import { callNow, isNamed, ownCall, type CallNow } from './held-call.ts';
import { resultOf } from './held-result.ts';

const pollIntervalMs = 5_000;

/** What a client says of itself that follows tasks: of its capabilities, which came as JSON. */
const TasksCapabilitySchema = z.object({ extensions: z.object({ [tasksExtension]: z.object({}) }) });
const TaskIdSchema = z.looseObject({ taskId: z.string() });

/** The client of this request follows tasks; each request says so for itself. */
export function followsTasks({ mcpReq }: Pick<ServerContext, 'mcpReq'>): boolean {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  return TasksCapabilitySchema.safeParse(envelope[CLIENT_CAPABILITIES_META_KEY]).success;
}

/** Whose calls are asked for, and of which gate. */
interface Whose {
  name: string;
  principal: Principal;
}

/** In place of the result of a call that waits. `link`: the page of its question; null: it is not open. */
export function createdTask(row: GateCallRow, link: string | null): CallToolResult {
  const waiting = { ...commonOf(row, { asked: null, came: null }), ...working(link), resultType: 'task' };
  // Safe: the SDK sends a type of result that its revision leaves to extensions as it is.
  return waiting as unknown as CallToolResult;
}

/** The server of the tasks of held calls, for one request about one of them. */
export function heldTaskServer(api: AskingApi, whose: Whose): Server {
  const server = new Server({ name: 'standfast', version }, { capabilities: { extensions: { [tasksExtension]: {} } } });
  const handle = (method: HeldTaskMethod, answer: (row: GateCallRow) => Promise<JsonObject>): void =>
    server.setRequestHandler(method, { params: TaskIdSchema }, async ({ taskId }, ctx) => {
      if (!followsTasks(ctx))
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [tasksExtension]: {} } },
        });
      const row = await ownCall(api, whose, taskId);
      if (row === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no task ${taskId}`);
      return answer(row);
    });
  handle('tasks/get', (row) => taskNow(api, whose, row));
  // Nothing is asked of the client: people are.
  handle('tasks/update', async () => ({}));
  handle('tasks/cancel', async (row) => {
    await withdraw(api, whose, row);
    return {};
  });
  return server;
}

async function taskNow(api: AskingApi, { principal }: Whose, row: GateCallRow): Promise<JsonObject> {
  const now = await callNow(api, row.callId, principal);
  const task = { ...commonOf(row, now), ...statusOf(api, row, now) };
  // The same call again is another one from now on, as where its client waited for the result.
  if (now.came !== null && !isNamed(row)) await api.store.gateCalls.take(row.callId);
  return task;
}

/** A call that people approved is made: only its question can be withdrawn. */
async function withdraw(api: AskingApi, { principal }: Whose, { callId }: GateCallRow): Promise<void> {
  const { asked, came } = await callNow(api, callId, principal);
  if (came !== null || (asked !== null && asked.status !== 'open')) return;
  try {
    await withdrawAbandoned(api, callId, principal);
  } catch (error) {
    if (!(error instanceof StandfastError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
  }
}

function commonOf({ callId, heldAt }: GateCallRow, { asked }: CallNow): JsonObject {
  const lastUpdatedAt = asked?.decision?.at ?? asked?.openedAt ?? heldAt;
  return { taskId: callId, createdAt: heldAt, lastUpdatedAt, ttlMs: null, pollIntervalMs };
}

const working = (link: string | null): JsonObject => ({
  status: 'working',
  statusMessage: link === null ? 'waits for people' : `waits for people: ${link}`,
});

function statusOf({ publicUrl }: Pick<AskingApi, 'publicUrl'>, { callId }: GateCallRow, now: CallNow): JsonObject {
  const { asked, came } = now;
  if (came === null) {
    if (asked?.status === 'open') return working(holdUrl(publicUrl, asked.holdId));
    // Another question about the call as people changed it is opened in a moment.
    if (asked === null || asked.supersededBy !== null) return working(null);
    return { status: 'working', statusMessage: 'approved; the call is being made' };
  }
  if (came.kind === 'not-made' && asked !== null && isWithdrawn(asked))
    return { status: 'cancelled', statusMessage: came.why };
  try {
    // As its revision has the result of a call. Safe: a result is plain JSON.
    const result = { ...(resultOf(came, callId) as unknown as JsonObject), resultType: 'complete' };
    return { status: 'completed', result };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { code, message, data } = error;
    // Safe: it came as JSON.
    const more = data === undefined ? {} : { data: data as JsonObject };
    return { status: 'failed', statusMessage: message, error: { code, message, ...more } };
  }
}

const isWithdrawn = (asked: NonNullable<CallNow['asked']>): boolean =>
  ['withdrawn', 'cancelled'].includes(askStatusOf(asked));
