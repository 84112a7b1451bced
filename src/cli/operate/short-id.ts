// Short ids: the first eight characters identify a task or question among those that a person may see.
import { CommandError } from './command-error.ts';
import type { OperatorClient } from './operator-client.ts';

const shortLength = 8;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** True for a proper prefix of a UUID. */
const isShort = (id: string): boolean => /^[0-9a-f]{4,8}$|^[0-9a-f]{8}-[0-9a-f-]{0,26}$/.test(id);

/** True for text that is the id of a question or task, or the beginning of one. */
export const isLikeId = (text: string): boolean => uuid.test(text) || isShort(text);

/** The shortest form in which an id is shown. */
export const shortId = (id: string): string => (uuid.test(id) ? id.slice(0, shortLength) : id);

/** Prefix lengths: the end of each UUID group. */
const lengths = [shortLength, 13, 18, 23];

/** Short ids, longer where two would be equal. */
export function shortIds(ids: readonly string[]): string[] {
  const isClear = (length: number): boolean => new Set(ids.map((id) => id.slice(0, length))).size === new Set(ids).size;
  const length = lengths.find(isClear) ?? Infinity;
  return ids.map((id) => (uuid.test(id) ? id.slice(0, length) : id));
}

/** Resolves a UUID prefix to the full id; anything else, is returned unchanged. */
export async function fullId(client: OperatorClient, kind: 'holds' | 'tasks', id: string): Promise<string> {
  const short = id.toLowerCase();
  if (!isShort(short)) return id;
  const { items } = await client.get<{ items: { id: string }[] }>(`/api/${kind}?id=${short}&limit=5`);
  const [only, another] = items;
  const what = kind === 'holds' ? 'question' : 'task';
  if (another !== undefined) {
    const list = items.map((item) => item.id).join(', ');
    throw new CommandError('usage', `${id} begins the id of more than one ${what}: ${list}`);
  }
  if (only === undefined)
    throw new CommandError('notFound', `no ${what} that you may see has an id that begins with ${id}`);
  return only.id;
}
