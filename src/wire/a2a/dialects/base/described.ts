// What an agent asks with a value of its own making: its words as title and message, the rest as a list to read.
import { paragraphs } from '../../../../core/base/text.ts';
import type { Json } from '../../../../contract/base/json.ts';
import { isObject } from '../../../../core/base/json.ts';
import { type Titled, titled } from './dialect.ts';

const wordKeys = ['question', 'message', 'prompt', 'title', 'text', 'description'];

/** Whether a value has words that ask. */
export const hasWords = (value: Json): boolean =>
  isObject(value) && wordKeys.some((key) => typeof value[key] === 'string' && value[key].trim() !== '');

/** The title is `otherwise` where the value has no words. */
export function describeValue(value: Json, otherwise: Titled): Titled & { message: string } {
  if (typeof value === 'string') return { ...ownTitle(value, otherwise), message: value };
  if (!isObject(value)) return { ...otherwise, message: value === null ? '' : shown(value) };
  const words = wordKeys.flatMap((key): [string, string][] => {
    const word = value[key];
    return typeof word === 'string' && word.trim() !== '' ? [[key, word]] : [];
  });
  const used = new Set(words.map(([key]) => key));
  const rest = Object.entries(value).filter(([key]) => !used.has(key));
  const lines = rest.map(([key, item]) => `- **${escaped(key)}**: ${shown(item)}`);
  return {
    ...ownTitle(words[0]?.[1] ?? '', otherwise),
    message: paragraphs([...words.map(([, word]) => word), lines.join('\n')]),
  };
}

const ownTitle = (text: string, otherwise: Titled): Titled => (text.trim() === '' ? otherwise : titled(text, ''));

const shown = (value: Json): string =>
  typeof value === 'string' ? value : `\`${JSON.stringify(value).replaceAll('`', "'")}\``;

const escaped = (key: string): string => key.replaceAll(/[*_`[\]<>]/gu, String.raw`\$&`);
