// An agent’s last message of a turn, and the question that it is where `agents.<name>.asks` matches it.
import type { JsonObject } from '../../contract/base/json.ts';
import { isCallerThread } from '../../contract/tasks/caller.ts';
import type { AgentMessage, NeutralArtifact, TurnEvent, TurnOutcome } from '../../contract/tasks/turn.ts';
import { askedAtEnd, asksPeople, maxComparedChars, type Asks } from '../../core/questions/asks.ts';
import { pauseIdOf, type TurnView } from '../../core/turn/view.ts';
import { messageText, type Previous } from '../../wire/a2a/dialects/base/dialect.ts';
import { isPiece } from '../../wire/agui/model/repeats.ts';
import { readPause } from '../../wire/a2a/dialects/registry.ts';

export interface LastMessage {
  message: AgentMessage;
  /** The artifact that it is; null: a message. */
  artifactId: string | null;
}

/** The last message once this event is known: of an artifact that grows, all of it. */
export function lastMessageAfter(last: LastMessage | null, event: TurnEvent): LastMessage | null {
  switch (event.type) {
    case 'message':
    case 'status':
      return event.message?.role === 'agent' ? ofMessage(last, event.message) : last;
    case 'artifact': {
      const given = ofArtifact(event.artifact);
      if (!event.append || last?.artifactId !== given.artifactId) return given;
      return { ...given, message: grown(last.message, given.message) };
    }
    case 'task': {
      if (event.message !== null) return { message: event.message, artifactId: null };
      const newest = event.artifacts.at(-1);
      return newest === undefined ? last : ofArtifact(newest);
    }
    case 'unknown':
      return last;
    default:
      return event satisfies never;
  }
}

/** Pieces of one message are one text, as it is shown. */
function ofMessage(last: LastMessage | null, message: AgentMessage): LastMessage {
  const isMore = last?.artifactId === null && last.message.messageId === message.messageId;
  return { message: isMore && isPiece(message, true) ? grown(last.message, message) : message, artifactId: null };
}

const ofArtifact = ({ artifactId, parts, metadata, isCut }: NeutralArtifact): LastMessage => ({
  message: { messageId: '', role: 'agent', parts, metadata, extensions: [], ...(isCut === true ? { isCut } : {}) },
  artifactId,
});

const maxParts = 100;

/** Pieces of one text are one part. What is longer than any question is not kept whole, and says so. */
function grown({ parts: before, isCut }: AgentMessage, more: AgentMessage): AgentMessage {
  const [last, next] = [before.at(-1), more.parts[0]];
  const isOne = last?.kind === 'text' && next?.kind === 'text' && last.isReasoning === next.isReasoning;
  const isFull = isOne && last.text.length > maxComparedChars;
  const text = isOne && !isFull ? { ...last, text: `${last.text}${next.text}` } : last;
  const parts =
    isOne && text !== undefined ? [...before.slice(0, -1), text, ...more.parts.slice(1)] : [...before, ...more.parts];
  const isLess = isCut === true || more.isCut === true || isFull || parts.length > maxParts;
  return { ...more, parts: parts.slice(0, maxParts), ...(isLess ? { isCut: true } : {}) };
}

/** A caller over A2A has a message as the end of its task, and answers it by its own next one. */
export function withoutTaskFor(threadId: string, outcome: TurnOutcome): TurnOutcome {
  if (outcome.kind !== 'paused' || outcome.a2aTaskId !== null || !isCallerThread(threadId)) return outcome;
  return { kind: 'ended', a2aTaskId: null, contextId: outcome.contextId, state: 'message-only', message: '' };
}

/** The question of an agent that asks by its last message; null: it does not ask. */
export function questionInLastMessage(
  { a2aTaskId, contextId }: TurnView,
  {
    asks,
    lastMessage,
    previous,
    digits = [],
  }: { asks: Asks | null; lastMessage: LastMessage | null; previous: readonly Previous[]; digits?: readonly string[] },
): Extract<TurnOutcome, { kind: 'paused' }> | null {
  if (asks === null || lastMessage === null) return null;
  const { message } = lastMessage;
  const metadata = Object.assign({}, ...message.parts.map((part) => part.metadata), message.metadata) as JsonObject;
  if (!asksPeople(asks, { text: messageText(message), metadata })) return null;
  // What matched has no other meaning.
  const matched = Object.keys(asks.metadata ?? {});
  const without = (all: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !matched.includes(key)));
  const parts = message.parts.map((part) => ({ ...part, metadata: without(part.metadata) }));
  const pause = { ...message, parts, metadata: without(message.metadata) };
  const state = 'input-required';
  const { questions, explanation } = readPause({ state, message: pause, a2aTaskId: a2aTaskId ?? '', previous });
  return {
    kind: 'paused',
    a2aTaskId,
    contextId: contextId ?? '',
    state,
    pauseMessageId: pauseIdOf(message),
    explanation,
    questions: questions.map((question) => askedAtEnd(question, a2aTaskId)),
    digits: [...digits],
  };
}
