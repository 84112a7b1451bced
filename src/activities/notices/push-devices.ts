// Browsers that take push notifications now: each as long as the session lasts in which it was switched on.
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { PushDeviceSchema } from '../../contract/configuration/personal.ts';
import { isProgramUser } from '../../core/policy/askers.ts';
import type { PersonalRow } from '../../store/ports/personal.ts';
import type { PolicyActs } from '../dep-parts.ts';

type Deps = PolicyActs;

export interface PushDevice {
  row: PersonalRow;
  device: z.infer<typeof PushDeviceSchema>;
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** No one is notified in a browser after signing out, after the session has ended, or with a key or user that was removed. */
export async function pushDevices(deps: Deps): Promise<PushDevice[]> {
  const rows = await deps.store.personal.list('push');
  const read = rows.flatMap((row) => {
    const device = PushDeviceSchema.safeParse(row.value).data;
    return device === undefined ? [] : [{ row, device }];
  });
  const lasting = await Promise.all(read.map((one) => isLasting(deps, one)));
  return read.filter((_one, at) => lasting[at] === true);
}

async function isLasting({ config, store, now }: Deps, { row: { user }, device }: PushDevice): Promise<boolean> {
  const { keys, oidc } = config.auth;
  const { session, signedIn } = device;
  if (isProgramUser(config, user)) return false;
  const isKeyless = keys.length === 0 && oidc === undefined;
  const isKnown = keys.some((key) => key.user === user) || Object.hasOwn(config.users, user);
  if (session === null)
    return isKeyless || (signedIn === null ? isKnown : Date.parse(signedIn.until) > now().getTime());
  const found = await store.sessions.get(session);
  if (found === null || found.principal.id !== user) return false;
  const { keyHash } = found;
  if (keyHash === null) return oidc !== undefined;
  return keys.some(
    ({ key, keySha256, expires, user: name }) =>
      name === user &&
      (key === undefined ? keySha256 : hashOf(key)) === keyHash &&
      (expires === undefined || Date.parse(expires) > now().getTime()),
  );
}
