// Numbers that a double does not hold are texts of their digits in a question: marked, and never sent as what they are not.
import type { Json } from '../../contract/base/json.ts';
import type { Question } from '../../contract/holds/question.ts';
import { withoutApproval, withoutEditing } from './whole.ts';

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** JSON pointers of the texts among these digits. */
export function pointersIn(value: Json, digits: ReadonlySet<string>, at: string): string[] {
  if (typeof value === 'string') return digits.has(value) ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => pointersIn(member, digits, `${at}/${escaped(name)}`));
}

/** Named in the question's message; all of them are marked. */
const maxNamed = 5;

/** What people read of them. */
export function noteOf(pointers: readonly string[]): string {
  const named = pointers.slice(0, maxNamed).map((pointer) => pointer.slice(pointer.indexOf('/', 1) + 1));
  const more = pointers.length > maxNamed ? ` and ${pointers.length - maxNamed} more` : '';
  const [is, number, has] = pointers.length === 1 ? ['is', 'a number', 'has'] : ['are', 'numbers', 'have'];
  return `(${named.join(', ')}${more} ${is} ${number} that ${has} more digits than a program keeps, shown by all digits.)`;
}

/**
 * The question with its numbers marked that are `digits` now. Its arguments are not edited, since what went back would
 * have a text or another number there; where even a yes would send one back (`isSentBack`), it is not approved.
 */
export function withMarkedDigits(
  question: Question,
  digits: ReadonlySet<string>,
  isSentBack: (pointer: string) => boolean,
): Question {
  if (digits.size === 0) return question;
  const { tool, defaults, form, reply } = question;
  const shown = [
    ...pointersIn(tool?.args ?? {}, digits, '/tool/args'),
    ...pointersIn(defaults, digits, '/defaults'),
    ...pointersIn(form, digits, '/form'),
  ];
  const kept = pointersIn(reply, digits, '/reply');
  const returned = kept.some(isSentBack);
  if (shown.length === 0 && !returned) return question;
  const marked = { ...question, digits: shown };
  const noted =
    shown.length === 0
      ? marked
      : { ...marked, message: [question.message, noteOf(shown)].filter(Boolean).join('\n\n') };
  const asIs = withoutEditing(noted, 'A number of them cannot be kept while they are edited');
  return returned ? withoutApproval(asIs, 'A yes would send its agent another number than it has sent') : asIs;
}
