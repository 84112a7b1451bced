// A pause becomes holds: ladder planned in absolute times, rows and closing events written once, then people can see it.
import type { OpenedHold, OpenHoldsInput } from '../contract/activity.ts';
import type { Question } from '../contract/form.ts';
import type { Hold } from '../contract/hold.ts';
import type { JsonObject } from '../contract/json.ts';
import { PolicySchema } from '../contract/policy.ts';
import type { Policy } from '../contract/policy.ts';
import { holdIdOf, interruptIdOf } from '../core/ids.ts';
import { nextStepOf, planLadder } from '../core/ladder.ts';
import { canRefuse } from '../wire/a2a/registry.ts';
import { cardContent } from '../wire/agui/cards.ts';
import { pauseEvents } from '../wire/agui/pause.ts';
import type { HoldRow } from '../store/store.ts';
import { writeEnd } from './close-run.ts';
import type { ActivityDeps } from './deps.ts';
import { printOf, sha1Hex } from '../host/hash.ts';
import { closingFence, openRun } from './run-writer.ts';

export async function openHolds(deps: ActivityDeps, input: OpenHoldsInput): Promise<OpenedHold[]> {
  const { task, run } = input;
  const planned = await Promise.all(
    input.questions.map((question, index) => plan(deps, input, question, input.n + index + 1)),
  );
  const stored = await deps.store.tx(async (tables) => {
    const rows = planned.map((hold): HoldRow => rowOf(input, hold));
    const stored = await tables.holds.putOnce(rows);
    const fence = closingFence(run.turn);
    const opened = await openRun(tables, deps, task, run, fence);
    // Ended: this ran before and only its marker was lost. The rows say what was shown.
    if (opened.result !== 'open') return stored;
    await tables.tasks.update(task.taskId, { status: 'NEEDS_REVIEW' });
    const events = pauseEvents(
      opened.projection,
      {
        explanation: input.explanation,
        explanationMessageId: input.pauseMessageId ?? `${task.taskId}:pause:${input.n + 1}`,
        holds: stored,
        a2aTaskId: input.a2aTaskId,
        contextId: input.contextId,
        publicUrl: input.publicUrl,
        // The log has many readers: the api says it to each of them.
        mayDecide: () => true,
      },
      { taskId: task.taskId, agent: task.agent, now: deps.now().toISOString() },
    );
    await writeEnd(tables, task, opened, fence, events);
    return stored;
  });
  return stored.map(openedOf);
}

function policyOf(deps: ActivityDeps, agent: string, question: Question): { name: string; policy: Policy } {
  const name = deps.config.agents[agent]?.policy;
  const policy = name === undefined ? undefined : deps.config.policies[name];
  const isOperators = question.kind === 'operator';
  if (isOperators || policy === undefined || name === undefined) {
    return { name: 'default', policy: PolicySchema.parse(isOperators ? { audience: ['role:operator'] } : {}) };
  }
  return { name, policy };
}

/** What the clock may answer in people's place: the question's defaults, if they are an answer at all. */
async function usableDefaults(deps: ActivityDeps, policy: Policy, question: Question): Promise<JsonObject | null> {
  if (policy.expire.then !== 'default' || question.kind === 'authorization') return null;
  const verdict = await deps.checkSchema(question.schema, question.defaults);
  return verdict.ok ? question.defaults : null;
}

async function plan(deps: ActivityDeps, input: OpenHoldsInput, question: Question, n: number): Promise<Hold> {
  const { name, policy } = policyOf(deps, input.task.agent, question);
  const ladder = planLadder(name, policy, input.openedAt, await usableDefaults(deps, policy, question));
  const { title, message, schema, defaults } = question;
  const named = question.kind === 'operator' ? input.task.taskId : (input.a2aTaskId ?? input.task.taskId);
  return {
    holdId: holdIdOf(sha1Hex, input.task.taskId, n),
    interruptId: interruptIdOf(question.idPrefix, named, n),
    n,
    question,
    digest: printOf({ title, message, schema, defaults, toolArgs: question.tool?.args ?? {}, artifacts: [] }),
    status: 'open',
    canRefuse: canRefuse(question),
    audience: policy.audience.length === 0 ? ['owner'] : policy.audience,
    plan: ladder,
    stepsTaken: 0,
    nextStep: nextStepOf(ladder, 0),
    openedAt: input.openedAt,
    expiresAt: ladder.expiresAt,
    decision: null,
    answerPrint: null,
  };
}

function rowOf(input: OpenHoldsInput, hold: Hold): HoldRow {
  const { task, run } = input;
  return {
    ...hold,
    taskId: task.taskId,
    agent: task.agent,
    threadId: task.threadId,
    owner: task.owner,
    openedInRun: run.runId,
    carriedByRun: null,
    card: cardContent(hold, { taskId: task.taskId, a2aTaskId: input.a2aTaskId, contextId: input.contextId }),
    updatedAt: hold.openedAt,
  };
}

function openedOf(row: HoldRow): OpenedHold {
  const {
    holdId,
    interruptId,
    n,
    digest,
    canRefuse: isRefusable,
    audience,
    plan: ladder,
    nextStep,
    openedAt,
    expiresAt,
  } = row;
  return {
    holdId,
    interruptId,
    n,
    digest,
    canRefuse: isRefusable,
    audience,
    plan: ladder,
    nextStep,
    openedAt,
    expiresAt,
  };
}
