// The door `run`: a message opens a task or is injected into a working one; `resume` answers every open hold at once.
import type { Question } from '../../contract/form.ts';
import type { RunCommand, RunReply } from '../../contract/run.ts';
import { isBehind, replyAhead } from './ahead.ts';
import { refuse } from '../base/errors.ts';
import type { ResumeHold } from '../answers/resume.ts';
import { judgeResume } from '../answers/resume.ts';
import { goOnWithTurn } from './on-message.ts';
import { applyAnswers } from './hold-close.ts';
import { withSpeaker } from './speakers.ts';
import { askedHoldsOf, runsKept } from './task-state.ts';
import type { Outcome, TaskEvent, TaskState } from './task-state.ts';

type RunFact = Extract<TaskEvent, { type: 'run' }>;

const endingWords = 'the task before this one is just ending; try again';

/** A run acts once: the same runId again gets the same answer, another body under it is refused. */
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

export function onRunInNew(state: TaskState, { command }: RunFact, now: string): Outcome {
  const repeat = repeatOf(state, command);
  if (repeat) return repeat;
  if (command.resume !== null) {
    return { state, effects: [], reply: refuse('interrupt_unknown', 'there is no open question on this thread') };
  }
  if (command.ask !== undefined)
    return { ...askAtOnce(state, command, command.ask, now), reply: admitted(state, command, 'opened') };
  const next: TaskState = {
    ...admit(state, command, 'opened'),
    phase: 'turn',
    turn: 1,
    runId: command.runId,
    opener: 'client',
    send: command.adopt?.isSilent === true ? { kind: 'nothing' } : { kind: 'message' },
  };
  return { state: next, effects: [{ kind: 'turn' }], reply: admitted(state, command, 'opened') };
}

/** No agent has a task of this: people are asked, and that is all. */
function askAtOnce(state: TaskState, command: RunCommand, questions: Question[], now: string): Omit<Outcome, 'reply'> {
  const next: TaskState = {
    ...admit(state, command, 'opened'),
    phase: 'opening',
    status: 'IN_PROGRESS',
    runId: command.runId,
    opener: 'client',
    questions,
  };
  return { state: next, effects: [{ kind: 'openHolds', openedAt: now }] };
}

export function onRunInTurn(state: TaskState, { command }: RunFact, now: string): Outcome {
  const repeat = repeatOf(state, command);
  if (repeat) return repeat;
  if (command.resume !== null) return { state, effects: [], reply: judgeClosedResume(state, command, now) };
  if (isBehind(state, command.seen)) {
    // Refused, not taken in: Temporal would answer this run's id with the first answer for as long as the execution is the newest.
    const reply =
      command.seen?.isEnded === true ? refuse('busy', endingWords) : ({ ok: 'later', isBounded: true } as const);
    return { state, effects: [], reply };
  }
  // Meant for a task of the agent's that nobody had: in this one its words would be said to the wrong task.
  if (command.adopt !== undefined)
    return { state, effects: [], reply: refuse('busy', 'this thread has just begun another task; ask again') };
  const taken: TaskState = withSpeaker(
    { ...admit(state, command, 'injected'), status: 'USER_INPUT_RECEIVED' },
    command.principal,
  );
  const { state: next, effects } = goOnWithTurn(taken);
  const inject = { kind: 'inject', runId: command.runId, message: null } as const;
  return { state: next, effects: [inject, ...effects], reply: admitted(state, command, 'injected') };
}

export function onRunInHolding(state: TaskState, { command }: RunFact, now: string): Outcome {
  const repeat = repeatOf(state, command);
  if (repeat) return repeat;
  if (command.resume === null) {
    const open = askedHoldsOf(state).map((hold) => hold.interruptId);
    const reply =
      open.length > 0
        ? refuse('interrupts_pending', `answer the open questions first: ${open.join(', ')}`, { open })
        : refuse('send_in_doubt', 'an operator must first settle whether the agent got the last message');
    return { state, effects: [], reply };
  }
  const who = { principal: command.principal, receivedAt: command.receivedAt };
  const judged = judgeResume(
    knownHolds(state),
    askedHoldsOf(state).flatMap(({ outgoing, interruptId }) => (outgoing ? [] : [interruptId])),
    command.resume,
    who,
    state.owner,
    now,
  );
  if (!judged.ok) return { state, effects: [], reply: judged };
  if (judged.kind !== 'fresh') return { state, effects: [], reply: judgeClosedResume(state, command, now) };
  // The agent may ask something else now: the answers wait for its word.
  if (state.asking !== null) return { state, effects: [], reply: { ok: 'later' } };
  const { state: decided, effects } = applyAnswers(
    admit(state, command, 'resumed', judged.skipped),
    judged.fresh.map(({ holdId, entry }) => ({ holdId, entry, by: command.principal, source: 'resume' })),
    now,
    { runId: command.runId, opener: 'client', skipped: judged.skipped },
  );
  return { state: decided, effects, reply: admitted(state, command, 'resumed', judged.skipped) };
}

export function onRunWhileEnding(state: TaskState, { command }: RunFact, now: string): Outcome {
  const repeat = repeatOf(state, command);
  if (repeat) return repeat;
  if (command.resume !== null) return { state, effects: [], reply: judgeClosedResume(state, command, now) };
  return { state, effects: [], reply: refuse('busy', endingWords) };
}

/** A resume while nothing is open: what it names is closed or unknown. */
function judgeClosedResume(state: TaskState, command: RunCommand, now: string): Outcome['reply'] {
  const who = { principal: command.principal, receivedAt: command.receivedAt };
  const entries = command.resume ?? [];
  const ahead = replyAhead(
    state,
    entries.map(({ hold }) => hold),
  );
  if (ahead !== null) return ahead;
  const judged = judgeResume(knownHolds(state), [], entries, who, state.owner, now);
  // Repeats and ways out are told from the database by the api; here the word is only that nothing was taken.
  return judged.ok ? refuse('hold_closed', 'these questions have been decided already') : judged;
}

/** Never an operator's: to a client such a hold does not exist. */
function knownHolds(state: TaskState): ResumeHold[] {
  const current = state.holds.filter((hold) => hold.question.kind !== 'operator');
  const past = state.past
    .filter((hold) => !hold.isOperator)
    .map((hold) => ({ ...hold, plan: { exclude: hold.exclude } }));
  return [...current, ...past];
}
