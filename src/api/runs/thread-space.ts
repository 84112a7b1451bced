// Thread ids are a space of each caller's own: two callers who use one id have two threads, and neither learns of the other's.
// Whoever comes first has the id itself inside; for others it is marked with a hash of who they are.
import type { Principal } from '../../contract/principal.ts';
import { isOperator } from '../../core/policy/audience.ts';
import { isMarkedThreadId, ownThreadId, publicThreadId } from '../../core/base/ids.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import type { ApiContext } from '../api-context.ts';
import type { StreamItem } from '../http/formats.ts';

/** Which thread a caller means by an id; also of one that is not there yet. Operators reach those of others by their id inside. */
export async function threadIdFor(
  { store }: Pick<ApiContext, 'store'>,
  agent: string,
  threadId: string,
  principal: Principal,
): Promise<string> {
  const own = ownThreadId(sha1Hex, threadId, principal.id);
  const [mine, plain] = await Promise.all([store.threads.get(agent, own), store.threads.get(agent, threadId)]);
  if (mine !== null) return own;
  if (plain === null) return isMarkedThreadId(threadId) ? own : threadId;
  return plain.owner === principal.id || isOperator(principal) ? threadId : own;
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
