// What the end of a turn is for its workflow: the questions of a pause, or the message of an end.
import type { NeutralArtifact, NeutralPart, TurnEvent, TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import type { Asks } from '../../core/questions/asks.ts';
import type { End, SeenEnd } from '../../core/turn/follow-state.ts';
import { isPausedState } from '../../contract/tasks/agent-state-names.ts';
import { pauseIdOf, type TurnView } from '../../core/turn/view.ts';
import { waitingParts } from '../../wire/a2a/dialects/adk/adk-call.ts';
import { messageText, type Previous } from '../../wire/a2a/dialects/base/dialect.ts';
import { isForgotten, readPause } from '../../wire/a2a/dialects/registry.ts';
import { wholeQuestion, type Contents } from '../../store/log/whole-question.ts';
import type { Tables } from '../../store/store.ts';
import { lastMessageAfter, questionInLastMessage, type LastMessage } from './last-message.ts';

const maxWaiting = 100;
const maxAsking = 20;
const maxMessageChars = 2000;

/** Parts of questions that came before the pause itself. */
export interface Asking {
  /** What was asked before this turn. */
  previous: readonly Previous[];
  /** What was called since, and waits for people. */
  calls: readonly NeutralPart[];
  /** Artifacts of this turn that ask; a task that is read later may not have them any more. */
  artifacts: readonly NeutralArtifact[];
  /** The text by which the agent refused this turn's answer. */
  refusal: string | null;
  /** How the agent asks without a pause; null: it does not. */
  asks: Asks | null;
  /** Texts in what asks that were numbers (`TurnEvent`). */
  digits?: readonly string[];
  /** The agent’s last message of this turn, where it may ask by it. */
  lastMessage: LastMessage | null;
}

export const askingBefore = (
  previous: readonly Previous[],
  refusal: string | null = null,
  asks: Asks | null = null,
): Asking => ({ previous, calls: [], artifacts: [], refusal, asks, lastMessage: null });

/** With the parts of a question that this event brings. */
export function withAsked(known: Asking, event: TurnEvent): Asking {
  const { digits } = event;
  const before =
    digits === undefined ? known : { ...known, digits: [...new Set([...(known.digits ?? []), ...digits])] };
  const asking =
    before.asks === null ? before : { ...before, lastMessage: lastMessageAfter(before.lastMessage, event) };
  if (event.type === 'artifact') {
    if (event.artifact.isQuestion !== true) return asking;
    return { ...asking, artifacts: [...asking.artifacts, event.artifact].slice(-maxAsking) };
  }
  if (event.type !== 'task' && event.type !== 'status') return asking;
  return { ...asking, calls: [...asking.calls, ...calledIn(event)].slice(-maxWaiting) };
}

/** Calls that wait, in a message sent with the pause or in those since a person's last message. */
function calledIn(event: SeenEnd['event']): NeutralPart[] {
  if (event.type === 'status') return isPausedState(event.state) ? [] : waitingParts(event.message);
  const since = event.history.findLastIndex(({ role }) => role === 'user');
  return event.history.slice(since + 1).flatMap(waitingParts);
}

/** `asking`, `view`: once the event that ended the turn is known. */
export function outcomeOf(end: End, view: TurnView, asking: Asking): TurnOutcome {
  const { a2aTaskId, contextId } = view;
  const isDone = end.kind === 'message-only' || (end.kind === 'seen' && end.event.state === 'completed');
  const asked = isDone ? questionInLastMessage(view, asking) : null;
  if (asked !== null) return asked;
  switch (end.kind) {
    case 'seen':
      return outcomeOfSeen(end, contextId, asking);
    case 'message-only':
      return { kind: 'ended', a2aTaskId, contextId, state: 'message-only', message: '' };
    case 'lost': {
      const what = `it has the message, but what it did with it was lost: ${end.why}`;
      return { kind: 'delivery-unknown', a2aTaskId, contextId, what: what.slice(0, maxMessageChars) };
    }
    case 'failed':
      return { ...end, message: end.message.slice(0, maxMessageChars), a2aTaskId, contextId };
    case 'refused':
      return end.outcome;
    default:
      return end satisfies never;
  }
}

/** What has no words cannot be answered; an agent that keeps its pauses in memory loses them as it starts again. */
const forgotten =
  'the agent has forgotten it: its task still waits for an answer, and says no more what it asked. ' +
  'Agents keep a question over a restart in a store of their own (docs/agents.md)';

/** With the digits, where there are any. */
const noted = ({ digits }: { digits: string[] }): { digits?: string[] } => (digits.length === 0 ? {} : { digits });

function outcomeOfSeen(end: SeenEnd, contextId: string | null, asking: Asking): TurnOutcome {
  const { event, isUnanswered, refusal, reason } = end;
  const { state, a2aTaskId, message } = event;
  if (isPausedState(state)) {
    const listed = event.type === 'task' ? event.artifacts.filter(({ isQuestion }) => isQuestion === true) : [];
    const artifacts = [...asking.artifacts, ...listed];
    const pause = {
      state,
      message,
      a2aTaskId,
      previous: asking.previous,
      earlier: asking.calls,
      artifacts,
      isUnanswered,
      refusal: asking.refusal ?? refusal,
    };
    const { questions, explanation } = readPause(pause);
    if (isForgotten(questions, asking.previous)) {
      return { kind: 'failed', code: 'agent_failed', message: forgotten, a2aTaskId, contextId };
    }
    const pauseMessageId = pauseIdOf(message);
    const ids = { a2aTaskId, contextId: contextId ?? '', state, pauseMessageId };
    return {
      kind: 'paused',
      ...ids,
      explanation,
      questions,
      ...noted({ digits: [...(asking.digits ?? []), ...(event.digits ?? [])] }),
    };
  }
  if (state !== 'completed' && state !== 'canceled' && state !== 'failed' && state !== 'rejected')
    throw new Error(`a task in state ${state} ends no turn`);
  const text = messageText(message).slice(0, maxMessageChars);
  const isFailure = state === 'failed' || state === 'rejected';
  return { kind: 'ended', a2aTaskId, contextId, state, message: text === '' && isFailure ? reason : text };
}

/** What the task's last pause asked, and what this turn answers it with. */
export async function lastQuestions(
  tables: Pick<Tables, 'holds'> & Contents,
  { task, send, n }: TurnInput,
): Promise<Previous[]> {
  // Nothing was asked before.
  if (n === 0) return [];
  const asked = (await tables.holds.ofTask(task.taskId)).filter(({ question }) => question.kind !== 'operator');
  const last = Math.max(0, ...asked.map(({ pause }) => pause.firstN));
  const before = asked.filter(({ pause }) => pause.firstN === last).toSorted((a, b) => a.n - b.n);
  return Promise.all(
    before.map(async (hold) => {
      const { decision } = hold;
      const isAnswered = send.kind === 'answers' && decision?.status === 'resolved';
      const question = (await wholeQuestion(tables, hold)) ?? hold.question;
      return { question, values: isAnswered ? decision.values : null };
    }),
  );
}
