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

const reservedId = /^((artifact|thought)(\.\d+)?|calls?|parts|result|surface|ui):/;

/** An agent's messageId as it is, unless it resembles a reserved one. */
export const shownId = (id: string): string => (reservedId.test(id) ? `message:${id}` : id);

export const resultId = (toolCallId: string): string => `result:${toolCallId}`;

/** True for a message that only Holdpoint writes: the result of a tool call. */
export const isResultId = (id: string): boolean => id.startsWith('result:');
