import type { JsonObject } from '../../contract/json.ts';
import type { AgentMessage } from '../../contract/turn.ts';
import { isJsonObject } from './clean.ts';
import {
  type Answered,
  type Detected,
  type Dialect,
  type Encoded,
  type Pause,
  plainFields,
  policyWords,
  wordsOf,
} from './dialect.ts';
import { distinctLinks, readLink } from './links.ts';

/**
 * AUTH_REQUIRED without a form of its own (A2A 1.0 §7.6; docs/wire.md): what is asked for is mostly granted elsewhere, and the
 * task goes on by itself. So "granted" sends nothing, a note is a message, and a refusal is the end of the task.
 */
export const authDialect: Dialect = { name: 'auth', detect, encode, canRefuse: () => false };

const prompt = 'The agent needs a permission or a credential to go on, and did not say which.';

function detect(pause: Pause): Detected {
  if (pause.state !== 'auth-required') return { result: 'not-in-dialect' };
  const words = wordsOf(pause.message);
  return {
    result: 'ok',
    questions: [
      {
        ...plainFields(),
        dialect: authDialect.name,
        kind: 'authorization',
        idPrefix: 'input',
        activityType: 'INPUT_REQUEST',
        title: 'The agent asks for authorisation',
        message: words === '' ? prompt : words,
        schema: outcomeSchema(),
        links: linksOf(pause.message),
      },
    ],
  };
}

function outcomeSchema(): JsonObject {
  const words = 'Never a password or a key: it is sent as text.';
  return {
    type: 'object',
    properties: {
      outcome: {
        title: 'What you did',
        oneOf: [
          { const: 'granted', title: 'I have authorised it elsewhere' },
          { const: 'note', title: 'Send a note to the agent' },
        ],
      },
      note: { type: 'string', title: 'Note', description: words, maxLength: 4000 },
    },
    required: ['outcome'],
    additionalProperties: false,
    if: { properties: { outcome: { const: 'granted' } } },
    else: { required: ['note'], properties: { note: { minLength: 1 } } },
  };
}

function linksOf(message: AgentMessage | null): ReturnType<typeof distinctLinks> {
  return distinctLinks(
    (message?.parts ?? []).map((part) => {
      if (part.kind === 'file') return readLink(part.uri, part.name);
      return part.kind === 'data' && isJsonObject(part.data) ? readLink(part.data['url'], part.data['title']) : null;
    }),
  );
}

function encode(answers: Answered[]): Encoded {
  const texts: string[] = [];
  for (const { answer } of answers) {
    if (answer.status === 'cancelled') return { result: 'cannot-carry', why: 'a refused authorisation ends the task' };
    const { outcome, note } = answer.values;
    if (outcome === 'granted') continue;
    if (outcome !== 'note' || typeof note !== 'string' || note === '') {
      return { result: 'cannot-carry', why: 'the answer neither says that it was granted nor has a note' };
    }
    texts.push([note, policyWords(answer)].filter((text) => text !== '').join('\n\n'));
  }
  if (texts.length === 0) return { result: 'nothing' };
  return { result: 'ok', text: texts.join('\n'), parts: [], metadata: {}, extensions: [] };
}
