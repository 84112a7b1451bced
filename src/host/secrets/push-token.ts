import { createHmac } from 'node:crypto';
import { randomKey } from './hash.ts';

interface Facts {
  get(name: string): Promise<string | null>;
  putOnce(name: string, value: string): Promise<string>;
}

const keyName = 'push-key';

/** What an agent shows when it notifies us: made from a key of the whole installation, so that any process can check it. */
export async function pushTokenOf(facts: Facts, agent: string): Promise<string> {
  const key = (await facts.get(keyName)) ?? (await facts.putOnce(keyName, randomKey()));
  return createHmac('sha256', key).update(`push:${agent}`).digest('base64url');
}
