import type { JsonObject } from '../../../contract/base/json.ts';
import type { AgentMessage, NeutralArtifact, NeutralPart } from '../../../contract/tasks/turn.ts';
import { adkIntegration } from '../../../core/questions/agent-dialects.ts';
import { isRecord } from './clean.ts';
import { isObject } from '../../../core/base/json.ts';

/*
 * Marks of what ADK sends twice: answers of tools before the real ones, and texts of its older executor.
 *
 * A pending ADK tool returns an interim function response ("Pending User Authorization.") before its real one. ADK
 * distinguishes them by `adk_actions` in the artifact's or status update's metadata, or by the request that names the
 * call; we mark the interim one so that it is never shown as the call's result.
 */

/** Metadata key of an interim function response. */
const interimKey = 'standfast.interim';
const maxCalls = 1000;

/** Ids of the calls that are pending according to ADK's event metadata (`adk_actions`). */
export function pendingCalls(...metadata: unknown[]): Set<string> {
  const actions = metadata.filter(isRecord).flatMap((one) => [one['adk_actions'], one['kagent_actions']]);
  const requests = actions
    .filter(isRecord)
    .flatMap((one) => [one['requestedToolConfirmations'], one['requestedAuthConfigs']]);
  return new Set(requests.filter(isRecord).flatMap((one) => Object.keys(one).slice(0, maxCalls)));
}

/** The parts with the responses of pending calls marked as interim. */
export function markInterim(parts: NeutralPart[], waiting: ReadonlySet<string>): NeutralPart[] {
  if (waiting.size === 0) return parts;
  return parts.map((part) => (waiting.has(responseIdOf(part) ?? '') ? withInterimMark(part) : part));
}

/** Marks interim responses in a task's history: the first response after a request about its call is interim. */
export function markInterimIn(messages: AgentMessage[]): AgentMessage[] {
  const waiting = new Set<string>();
  return messages.map((message) => {
    const parts = message.parts.map((part) => {
      const asked = requestedCallId(part);
      if (asked !== null) waiting.add(asked);
      return waiting.delete(responseIdOf(part) ?? '') ? withInterimMark(part) : part;
    });
    return parts.some((part, index) => part !== message.parts[index]) ? { ...message, parts } : message;
  });
}

const withInterimMark = (part: NeutralPart): NeutralPart => ({
  ...part,
  metadata: { ...part.metadata, [interimKey]: true },
});

function functionOf(part: NeutralPart, type: string): JsonObject | null {
  if (part.kind !== 'data' || !isObject(part.data)) return null;
  return ['adk_type', 'kagent_type', 'type'].some((key) => part.metadata[key] === type) ? part.data : null;
}

function responseIdOf(part: NeutralPart): string | null {
  const id = functionOf(part, 'function_response')?.['id'];
  return typeof id === 'string' && id !== '' ? id : null;
}

/** Id of the call that a confirmation or credential request is about; null for any other part. */
function requestedCallId(part: NeutralPart): string | null {
  const args = functionOf(part, 'function_call')?.['args'];
  if (!isObject(args)) return null;
  const original = args['originalFunctionCall'];
  const id = isObject(original) ? original['id'] : args['functionCallId'];
  return typeof id === 'string' && id !== '' ? id : null;
}

/** Metadata key of an artifact that duplicates a message. */
const repeatKey = 'standfast.repeats';

/**
 * ADK's older executor sends its final text twice, in a status and in an artifact of the same event; the newer
 * executor, which lists its extension on each event, sends it once.
 */
function mayRepeatMessage(metadata: unknown): boolean {
  if (!isRecord(metadata) || adkIntegration in metadata) return false;
  return ['adk_event_id', 'kagent_event_id'].some((key) => typeof metadata[key] === 'string');
}

/** The artifact, marked when ADK may have sent its text as a message too. */
export function markRepeat(artifact: NeutralArtifact, about: unknown): NeutralArtifact {
  return mayRepeatMessage(about) ? { ...artifact, metadata: { ...artifact.metadata, [repeatKey]: true } } : artifact;
}
