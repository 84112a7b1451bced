// What of a question is carried with it, in history and rows, and what is kept whole next to it. Whether it can be seen
// whole where it is shown is decided here alone.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import type { WholeAt, WholePart } from '../../contract/holds/whole.ts';
import { canonicalJson, isObject, objectOf, parseJson, utf8Length } from '../base/json.ts';
import { decidingOf } from './verdict.ts';
import { shortenedJson, shortenedText } from './shorten.ts';

/** `sha256:…` over a text in UTF-8. */
type Sha256 = (text: string) => string;

/** Content as it is kept, under its digest. */
export interface WholeContent extends Omit<WholePart, 'at'> {
  text: string;
}

/** Questions of one pause as they are carried, and what is kept next to them. */
export interface Carried {
  questions: Question[];
  contents: WholeContent[];
}

/** All questions of a pause: they pass through the workflow's history (2 MiB a payload) and stay in its state. */
const maxQuestionsBytes = 512 * 1024;

interface Member {
  at: WholeAt;
  /** What is carried of it, in bytes. */
  room: number;
  /** Missing or null: the question has none. */
  read(question: Question): Json | undefined;
  write(question: Question, value: Json): Question;
  /** In place of what is too long; a text has its beginning and end. */
  shorten(value: Json, maxBytes: number): Json;
}

const shortJson = (value: Json, maxBytes: number): Json => (isObject(value) ? shortenedJson(value, maxBytes) : null);
const shortText = (value: Json, maxBytes: number): Json => shortenedText(String(value), maxBytes);

const members: readonly Member[] = [
  {
    at: '/message',
    room: 16 * 1024,
    read: ({ message }) => message,
    write: (question, value) => ({ ...question, message: String(value) }),
    shorten: shortText,
  },
  {
    at: '/stated/reasoning',
    room: 2 * 1024,
    read: ({ stated }) => stated?.reasoning,
    write: (question, value) => ({ ...question, stated: { ...question.stated, reasoning: String(value) } }),
    shorten: shortText,
  },
  {
    at: '/tool/args',
    room: 64 * 1024,
    read: ({ tool }) => tool?.args,
    write: (question, value) =>
      question.tool === null ? question : { ...question, tool: { ...question.tool, args: objectOf(value) } },
    shorten: shortJson,
  },
  {
    at: '/reply',
    room: 64 * 1024,
    read: ({ reply }) => reply,
    write: (question, value) => ({ ...question, reply: objectOf(value) }),
    shorten: shortJson,
  },
  {
    // A form of which something is missing would be drawn as another one.
    at: '/form',
    room: 64 * 1024,
    read: ({ form }) => form,
    write: (question, value) => ({ ...question, form: value }),
    shorten: () => null,
  },
  {
    // What rules read of it: of a part of that they would choose another policy.
    at: '/judged/sent',
    room: 4 * 1024,
    read: ({ judged }) => judged?.sent && { ...judged.sent },
    write: (question, value) =>
      question.judged === undefined
        ? question
        : { ...question, judged: { ...question.judged, sent: isObject(value) ? value : null } },
    shorten: () => null,
  },
];

/** What people do not read of a question: it is for its dialect, or for the rules. */
const isUnread = ({ at }: WholePart): boolean => at === '/reply' || at === '/judged/sent';

const textOf = (value: Json): string => (typeof value === 'string' ? value : canonicalJson(value));

/** Arguments up to this are edited on a page. */
const maxEditedBytes = 64 * 1024;

const isTooLongToEdit = (proposed: Json | undefined, share: number): boolean =>
  proposed !== undefined && utf8Length(JSON.stringify(proposed)) > maxEditedBytes * share;

/** The question as it is carried where each content has a share of its room. */
function carriedOne(asked: Question, share: number, sha256: Sha256): { question: Question; contents: WholeContent[] } {
  const question = isTooLongToEdit(asked.defaults[editedArgsField], share)
    ? withoutEditing(asked, 'The arguments are too long to be edited here')
    : asked;
  let carried = question;
  const parts: WholePart[] = [];
  const contents: WholeContent[] = [];
  for (const { at, room, read, write, shorten } of members) {
    const value = read(question);
    if (value === undefined || value === null) continue;
    const maxBytes = Math.floor(room * share);
    const text = textOf(value);
    const bytes = text.length * 3 <= maxBytes ? 0 : utf8Length(text);
    if (bytes <= maxBytes) continue;
    const mediaType = typeof value === 'string' ? 'text/plain' : 'application/json';
    const content = { digest: sha256(text), bytes, mediaType } as const;
    parts.push({ at, ...content });
    contents.push({ ...content, text });
    carried = write(carried, shorten(value, maxBytes));
  }
  return { question: parts.length === 0 ? carried : { ...carried, whole: parts }, contents };
}

/** Shares of the room that a question's contents may take, until all of the pause fit. */
const shares = [1, 1 / 4, 1 / 16, 1 / 64];

/** Whole questions as they are carried; null: their forms alone are too large, and nothing would show them. */
export function carriedQuestions(questions: readonly Question[], sha256: Sha256): Carried | null {
  for (const share of shares) {
    const all = questions.map((question) => carriedOne(question, share, sha256));
    const carried = all.map(({ question }) => question);
    if (utf8Length(JSON.stringify(carried)) <= maxQuestionsBytes)
      return { questions: carried, contents: all.flatMap(({ contents }) => contents) };
  }
  return null;
}

/** Whether questions can be carried at all, with their long contents next to them. */
export const canBeCarried = (questions: readonly Question[]): boolean =>
  utf8Length(JSON.stringify(questions)) <= maxQuestionsBytes || carriedQuestions(questions, () => '') !== null;

/** The question with all that lies next to it, as its agent sent it; null: one content is not there any more. */
export function restoredQuestion(question: Question, contentOf: (digest: string) => string | null): Question | null {
  const { whole = [], ...rest } = question;
  let restored: Question = rest;
  for (const { at, digest, mediaType } of whole) {
    const text = contentOf(digest);
    const value = text === null || mediaType === 'text/plain' ? text : (parseJson(text) ?? null);
    if (value === null) return null;
    restored = members.find((member) => member.at === at)?.write(restored, value) ?? restored;
  }
  return restored;
}

/** The question where its contents cannot be kept: it says so, and nothing approves it. */
export function withoutContents(question: Question, limitMiB: number): Question {
  const { whole } = question;
  if (whole === undefined) return question;
  const why = `The question is longer than what is kept of one task (${limitMiB} MiB), so it is not whole here`;
  return withLoss({ ...question, whole: whole.map((part) => ({ ...part, omitted: 'too_large' })) }, why);
}

const mostNamed = 10;

/** The question whose message brought files that are not kept: it names them, and nothing approves it. */
export function withLostFiles(question: Question, names: readonly string[]): Question {
  if (names.length === 0) return question;
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  const named = names.slice(0, mostNamed).map((name) => JSON.stringify(name.slice(0, 100)));
  return withLoss(
    question,
    `Files that its agent sent are longer or more than is kept, so it is not whole here: ${named.join(', ')}${more}`,
  );
}

/** The question as one that nothing approves, with the reason at the end of its message. */
export function withoutApproval(question: Question, why: string): Question {
  const message = `${question.message}\n\n(${why}. It can be refused, and not approved.)`;
  const { schema } = question;
  const found = decidingOf(question);
  // Where no answer says no, none is taken: what it did would be anybody's guess.
  if (found === null || found.no === null)
    return { ...question, message, defaults: {}, schema: { ...schema, not: {} } };
  const { field, no } = found;
  const properties = objectOf(schema['properties']);
  const property: JsonObject = { ...objectOf(properties[field]), const: no };
  const { [field]: _proposed, ...defaults } = question.defaults;
  return {
    ...question,
    message,
    defaults,
    schema: { ...schema, properties: { ...properties, [field]: property } },
  };
}

/** The question of which something was lost before it could be kept: words alone answer it, or nothing but a no. */
export const withLoss = (question: Question, why: string): Question =>
  question.kind === 'text'
    ? { ...question, message: `${question.message}\n\n(${why}.)` }
    : withoutApproval(question, why);

/** The question as one whose arguments are taken as they are or not at all, with the reason at the end of its message. */
export function withoutEditing(question: Question, why: string): Question {
  const { schema, defaults, tool } = question;
  const properties = objectOf(schema['properties']);
  if (tool === null || !Object.hasOwn(properties, editedArgsField)) return question;
  const { [editedArgsField]: _edited, ...fields } = properties;
  const { [editedArgsField]: proposed, ...others } = defaults;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  // What goes back with a yes is shown where no field shows it any more.
  const isOther = proposed !== undefined && canonicalJson(proposed) !== canonicalJson(tool.args);
  const shown = isOther ? [`With a yes it gets: ${JSON.stringify(proposed)}`] : [];
  return {
    ...question,
    message: [question.message, ...shown, `(${why}: they can be approved as they are, or refused.)`].join('\n\n'),
    schema: {
      ...schema,
      properties: fields,
      additionalProperties: false,
      required: required.filter((name) => name !== editedArgsField),
    },
    defaults: others,
    tool: { ...tool, isEditable: false },
  };
}

/** The arguments' digest where they lie next to the question; null: they are carried with it. */
export const argsDigestOf = ({ whole = [] }: Pick<Question, 'whole'>): string | null =>
  whole.find(({ at }) => at === '/tool/args')?.digest ?? null;

/** What people read of it that lies next to it. */
export const shownWhole = ({ whole = [] }: Pick<Question, 'whole'>): WholePart[] =>
  whole.filter((part) => !isUnread(part));

/** What they do not read, and the digest covers all the same. */
export const unreadWhole = ({ whole = [] }: Pick<Question, 'whole'>): WholePart[] => whole.filter(isUnread);

/** Whether all that people have to read of it is carried with it. */
export const isCarriedWhole = (question: Pick<Question, 'whole'>): boolean => shownWhole(question).length === 0;

/** The contents of a question, as its digest covers them; missing: it has none. */
export function coveredWhole(parts: readonly WholePart[]): JsonObject[] | undefined {
  return parts.length === 0 ? undefined : parts.map(({ at, digest, bytes }) => ({ at, digest, bytes }));
}
