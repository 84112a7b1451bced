// The update `run`: a message opens a task or is injected into a working one; `resume` answers every open hold at once.
import type { SeenTask } from '../../contract/holds/decision.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { MessageRun, ResumeRun, RunCommand, RunReply } from '../../contract/tasks/run.ts';
import { isBehind, replyAhead } from './ahead.ts';
import { assertNever, refuse } from '../base/errors.ts';
import { type ResumeHold, judgeResume } from '../answers/resume.ts';
import { goOnWithTurn } from './parked.ts';
import { judgeEdits, openEdited } from './edited-call.ts';
import { applyAnswers } from './hold-close.ts';
import {
  withSpeaker,
  askedHoldsOf,
  runsKept,
  type Outcome,
  type Reply,
  type TaskEvent,
  type TaskState,
} from './task-state.ts';

type RunEvent = Extract<TaskEvent, { type: 'run' }>;

const endingWords = 'the task before this one is just ending; try again';

/** A run acts once: the same runId gets the same reply, another body under it is refused. */
function repeatOf(state: TaskState, command: RunCommand): Outcome | null {
  const known = state.runs.find((run) => run.runId === command.runId);
  if (known === undefined) return null;
  const reply =
    known.fingerprint === command.fingerprint
      ? ({
          ok: true,
          run: { runId: known.runId, kind: known.kind, taskId: state.taskId, skipped: known.skipped },
        } as const)
      : refuse('run_conflict', `runId ${command.runId} was used with another body`);
  return { state, effects: [], reply };
}

function admit(
  state: TaskState,
  command: RunCommand,
  as: RunReply['kind'],
  skipped: RunReply['skipped'] = [],
): TaskState {
  return {
    ...state,
    runs: [...state.runs, { runId: command.runId, fingerprint: command.fingerprint, kind: as, skipped }].slice(
      -runsKept,
    ),
  };
}

const admitted = (
  state: TaskState,
  command: RunCommand,
  as: RunReply['kind'],
  skipped: RunReply['skipped'] = [],
): Outcome['reply'] => ({ ok: true, run: { runId: command.runId, kind: as, taskId: state.taskId, skipped } });

export function onRunInNew(state: TaskState, { command }: RunEvent, now: string): Outcome {
  const repeat = repeatOf(state, command);
  if (repeat) return repeat;
  const reply = admitted(state, command, 'opened');
  switch (command.kind) {
    case 'resume':
      return { state, effects: [], reply: refuse('interrupt_unknown', 'there is no open question on this thread') };
    case 'ask':
      return { ...askAtOnce(state, command, command, now), reply };
    case 'adopt':
      return { ...beginTurn(state, command, command.adoption.isSilent ? 'nothing' : 'message'), reply };
    case 'message':
      return { ...beginTurn(state, command, 'message'), reply };
    default:
      return assertNever(command);
  }
}

function beginTurn(state: TaskState, command: RunCommand, send: 'nothing' | 'message'): Omit<Outcome, 'reply'> {
  const { runId } = command;
  const next: TaskState = {
    ...admit(state, command, 'opened'),
    phase: 'turn',
    turn: 1,
    runId,
    opener: 'client',
    send: { kind: send },
  };
  return { state: next, effects: [{ kind: 'turn' }] };
}

/** A question without an agent: people are asked, and nothing else happens. */
function askAtOnce(
  state: TaskState,
  command: RunCommand,
  { questions, filesKey }: { questions: Question[]; filesKey?: string },
  now: string,
): Omit<Outcome, 'reply'> {
  const next: TaskState = {
    ...admit(state, command, 'opened'),
    phase: 'opening',
    status: 'IN_PROGRESS',
    runId: command.runId,
    opener: 'client',
    questions,
    // Its files are shown with it as those of an agent's message are.
    ...(filesKey === undefined ? {} : { pauseMessageId: filesKey }),
  };
  return { state: next, effects: [{ kind: 'openHolds', openedAt: now }] };
}

export function onRunInTurn(state: TaskState, { command }: RunEvent, now: string): Outcome {
  const repeat = repeatOf(state, command);
  if (repeat) return repeat;
  switch (command.kind) {
    case 'resume':
      return { state, effects: [], reply: judgeClosedResume(state, command, now) };
    // Planned for a task of its own: in this one it would reach the wrong task.
    case 'adopt':
    case 'ask': {
      const other = refuse('busy', 'this thread has just begun another task; ask again');
      const seen = command.kind === 'adopt' ? command.seen : null;
      return { state, effects: [], reply: replyBehind(state, seen) ?? other };
    }
    case 'message': {
      const behind = replyBehind(state, command.seen);
      return behind === null ? inject(state, command, now) : { state, effects: [], reply: behind };
    }
    default:
      return assertNever(command);
  }
}

/** Refused, not recorded: Temporal would repeat the first reply to this run's id while the execution is the newest. */
function replyBehind(state: TaskState, seen: SeenTask | null): Reply | null {
  if (!isBehind(state, seen)) return null;
  return seen?.isEnded === true ? refuse('busy', endingWords) : { ok: 'later', isBounded: true };
}

function inject(state: TaskState, command: MessageRun, now: string): Outcome {
  const taken: TaskState = withSpeaker(
    { ...admit(state, command, 'injected'), status: 'USER_INPUT_RECEIVED' },
    command.principal,
    now,
  );
  const { state: next, effects } = goOnWithTurn(taken);
  const injected = { kind: 'inject', runId: command.runId, message: null } as const;
  return { state: next, effects: [injected, ...effects], reply: admitted(state, command, 'injected') };
}

export function onRunInHolding(state: TaskState, { command }: RunEvent, now: string): Outcome {
  const repeat = repeatOf(state, command);
  if (repeat) return repeat;
  if (command.kind !== 'resume') {
    const open = askedHoldsOf(state).map((hold) => hold.interruptId);
    const reply =
      open.length > 0
        ? refuse('interrupts_pending', `answer the open questions first: ${open.join(', ')}`, { open })
        : refuse('delivery_unknown', 'an operator must first settle whether the agent got the last message');
    return { state, effects: [], reply };
  }
  const who = { principal: command.principal, receivedAt: command.receivedAt };
  const judged = judgeResume(
    knownHolds(state),
    askedHoldsOf(state).flatMap(({ outgoing, interruptId }) => (outgoing ? [] : [interruptId])),
    command.entries,
    who,
    state.owner,
    now,
  );
  if (!judged.ok) return { state, effects: [], reply: judged };
  if (judged.kind !== 'fresh') return { state, effects: [], reply: judgeClosedResume(state, command, now) };
  // The agent may ask something else now: the answers wait for its reply.
  if (state.asking !== null) return { state, effects: [], reply: { ok: 'later' } };
  const fresh = judged.fresh.map((one) => ({ ...one, by: command.principal, source: command.source }));
  const given = judgeEdits(state, fresh);
  if (given.kind === 'refused') return { state, effects: [], reply: given.refusal };
  if (given.kind === 'edited') return askAgain(state, command, given.edits, judged.skipped, now);
  const { state: decided, effects } = applyAnswers(
    admit(state, command, 'resumed', judged.skipped),
    given.answers,
    now,
    { runId: command.runId, opener: 'client', skipped: judged.skipped },
  );
  return { state: decided, effects, reply: admitted(state, command, 'resumed', judged.skipped) };
}

/** All or nothing: none of the answers counts, and the run ends with the questions as they are now. */
function askAgain(
  state: TaskState,
  command: ResumeRun,
  edits: Parameters<typeof openEdited>[1],
  left: RunReply['skipped'],
  now: string,
): Outcome {
  const code = 'edit_under_other_policy';
  const named = state.holds.filter(({ holdId }) => edits.some((edit) => edit.holdId === holdId));
  const skipped = [...left, ...named.map(({ interruptId }) => ({ interruptId, code }))];
  const carrier = { runId: command.runId, opener: 'client' as const, skipped };
  const again = openEdited(admit(state, command, 'resumed', skipped), edits, now, carrier);
  return { ...again, reply: admitted(state, command, 'resumed', skipped) };
}

export function onRunWhileEnding(state: TaskState, { command }: RunEvent, now: string): Outcome {
  const repeat = repeatOf(state, command);
  if (repeat) return repeat;
  const reply = command.kind === 'resume' ? judgeClosedResume(state, command, now) : refuse('busy', endingWords);
  return { state, effects: [], reply };
}

/** A resume while nothing is open: what it names is closed or unknown. */
function judgeClosedResume(state: TaskState, command: ResumeRun, now: string): Outcome['reply'] {
  const who = { principal: command.principal, receivedAt: command.receivedAt };
  const { entries } = command;
  const ahead = replyAhead(
    state,
    entries.map(({ hold }) => hold),
  );
  if (ahead !== null) return ahead;
  const judged = judgeResume(knownHolds(state), [], entries, who, state.owner, now);
  // Repeats and ways out are answered from the database by the api; this refusal only reports that nothing was taken.
  return judged.ok ? refuse('hold_closed', 'these questions have been decided already') : judged;
}

/** Without operator holds, which do not exist for clients. */
function knownHolds(state: TaskState): ResumeHold[] {
  const current = state.holds.filter((hold) => hold.question.kind !== 'operator');
  const past = state.past
    .filter((hold) => !hold.isOperator)
    .map((hold) => ({ ...hold, plan: { exclude: hold.exclude } }));
  return [...current, ...past];
}
