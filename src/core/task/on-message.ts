// The update `message`: a person's message to the agent. It answers a text question, goes to a working agent, or asks back
// before a decision.
import type { AnswerEntry, MessageReply } from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import { isAnsweredByWords } from '../answers/answered-by-words.ts';
import { isBehind } from './ahead.ts';
import { maySee, temporalOperatorId } from '../policy/audience.ts';
import { judgeAnswer } from '../answers/decision.ts';
import { refuse } from '../base/errors.ts';
import { judgeEdits } from './edited-call.ts';
import { applyAnswers } from './hold-close.ts';
import { askDialect, ownRunIdOf } from '../base/ids.ts';
import { goOnWithTurn } from './parked.ts';
import {
  withSpeaker,
  type Outcome,
  type MessageCommand,
  type TaskEvent,
  type TaskState,
  askedHoldsOf,
  openHoldsOf,
  messagesKept,
} from './task-state.ts';

type PersonMessageEvent = Extract<TaskEvent, { type: 'message' }>;

/** A message id counts once: the same message gets the same reply, other text under its id is refused. */
function repeatOf(state: TaskState, { messageId, textFingerprint }: MessageCommand): Outcome | null {
  const known = state.messages.find((one) => one.messageId === messageId);
  if (known === undefined) return null;
  // A message by Temporal's own tools has nothing to compare.
  const isOther = textFingerprint !== '' && known.textFingerprint !== '' && known.textFingerprint !== textFingerprint;
  const reply = isOther
    ? refuse('run_conflict', `the messageId ${messageId} was used with other words`)
    : replyOf(state, messageId, known.kind);
  return { state, effects: [], reply };
}

const replyOf = (state: TaskState, messageId: string, as: MessageReply['kind']): Outcome['reply'] => ({
  ok: true,
  message: { messageId, kind: as, taskStatus: state.status },
});

function note(state: TaskState, { messageId, textFingerprint }: MessageCommand, as: MessageReply['kind']): TaskState {
  return { ...state, messages: [...state.messages, { messageId, kind: as, textFingerprint }].slice(-messagesKept) };
}

export function onMessageInTurn(state: TaskState, { command }: PersonMessageEvent, now: string): Outcome {
  const repeat = repeatOf(state, command);
  if (repeat) return repeat;
  if (isLate(command)) return { state, effects: [], reply: refuse('changed_meanwhile', lateWords) };
  if (isBehind(state, command.seen ?? null)) return { state, effects: [], reply: { ok: 'later', isBounded: true } };
  const { messageId, text, principal } = command;
  const runId = ownRunIdOf(state.taskId, `message-${messageId}`);
  const taken: TaskState = withSpeaker(
    { ...note(state, command, 'injected'), status: 'USER_INPUT_RECEIVED' },
    principal,
    now,
  );
  const { state: next, effects } = goOnWithTurn(taken);
  const message = { messageId, text, by: principal.id };
  return {
    state: next,
    effects: [{ kind: 'inject', runId, message }, ...effects],
    reply: replyOf(next, messageId, 'injected'),
  };
}

/** The only open question, if any text answers it. */
export function textHoldOf(state: TaskState): Hold | null {
  const [only, ...more] = openHoldsOf(state);
  return only !== undefined && more.length === 0 && only.question.kind === 'text' && state.asking === null
    ? only
    : null;
}

/** Treats a person's message as the answer to that question. */
export const textEntry = (hold: Hold, { text, fingerprint, checked, proof }: MessageCommand): AnswerEntry => ({
  hold: hold.interruptId,
  status: 'resolved',
  values: { text },
  reason: null,
  digest: null,
  fingerprint: checked?.digest === hold.digest ? checked.fingerprint : fingerprint,
  ...(checked === undefined ? {} : { checked: { digest: checked.digest } }),
  ...(proof === undefined ? {} : { proof }),
});

export function onMessageInHolding(state: TaskState, { command }: PersonMessageEvent, now: string): Outcome {
  const repeat = repeatOf(state, command);
  if (repeat) return repeat;
  const refused = (reply: Outcome['reply']): Outcome => ({ state, effects: [], reply });
  if (state.holds.some((hold) => hold.question.dialect === askDialect))
    return refused(refuse('input_invalid', 'this question was asked by a program, which takes no messages'));
  if (state.asking !== null) return refused(refuse('busy', 'the agent is being asked already; wait for its answer'));
  const asked = askedHoldsOf(state);
  const outgoing = asked.find((hold) => hold.outgoing)?.outgoing;
  if (outgoing) {
    const how = `${outgoing.decision.by} has answered; it is sent at ${outgoing.at}`;
    return refused(refuse('busy', `${how}: take it back first, or write after that`));
  }
  if (asked.length === 0)
    return refused(refuse('delivery_unknown', 'an operator must first settle whether the agent got the last message'));
  const text = textHoldOf(state);
  if (text !== null) return decideByText(state, text, command, now);
  if (isLate(command)) return refused(refuse('changed_meanwhile', lateWords));
  const { principal } = command;
  if (!asked.some((hold) => maySee(hold, principal, state.owner)))
    return refused(refuse('forbidden', `${principal.id} is not asked anything here`));
  const open = asked.filter(({ question }) => isAnsweredByWords(question)).map(({ interruptId }) => interruptId);
  if (open.length > 0) {
    const why = `the agent would take words for its answer: answer ${open.join(', ')}, or comment on it`;
    return refused(refuse('input_invalid', why, { open }));
  }
  return askBack(state, command, now);
}

/** Of words, that what they answer has ended: to the agent they would be the answer that it waited for. */
export const lateWords =
  'the question that this answers has ended: read what came of it, and write again if you still mean it';

/** Words that were proved as an answer, where no question in words is open. */
const isLate = ({ proof }: MessageCommand): boolean => proof !== undefined;

/** Of words, that what they would answer was asked after they were written. */
export const unreadWords = 'the agent has asked something since this was written: read that first, and answer it';

function decideByText(state: TaskState, hold: Hold, command: MessageCommand, now: string): Outcome {
  const { principal, messageId } = command;
  const entry = textEntry(hold, command);
  const judged = judgeAnswer(hold, entry, command, state.owner, now);
  if (!judged.ok) return { state, effects: [], reply: judged };
  if (judged.kind === 'repeat') return { state, effects: [], reply: replyOf(state, messageId, 'decided') };
  const isRead = entry.proof !== undefined || principal.id === temporalOperatorId;
  // A secret in clear is refused for that, where it is checked.
  if (!isRead && hold.question.secrets.length === 0)
    return { state, effects: [], reply: refuse('changed_meanwhile', unreadWords, { open: [hold.interruptId] }) };
  const given = judgeEdits(state, [{ holdId: hold.holdId, entry, by: principal, source: 'chat' }]);
  if (given.kind !== 'taken') return { state, effects: [], reply: refuse('input_invalid', 'words edit no call') };
  const { state: next, effects } = applyAnswers(note(state, command, 'decided'), given.answers, now, {
    runId: ownRunIdOf(state.taskId, `turn-${state.turn + 1}`),
    opener: 'standfast',
    skipped: [],
  });
  return { state: next, effects, reply: replyOf(next, messageId, 'decided') };
}

/** Talk-back: the questions stay open and their timers run; answers wait for the agent's reply. */
function askBack(before: TaskState, command: MessageCommand, now: string): Outcome {
  const state = withSpeaker(before, command.principal, now);
  const { text, principal, messageId } = command;
  const turn = state.turn + 1;
  const holds = state.holds.map((hold) => (hold.status === 'open' ? { ...hold, asking: true } : hold));
  const next: TaskState = {
    ...note(state, command, 'asked'),
    status: 'USER_INPUT_RECEIVED',
    turn,
    resumes: 0,
    isDelivered: false,
    parked: null,
    awaySince: null,
    runId: ownRunIdOf(state.taskId, `talk-${turn}`),
    opener: 'standfast',
    skipped: [],
    isResendAllowed: false,
    send: { kind: 'talk', messageId, text, by: principal.id },
    holds,
    asking: { messageId, by: principal.id },
    note: null,
  };
  const holdIds = openHoldsOf(next).map(({ holdId }) => holdId);
  return {
    state: next,
    effects: [{ kind: 'amendHolds', holdIds, run: null, failed: null }, { kind: 'turn' }],
    reply: replyOf(next, messageId, 'asked'),
  };
}

export function onMessageWhileEnding(state: TaskState, { command }: PersonMessageEvent): Outcome {
  const reply = refuse('busy', 'the task is just ending; try again');
  return repeatOf(state, command) ?? { state, effects: [], reply };
}
