// Thread ids are a space of each caller's own: two callers who use one id have two threads, and neither learns of the other's.
// The first user of an id has it unchanged; for others it is marked with a hash of who they are.
import type { ThreadId } from '../../contract/base/id-types.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { ownsThread } from '../../core/policy/audience.ts';
import { isMarkedThreadId, ownThreadId, publicThreadId } from '../../core/base/ids.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import type { ThreadRow } from '../../store/store.ts';
import type { StreamItem } from '../http/formats.ts';
import type { WithStore } from '../api-parts.ts';

type Owned = Pick<ThreadRow, 'owner'> | null;

/** What a caller may mean by an id: a thread of their own marked with who they are, and the one that has the id itself. */
export const possibleThreads = (threadId: ThreadId, { id }: Principal): [own: string, plain: string] => [
  ownThreadId(sha1Hex, threadId, id),
  threadId,
];

/** Which of the two it is; also of one that is not there yet. Operators reach those of others by their id inside. */
export function chooseThread(threadId: ThreadId, principal: Principal, mine: Owned, plain: Owned): string {
  const [own] = possibleThreads(threadId, principal);
  if (mine !== null) return own;
  if (plain === null) return isMarkedThreadId(threadId) ? own : threadId;
  return ownsThread(principal, plain.owner) ? threadId : own;
}

export async function threadIdFor(
  { store }: WithStore,
  agent: string,
  threadId: ThreadId,
  principal: Principal,
): Promise<string> {
  const [own, plain] = possibleThreads(threadId, principal);
  return chooseThread(
    threadId,
    principal,
    ...(await Promise.all([store.threads.get(agent, own), store.threads.get(agent, plain)])),
  );
}

/** A stream as its reader knows the thread. */
export async function* withPublicThread(source: AsyncGenerator<StreamItem[]>): AsyncGenerator<StreamItem[]> {
  for await (const items of source) {
    yield items.map((item) => {
      const { threadId } = item.event;
      return typeof threadId === 'string' && isMarkedThreadId(threadId)
        ? { ...item, event: { ...item.event, threadId: publicThreadId(threadId) } }
        : item;
    });
  }
}
