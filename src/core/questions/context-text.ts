// The conversation before a question, as a surface adds it below: its last words, in text in which nothing is a link.
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { objectOf } from '../base/json.ts';
import { inertText } from './inert-text.ts';
import { ownEntry } from '../base/own-entry.ts';

const maxWords = 6;
const maxChars = 400;

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((part) => objectOf(part)['text']);
  return texts.filter((text) => typeof text === 'string').join('\n');
}

const cut = (text: string): string => (text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`);

/** The last words of a thread (its AG-UI messages) before a question; null: there are none. */
export function contextText(messages: readonly JsonObject[], agent: string, requester: string): string | null {
  const who: Record<string, string> = { user: requester, assistant: agent };
  const shown = messages.flatMap(({ role, content }) => {
    const name = typeof role === 'string' ? ownEntry(who, role) : undefined;
    const text = textOf(content).trim();
    return name === undefined || text === '' ? [] : [`${name}: ${cut(text)}`];
  });
  return shown.length === 0 ? null : inertText(['Messages before the question:', ...shown.slice(-maxWords)].join('\n'));
}
