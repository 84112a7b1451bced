// Looks at a run before any stream opens: who asks, what the database knows of it, and where it belongs.
import type { RunKey } from '../contract/event.ts';
import type { Principal } from '../contract/principal.ts';
import { isOperator, maySee } from '../core/audience.ts';
import { errorOf, HoldpointError } from '../core/errors.ts';
import type { TaskRow } from '../store/store.ts';
import { namedTask } from './admit.ts';
import { answerErrors, judgeAnswers, namesOpen, readAnswers } from './answers.ts';
import { payloadWords } from './check-values.ts';
import { closedAsk } from './closed-answers.ts';
import type { Room } from './deps.ts';
import { postRun, refuseOtherBody, type NewIntake } from './post-run.ts';
import { refuseStranger } from './principal.ts';
import { printOf } from '../host/hash.ts';
import { restateStream, type RestateAsk } from './restate-stream.ts';
import { readerOf, refusedPlan, type RunAsk, type RunPlan } from './run-plan.ts';
import { tailRun } from './run-stream.ts';

/** Only who opened a thread writes on it; the keyless caller owns everything. */
function refuseForeignWriter(principal: Principal, owner: string): void {
  if (principal.isSuper || principal.id === owner) return;
  throw new HoldpointError('forbidden', 'this thread belongs to somebody else');
}

/** Throws what is answered by HTTP: forbidden, not_found, run_conflict, input_invalid. */
export async function planRun(room: Room, ask: RunAsk): Promise<RunPlan> {
  const { agent, principal, input } = ask;
  const { store } = room;
  const named = input.options.taskId === null ? null : await namedTask(room, agent, input.options.taskId);
  if (input.options.subscribeOnly && input.resume === null) return planReading(room, ask, named);

  // A message for a task of another thread is written there; answers never leave the thread they came on.
  const isForeign = named !== null && named.threadId !== input.threadId && input.resume === null;
  const threadId = isForeign ? named.threadId : input.threadId;
  const key: RunKey = { agent, threadId, runId: input.runId };
  const thread = await store.threads.get(agent, threadId);
  if (thread !== null) refuseForeignWriter(principal, thread.owner);
  const print = printOf(input.body);
  const [run, kept] = await Promise.all([store.runs.get(key), store.intake.get(key)]);
  refuseOtherBody(print, kept ?? run, input.runId);
  if (run !== null) return { as: 'replayed', events: (signal) => tailRun(room, readerOf(ask), run, signal) };

  const row = { ...key, print, principal, receivedAt: room.now().toISOString(), body: input.body };
  if (input.resume !== null) return planAnswers(room, ask, row, thread?.owner ?? principal.id);
  if (input.lastUserMessage === null) return planSilence(room, agent, threadId);
  if (thread === null) refuseForeignWriter(principal, (await store.threads.claim(agent, threadId, principal.id)).owner);
  return postRun(room, ask, row);
}

/** A run that says nothing: the open questions are the better answer, where there are some. */
async function planSilence(room: Room, agent: string, threadId: string): Promise<RunPlan> {
  const open = (await room.store.holds.ofThread(agent, threadId)).filter((hold) => hold.status === 'open');
  const ids = open.filter((hold) => hold.question.kind !== 'operator').map((hold) => hold.interruptId);
  if (ids.length > 0) {
    return refusedPlan(new HoldpointError('interrupts_pending', `answer the open questions first: ${ids.join(', ')}`));
  }
  const message = 'there is no new user message (and no resume, and no subscribeOnly)';
  throw new HoldpointError('input_invalid', `messages: ${message}`, {
    data: { errors: [{ path: 'messages', message }] },
  });
}

async function planAnswers(room: Room, ask: RunAsk, row: NewIntake, owner: string): Promise<RunPlan> {
  const { agent, principal, input } = ask;
  const answers = await readAnswers(room, agent, input.threadId, input.resume ?? []);
  const judgement = judgeAnswers(answers, { principal, receivedAt: row.receivedAt }, owner, row.receivedAt);
  if (!judgement.ok) {
    // Rows may lag behind what is open; of what is closed, or was never asked, they know all.
    if (namesOpen(answers) && judgement.code !== 'interrupt_unknown') return postRun(room, ask, row);
    return refusedPlan(errorOf(judgement));
  }
  if (judgement.as !== 'fresh') {
    const restate = await closedAsk(room, ask, answers, judgement);
    return { as: 'restated', events: (signal) => restateStream(room, restate, signal) };
  }
  const errors = await answerErrors(room, answers);
  if (errors.length === 0) return postRun(room, ask, row);
  return refusedPlan(new HoldpointError('payload_invalid', payloadWords(errors), { data: { errors } }));
}

async function mayRead(room: Room, task: TaskRow, principal: Principal): Promise<boolean> {
  if (task.owner === principal.id || isOperator(principal)) return true;
  const holds = await room.store.holds.ofTask(task.taskId);
  return holds.some((hold) => maySee(hold, principal, hold.owner));
}

/** subscribeOnly: the named task, or the thread's present or last one. */
async function planReading(room: Room, ask: RunAsk, named: TaskRow | null): Promise<RunPlan> {
  const { agent, principal, input } = ask;
  if (input.options.taskId !== null) {
    if (named === null) throw new HoldpointError('not_found', `there is no task ${input.options.taskId}`);
    if (!(await mayRead(room, named, principal)))
      throw new HoldpointError('forbidden', 'this task belongs to somebody else');
  } else {
    const thread = await room.store.threads.get(agent, input.threadId);
    if (thread !== null) refuseStranger(principal, thread.owner);
  }
  const task = named ?? (await room.store.tasks.newest(agent, input.threadId));
  const restate: RestateAsk = {
    reader: readerOf(ask),
    clientState: input.state,
    clientMessages: input.messages,
    thread: { agent, threadId: task?.threadId ?? input.threadId },
    task,
    replayed: [],
  };
  return { as: 'restated', events: (signal) => restateStream(room, restate, signal) };
}
