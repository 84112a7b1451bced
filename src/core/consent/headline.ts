// What a question is called wherever it is named, and what its requester wrote: the first in the agent's own title and
// values, the second only ever as a quotation. The words of who wants a yes are never its headline.
import { askAgent } from '../base/ids.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Quotation } from '../../contract/base/quotation.ts';
import { type TellingValue, type Valued, valuesOf } from './telling-values.ts';

type Titled = Valued & Pick<Question, 'title' | 'hasOwnTitle' | 'message'>;

/** Whose task it is, and how the message begins that opened it. */
interface Request {
  agent: string;
  owner: string;
  words: string;
}

const maxChars = 160;
const maxValues = 3;
/** A text of more words is a sentence, which somebody else may have written. */
const maxPlainWords = 3;

/** What a question is called, and its requester's words, which have no part in that. */
export const namedOf = (question: Titled, request: Request): { headline: string; quotation: Quotation | null } => ({
  headline: headlineOf(question),
  quotation: quotationOf(request),
});

/** What tells a question from others of its sort, by what its agent wrote alone. */
export function headlineOf(question: Titled): string {
  const { title, tool } = question;
  const lead = leadOf(question);
  if (lead !== null) return lead;
  if (tellsItself(question)) return oneLine(title);
  // A switch says nothing without its name.
  const values = valuesOf(question).filter(({ value }) => typeof value !== 'boolean');
  if (values.length === 0) return oneLine(title);
  return oneLine(`${tool?.name ?? title}: ${values.slice(0, maxValues).map(valueText).join(', ')}`);
}

/** What the requester wrote, to be shown with their name and in quotation marks; null where they wrote nothing. */
export function quotationOf({ agent, owner, words }: Request): Quotation | null {
  // What a program asks begins with no words of a person's.
  const quoted = agent === askAgent ? '' : oneLine(words).replaceAll(/[“”„‟«»"]/gu, '’');
  return quoted === '' ? null : { by: owner, words: quoted };
}

/** A quotation where there is only text: its marks end it, since it has none of its own. */
export const quotationText = ({ words }: Quotation, name: string): string => `${name}: “${words}”`;

/** The first line of the message, where neither a title of its own nor the name of a tool says what is asked. */
export function leadOf(question: Pick<Question, 'title' | 'hasOwnTitle' | 'message' | 'tool'>): string | null {
  const { title, hasOwnTitle, message, tool } = question;
  if (hasOwnTitle || (tool !== null && tool.name !== '')) return null;
  const first = linesOf(message)[0];
  return first === undefined || first === title ? null : first;
}

/** Of a question without values: what its message begins with, or goes on with after its lead. */
export function aboutOf(question: Titled): string | null {
  if (valuesOf(question).some(({ value }) => typeof value !== 'boolean')) return null;
  const known = new Set([question.title.trim(), leadOf(question)]);
  return linesOf(question.message).find((line) => !known.has(line)) ?? null;
}

/** Whether the title asks or names something itself, and is not what all similar questions share. */
function tellsItself({ kind, title, hasOwnTitle, tool }: Titled): boolean {
  if (!hasOwnTitle || title.trim() === '') return false;
  if (kind === 'tool_call') return tool === null || /\d/u.test(title.replace(tool.name, ''));
  return kind !== 'form' || /[?\u061F\uFF1F\d]/u.test(title);
}

/** A sentence is named and quoted: an argument may repeat what anybody wrote. */
function valueText({ name, value }: TellingValue): string {
  const isSentence = typeof value === 'string' && value.trim().split(/\s+/u).length > maxPlainWords;
  return isSentence ? `${name} “${value.replaceAll(/[“”„‟«»"]/gu, '’')}”` : String(value);
}

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim().slice(0, maxChars);

/** The first lines of a message, without Markdown's marks; messages may be long. */
const linesOf = (message: string): string[] =>
  message
    .slice(0, 2_000)
    .split('\n')
    .map((line) =>
      line
        .replace(/^[\s#>*-]+/, '')
        .replaceAll(/\*\*|`/g, '')
        .trim()
        .slice(0, maxChars),
    )
    .filter((line) => line !== '');
