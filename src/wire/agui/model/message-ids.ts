// The ids that Holdpoint itself gives to messages. All messages of a thread share one id space with what agents and
// clients call theirs, so a foreign id that resembles one of these is shown under another name.
//   artifact:<a2aTaskId>:<artifactId>   text of an artifact (artifact.2:… its second version)
//   thought:<message>                   a reasoning message (thought.2:… another one of the same message or artifact)
//   call:<interruptId>                  tool calls asked about without a word
//   calls:<a2aTaskId>:<artifactId>      tool calls sent in an artifact
//   parts:<fingerprint>                 tool calls of a message that has no id and no words
//   result:<toolCallId>                 result of a tool call
//   surface:<surfaceId>                 an A2UI surface whose own id is taken
//   ui:<a2aTaskId>:<artifactId>         an artifact drawn by the front end
import type { Json } from '../../../contract/base/json.ts';

const reservedId = /^((artifact|thought)(\.\d+)?|calls?|parts|result|surface|ui):/;

/** An agent's messageId as it is, unless it resembles a reserved one. */
export const shownId = (id: string): string => (reservedId.test(id) ? `message:${id}` : id);

export const resultId = (toolCallId: string): string => `result:${toolCallId}`;

/** True for a message that only Holdpoint writes: the result of a tool call. */
export const isResultId = (id: string): boolean => id.startsWith('result:');

const { imul } = Math;

/**
 * 64 bits of a text (two rounds of FNV-1a), as 16 hex digits. No proof of anything: an agent that makes two texts of one
 * fingerprint only hides the second one of its own.
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
