// The context in which a supervisor agent is asked. Whoever can name it can talk to the agent in it, and the requester knows the
// question's id: he could tell beforehand what to answer. So it is made by chance, once, and kept before anything is sent.
import { randomUUID } from 'node:crypto';
import { supervisorContextIdOf, supervisorMessageIdOf } from '../core/ids.ts';
import { sha1Hex } from '../host/hash.ts';
import type { ActivityDeps } from './deps.ts';

/** The same for every attempt of one step of one hold. */
export async function supervisorContext(
  { store }: Pick<ActivityDeps, 'store'>,
  { holdId, agent, stepIndex }: { holdId: string; agent: string; stepIndex: number },
): Promise<string> {
  const messageId = supervisorMessageIdOf(sha1Hex, holdId, agent, stepIndex);
  const fact = `supervisor-context:${messageId}`;
  const kept = await store.facts.get(fact);
  if (kept !== null) return kept;
  // Being asked by an older version, whose contexts were made of these ids: it is looked for there.
  const isUnderWay = (await store.intents.get(messageId)) !== null;
  return store.facts.putOnce(
    fact,
    isUnderWay ? supervisorContextIdOf(sha1Hex, holdId, agent, stepIndex) : randomUUID(),
  );
}
