// What an agent asks with a value of its own making: its words as title and message, the rest as a list to read.
import type { Json } from '../../../../contract/base/json.ts';
import { isObject } from '../../../../core/base/json.ts';
import { cutText } from '../../codec/clean.ts';
import { paragraphs, titleOf } from './dialect.ts';

const wordKeys = ['question', 'message', 'prompt', 'title', 'text', 'description'];
const maxValueChars = 2000;
const maxValues = 50;

/** `title` is `otherwise` where the value has no words. */
export function describeValue(value: Json, otherwise: string): { title: string; message: string } {
  if (typeof value === 'string') return { title: titleOf(value, otherwise), message: value };
  if (!isObject(value)) return { title: otherwise, message: value === null ? '' : shown(value) };
  const words = wordKeys.flatMap((key): [string, string][] => {
    const word = value[key];
    return typeof word === 'string' && word.trim() !== '' ? [[key, word]] : [];
  });
  const used = new Set(words.map(([key]) => key));
  const rest = Object.entries(value).filter(([key]) => !used.has(key));
  const lines = rest.slice(0, maxValues).map(([key, item]) => `- **${escaped(key)}**: ${shown(item)}`);
  if (rest.length > maxValues) lines.push(`- and ${rest.length - maxValues} more`);
  return {
    title: titleOf(words[0]?.[1], otherwise),
    message: paragraphs([...words.map(([, word]) => word), lines.join('\n')]),
  };
}

const shown = (value: Json): string =>
  cutText(typeof value === 'string' ? value : `\`${JSON.stringify(value).replaceAll('`', "'")}\``, maxValueChars);

const escaped = (key: string): string => cutText(key, 200).replaceAll(/[*_`[\]<>]/gu, String.raw`\$&`);
