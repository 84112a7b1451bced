// One person's answer to one question by REST: judged here to answer quickly and well, decided by the workflow alone.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { DecisionBodySchema, type AnswerEntry, type DecideReply, type DecisionBody } from '../../contract/decision.ts';
import { HoldViewSchema } from '../../contract/hold.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Principal } from '../../contract/principal.ts';
import type { Refusal } from '../../contract/problem.ts';
import { isEndedStatus, TaskStatusSchema, TaskViewSchema, type TaskStatus } from '../../contract/task.ts';
import { assertNever } from '../../core/assert-never.ts';
import { judgeAnswer } from '../../core/decision.ts';
import { errorOf, HoldpointError } from '../../core/errors.ts';
import type { HoldRow } from '../../store/store.ts';
import { checkValues } from '../check-values.ts';
import type { Room } from '../deps.ts';
import { findHold } from '../find-hold.ts';
import { holdViewOf } from '../hold-view.ts';
import { answerPrint } from '../print.ts';
import { IdParamsSchema } from '../query-words.ts';
import { readTaskView } from '../task-view.ts';
import { unansweredError } from '../unanswered.ts';
import { waitUntil } from '../wait.ts';

const DecisionReplySchema = z.object({ hold: HoldViewSchema, task: TaskViewSchema }).meta({ id: 'DecisionReply' });
type DecisionReply = z.infer<typeof DecisionReplySchema>;

/** How long the row of a task that has just ended is waited for. */
const rowFollowsMs = 3_000;

function entryOf(hold: HoldRow, body: DecisionBody): AnswerEntry {
  const answer = {
    status: body.status,
    // Safe: it came as JSON.
    values: body.status === 'resolved' ? (body.values as JsonObject) : {},
    reason: body.status === 'cancelled' ? (body.reason ?? null) : null,
  };
  return { hold: hold.holdId, ...answer, digest: body.digest ?? null, print: answerPrint(answer) };
}

async function replyOf(
  room: Room,
  hold: HoldRow,
  principal: Principal,
  status: TaskStatus | null,
): Promise<DecisionReply> {
  const row = await room.store.tasks.get(hold.taskId);
  if (row === null) throw new HoldpointError('internal', `the task ${hold.taskId} has no row`);
  const task = await readTaskView(room, row);
  const told = status === null || isEndedStatus(task.status) ? task : { ...task, status };
  return { hold: holdViewOf(hold, principal), task: told };
}

/** The workflow's word for its status; null when it is one we do not know (a worker of another version). */
function statusOf(reply: DecideReply): TaskStatus | null {
  return TaskStatusSchema.safeParse(reply.taskStatus).data ?? null;
}

/** The workflow has it: the row shows it before the caller hears, whoever of api and worker is first. */
async function recordConfirmed(room: Room, hold: HoldRow, entry: AnswerEntry, reply: DecideReply): Promise<HoldRow> {
  const stored = await room.store.holds.close(hold.holdId, {
    status: entry.status === 'resolved' ? 'decided' : 'cancelled',
    // The workflow forgets the values of old answers; the same print means these.
    decision: { ...reply.decision, values: entry.values },
    answerPrint: entry.print,
  });
  return stored ?? hold;
}

function judge(hold: HoldRow, entry: AnswerEntry, principal: Principal, at: string): 'fresh' | 'repeat' | Refusal {
  const judged = judgeAnswer(hold, entry, { principal, receivedAt: at }, hold.owner, at);
  return judged.ok ? judged.as : judged;
}

export function createDecider(
  room: Room,
): (hold: HoldRow, body: DecisionBody, principal: Principal) => Promise<DecisionReply> {
  const { store } = room;

  /** What the row says of a closed hold: the same answer again, or too late. */
  async function answerClosed(
    hold: HoldRow,
    entry: AnswerEntry,
    principal: Principal,
    at: string,
  ): Promise<DecisionReply> {
    const judged = judge(hold, entry, principal, at);
    if (typeof judged === 'object') throw errorOf(judged);
    return replyOf(room, hold, principal, null);
  }

  return async function decide(hold, body, principal) {
    const at = room.now().toISOString();
    const entry = entryOf(hold, body);
    if (hold.status !== 'open') return answerClosed(hold, entry, principal, at);
    const judged = judge(hold, entry, principal, at);
    // A row may lag behind an escalation, so a refusal is the workflow's to give; values are only looked at when all else fits.
    if (judged === 'fresh') await checkValues(room, hold, entry);
    const task = await store.tasks.get(hold.taskId);
    if (task === null) throw new HoldpointError('internal', `the task ${hold.taskId} has no row`);
    const heard = await room.tasks.decide(task, { entry, principal, receivedAt: at });
    switch (heard.heard) {
      case 'answer': {
        const closed = await recordConfirmed(room, hold, entry, heard.value);
        return replyOf(room, closed, principal, heard.value.isRepeat ? null : statusOf(heard.value));
      }
      case 'refusal':
        throw errorOf(heard.refusal);
      case 'closed': {
        const closed = await waitUntil(rowFollowsMs, async () => {
          const row = await store.holds.get(hold.holdId);
          return row !== null && row.status !== 'open' ? row : null;
        });
        if (closed !== null) return answerClosed(closed, entry, principal, at);
        throw new HoldpointError(
          'decision_not_confirmed',
          'the task cannot be reached just now; the same request again is safe',
        );
      }
      case 'unanswered':
        if (typeof judged === 'object') throw errorOf(judged);
        throw await unansweredError(room, heard.by, 'decision_not_confirmed');
      default:
        return assertNever(heard);
    }
  };
}

export function decisionRoutes(app: FastifyInstance, room: Room): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const decide = createDecider(room);
  typed.post(
    '/api/holds/:id/decision',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'Decide a question; 200 once its workflow has it',
        description:
          'The same decision again gets the same answer, so any request may be repeated; an Idempotency-Key is accepted and not needed.',
        params: IdParamsSchema,
        body: DecisionBodySchema,
        response: { 200: DecisionReplySchema },
      },
    },
    async ({ params, body, principal }) => {
      try {
        const hold = await findHold(room, params.id, principal, 'not_allowed_to_decide');
        const reply = await decide(hold, body, principal);
        room.metrics.decisions.inc({ result: 'taken' });
        return reply;
      } catch (error) {
        room.metrics.decisions.inc({ result: error instanceof HoldpointError ? error.code : 'internal' });
        throw error;
      }
    },
  );
}
