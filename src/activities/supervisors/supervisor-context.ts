// The context in which a supervisor agent is asked. Whoever can name it can talk to the agent in it, and the requester knows the
// question's id: they could tell beforehand what to answer. So it is made by chance, once, and kept before anything is sent.
import { randomUUID } from 'node:crypto';
import { supervisorMessageIdOf } from '../../core/base/ids.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import type { ActivityDeps } from '../deps.ts';

/** The same for every attempt of one step of one hold. */
export async function supervisorContext(
  { store }: Pick<ActivityDeps, 'store'>,
  { holdId, agent, stepIndex }: { holdId: string; agent: string; stepIndex: number },
): Promise<string> {
  const messageId = supervisorMessageIdOf(sha1Hex, holdId, agent, stepIndex);
  const fact = `supervisor-context:${messageId}`;
  return (await store.settings.get(fact)) ?? store.settings.putOnce(fact, randomUUID());
}
