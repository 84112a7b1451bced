// Ids as people type them: eight characters tell a task or a question from all others that they may see.
import { CommandError } from './command-error.ts';
import type { OperatorClient } from './operator-client.ts';

const shortLength = 8;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** The beginning of a UUID, not all of it. */
const isShort = (id: string): boolean => /^[0-9a-f]{4,8}$|^[0-9a-f]{8}-[0-9a-f-]{0,26}$/.test(id);

/** As short as it may be shown. */
export const shortId = (id: string): string => (uuid.test(id) ? id.slice(0, shortLength) : id);

/** Where a UUID may be cut: after each of its groups. */
const lengths = [shortLength, 13, 18, 23];

/** Shown short, but longer where two of them would look alike. */
export function shortIds(ids: readonly string[]): string[] {
  const isClear = (length: number): boolean => new Set(ids.map((id) => id.slice(0, length))).size === new Set(ids).size;
  const length = lengths.find(isClear) ?? Infinity;
  return ids.map((id) => (uuid.test(id) ? id.slice(0, length) : id));
}

/** The whole id; what is not the beginning of one (an interrupt id) is passed on as it is. */
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
