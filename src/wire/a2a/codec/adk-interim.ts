import type { JsonObject } from '../../../contract/base/json.ts';
import type { AgentMessage, NeutralArtifact, NeutralPart } from '../../../contract/tasks/turn.ts';
import { adkIntegration } from '../../../core/questions/agent-dialects.ts';
import { isRecord } from './clean.ts';
import { isObject } from '../../../core/base/json.ts';

/*
 * A tool of ADK's that waits for somebody returns something first ("Pending User Authorization."), as a function response like
 * its real one later. ADK tells them apart in `adk_actions` of the artifact or the status update, or by the
 * request that names the call. Such a response is marked, so that nobody takes it for the result of the call.
 */

/** Set in the metadata of a function response that is not the call's last word. */
const interimKey = 'holdpoint.interim';
const maxCalls = 1000;

/** Calls whose tools wait now, by the metadata that ADK sends with an event's parts. */
export function waitingCalls(...metadata: unknown[]): Set<string> {
  const actions = metadata.filter(isRecord).flatMap((one) => [one['adk_actions'], one['kagent_actions']]);
  const requests = actions
    .filter(isRecord)
    .flatMap((one) => [one['requestedToolConfirmations'], one['requestedAuthConfigs']]);
  return new Set(requests.filter(isRecord).flatMap((one) => Object.keys(one).slice(0, maxCalls)));
}

/** The same parts, with the responses of calls that wait marked. */
export function markInterim(parts: NeutralPart[], waiting: ReadonlySet<string>): NeutralPart[] {
  if (waiting.size === 0) return parts;
  return parts.map((part) => (waiting.has(responseIdOf(part) ?? '') ? marked(part) : part));
}

/** A task's messages in their order: where somebody is asked about a call, its next response is not its last. */
export function markInterimIn(messages: AgentMessage[]): AgentMessage[] {
  const waiting = new Set<string>();
  return messages.map((message) => {
    const parts = message.parts.map((part) => {
      const asked = askedAboutBy(part);
      if (asked !== null) waiting.add(asked);
      return waiting.delete(responseIdOf(part) ?? '') ? marked(part) : part;
    });
    return parts.some((part, index) => part !== message.parts[index]) ? { ...message, parts } : message;
  });
}

const marked = (part: NeutralPart): NeutralPart => ({ ...part, metadata: { ...part.metadata, [interimKey]: true } });

function functionOf(part: NeutralPart, type: string): JsonObject | null {
  if (part.kind !== 'data' || !isObject(part.data)) return null;
  return ['adk_type', 'kagent_type', 'type'].some((key) => part.metadata[key] === type) ? part.data : null;
}

function responseIdOf(part: NeutralPart): string | null {
  const id = functionOf(part, 'function_response')?.['id'];
  return typeof id === 'string' && id !== '' ? id : null;
}

/** The call that a request for a confirmation or a credential is about. */
function askedAboutBy(part: NeutralPart): string | null {
  const args = functionOf(part, 'function_call')?.['args'];
  if (!isObject(args)) return null;
  const original = args['originalFunctionCall'];
  const id = isObject(original) ? original['id'] : args['functionCallId'];
  return typeof id === 'string' && id !== '' ? id : null;
}

/** Set in the metadata of an artifact that repeats a message. */
const repeatKey = 'holdpoint.repeats';

/**
 * ADK's older executor says its last words twice: in a status and then in an artifact, both of one event. The newer one, which
 * names its extension with each event, sends them once.
 */
function isRepeating(metadata: unknown): boolean {
  if (!isRecord(metadata) || adkIntegration in metadata) return false;
  return ['adk_event_id', 'kagent_event_id'].some((key) => typeof metadata[key] === 'string');
}

/** The artifact, marked where it may repeat a message. */
export function markRepeat(artifact: NeutralArtifact, about: unknown): NeutralArtifact {
  return isRepeating(about) ? { ...artifact, metadata: { ...artifact.metadata, [repeatKey]: true } } : artifact;
}
