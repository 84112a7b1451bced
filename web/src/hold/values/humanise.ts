// Names of programs as labels for people: "approved_days" → "Approved days".
import { dictOf } from './dict.ts';
import { oneLine } from '../../base/text/visible.ts';

export function humanise(name: string): string {
  const words = name
    .replace(/[_\-.]+/gu, ' ')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .trim()
    .split(/\s+/u)
    .map((word, index) => (/^\p{Lu}{2,}$/u.test(word) ? word : index === 0 ? capital(word) : word.toLowerCase()));
  const text = words.join(' ');
  return text === '' ? name : text;
}

const capital = (word: string): string => {
  const [first = '', ...rest] = Array.from(word);
  return first.toUpperCase() + rest.join('').toLowerCase();
};

/** The agent's own label, unless it only repeats the field's name. */
export function labelOf(name: string, schema: unknown): string {
  const { title } = dictOf(schema);
  return typeof title === 'string' && title.trim() !== '' && title !== name
    ? oneLine(title, 200)
    : humanise(oneLine(name, 200));
}

/** Whether labels say "required" or "optional": the rarer of the two. */
export function markWord(fields: number, required: number): 'required' | 'optional' {
  return required * 2 > fields ? 'optional' : 'required';
}
