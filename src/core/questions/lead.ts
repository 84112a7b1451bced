import type { Question } from '../../contract/form.ts';

/** Titles of ours, where the agent gave its question none (wire/a2a). */
const ownTitle = /^The agent asks(?: for authorisation| for a credential)?$/;
const maxChars = 160;

/** What a question without a title of its own asks, in its first line; null: its title says it, or nothing does. */
export function leadOf({ title, message }: Pick<Question, 'title' | 'message'>): string | null {
  if (!ownTitle.test(title)) return null;
  // Far enough for a line after some empty ones: messages may be long.
  const lines = message.slice(0, 2_000).split('\n');
  const first = lines.map((line) => line.replace(/^[\s#>*-]+/, '').trim()).find((line) => line !== '');
  return first === undefined ? null : first.slice(0, maxChars);
}
