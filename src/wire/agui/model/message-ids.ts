// Message ids reserved for Standfast. A thread's messages share one id space with those of agents and clients, so a
// foreign id that resembles a reserved one is shown with a prefix.
//   artifact:<a2aTaskId>:<artifactId>   text of an artifact (artifact.2:… is its second version)
//   reasoning:<message>                 a reasoning message (reasoning.2:… is the next one of that message or artifact)
//   call:<interruptId>                  tool calls of a hold without explanation
//   calls:<a2aTaskId>:<artifactId>      tool calls of an artifact
//   parts:<fingerprint>                 tool calls of a message without id and text
//   result:<toolCallId>                 result of a tool call
//   surface:<surfaceId>                 an A2UI surface whose own id is taken
//   ui:<a2aTaskId>:<artifactId>         an artifact with `uiKind`
import type { Json } from '../../../contract/base/json.ts';

const reservedId = /^((artifact|reasoning)(\.\d+)?|calls?|parts|result|surface|ui):/;

/** The agent's messageId, prefixed with `message:` when it resembles a reserved one. */
export const shownId = (id: string): string => (reservedId.test(id) ? `message:${id}` : id);

export const resultId = (toolCallId: string): string => `result:${toolCallId}`;

/** True for tool results, which only Standfast writes. */
export const isResultId = (id: string): boolean => id.startsWith('result:');

const { imul } = Math;

/**
 * A 64-bit non-cryptographic hash (two FNV-1a rounds) as 16 hex digits; an agent that forces a collision only hides a
 * text of its own.
 */
export function textFingerprint(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = imul(a ^ code, 0x01000193);
    b = imul(b ^ (code + i), 0x85ebca6b);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

export const jsonFingerprint = (value: Json): string => textFingerprint(JSON.stringify(value));
