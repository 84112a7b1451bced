import { paragraphs } from '../../../../core/base/text.ts';
import { distinctLinks, readLink } from '../../../../core/questions/stated.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { AgentMessage, NeutralPart } from '../../../../contract/tasks/turn.ts';
import {
  type Answered,
  type Detected,
  type Dialect,
  type Encoded,
  type Pause,
  describePolicy,
  messageText,
} from '../base/dialect.ts';
import { unknownIn } from '../plain/plain.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { secretsOf } from '../base/secret-fields.ts';
import { isObject } from '../../../../core/base/json.ts';

/**
 * AUTH_REQUIRED without a dialect of its own (A2A 1.0 §7.6; docs/wire.md): access is usually granted out of band and
 * the task continues alone, so "granted" sends nothing, a note is sent as a message, and a refusal ends the task.
 * Some agents wait for a word (`approve`, `deny`) or for the credential itself, which is sent as data, because text is
 * part of the conversation.
 */
export const authDialect: Dialect = {
  name: 'auth',
  detect,
  encode,
  verdictOnWire,
  canRefuse: () => false,
  owns: () => false,
};

const prompt = 'The agent needs a permission or a credential to go on, and did not say which.';

function detect(pause: Pause): Detected {
  if (pause.state !== 'auth-required') return { result: 'not-in-dialect' };
  const { named, shown } = unknownIn(withoutLinks(pause.message));
  const asked = paragraphs([messageText(pause.message), named, shown]);
  const schema = outcomeSchema();
  return {
    result: 'ok',
    questions: [
      {
        ...plainFields(),
        dialect: authDialect.name,
        kind: 'authorization',
        title: 'The agent asks for authorisation',
        hasOwnTitle: false,
        message: asked === '' ? prompt : asked,
        schema,
        secrets: secretsOf(schema),
        decisionField: 'outcome',
        // What was granted elsewhere, a credential and a note say neither.
        decisionWords: { yes: 'approve', no: 'deny' },
        links: linksOf(pause.message),
      },
    ],
  };
}

function outcomeSchema(): JsonObject {
  const text = 'Never a password or a key: it is sent as text.';
  return {
    type: 'object',
    properties: {
      outcome: {
        title: 'What you did',
        oneOf: [
          { const: 'granted', title: 'I have authorised it elsewhere' },
          { const: 'credential', title: 'Give the agent a credential' },
          { const: 'approve', title: 'Tell the agent "approve"' },
          { const: 'deny', title: 'Tell the agent "deny"' },
          { const: 'note', title: 'Send a note to the agent' },
        ],
      },
      credential: {
        type: 'string',
        title: 'Credential',
        description: 'A key, token or password. It goes to the agent alone, and is shown nowhere.',
        format: 'password',
        writeOnly: true,
        maxLength: 16_000,
      },
      note: { type: 'string', title: 'Note', description: text, maxLength: 4000 },
    },
    required: ['outcome'],
    additionalProperties: false,
    allOf: ['credential', 'note'].map((name) => ({
      if: { properties: { outcome: { const: name } }, required: ['outcome'] },
      then: { required: [name], properties: { [name]: { minLength: 1 } } },
    })),
  };
}

/** Without data that is shown as a link, and as nothing else. */
function withoutLinks(message: AgentMessage | null): AgentMessage | null {
  const isLink = (part: NeutralPart): boolean =>
    part.kind === 'data' &&
    isObject(part.data) &&
    Object.keys(part.data).every((key) => key === 'url' || key === 'title') &&
    readLink(part.data['url'], part.data['title']) !== null;
  return message && { ...message, parts: message.parts.filter((part) => !isLink(part)) };
}

function linksOf(message: AgentMessage | null): ReturnType<typeof distinctLinks> {
  return distinctLinks(
    (message?.parts ?? []).map((part) => {
      if (part.kind === 'file') return readLink(part.uri, part.name);
      return part.kind === 'data' && isObject(part.data) ? readLink(part.data['url'], part.data['title']) : null;
    }),
  );
}

function encode(answers: Answered[]): Encoded {
  const texts: string[] = [];
  const parts: NeutralPart[] = [];
  for (const { answer } of answers) {
    if (answer.status === 'cancelled') return { result: 'cannot-carry', why: 'a refused authorisation ends the task' };
    const { outcome, note, credential } = answer.values;
    if (outcome === 'granted') continue;
    const message = textOf(outcome, note, credential);
    if (message === null) return { result: 'cannot-carry', why: 'the answer lacks what it says it brings' };
    texts.push([message, describePolicy(answer)].filter((text) => text !== '').join('\n\n'));
    if (outcome === 'credential') parts.push(credentialPart(credential ?? ''));
  }
  if (texts.length === 0) return { result: 'nothing' };
  return { result: 'ok', text: texts.join('\n'), parts, metadata: {}, extensions: [] };
}

function verdictOnWire({ answer }: Answered): Verdict | null {
  const { outcome, note, credential } = answer.values;
  if (answer.status === 'cancelled') return null;
  if (outcome === 'granted') return 'answered';
  if (textOf(outcome, note, credential) === null) return null;
  return outcome === 'approve' ? 'yes' : outcome === 'deny' ? 'no' : 'answered';
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

function textOf(outcome: Json | undefined, note: Json | undefined, credential: Json | undefined): string | null {
  switch (outcome) {
    case 'approve':
    case 'deny':
      return outcome;
    case 'note':
      return isText(note) ? note : null;
    case 'credential':
      return isText(credential) ? 'The credential is in the data of this message.' : null;
    default:
      return null;
  }
}

const credentialPart = (credential: Json): NeutralPart => ({
  kind: 'data',
  data: { type: 'a2a.input.response', values: { credential }, metadata: {} },
  metadata: {},
});
