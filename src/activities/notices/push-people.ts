// People with a browser that takes push notifications whom the configuration does not list: signed in by the identity
// provider, as long as that lasts, or the one person of an installation without keys.
import type { Principal } from '../../contract/base/principal.ts';
import { principalNow } from '../../core/policy/delegates.ts';
import { pushDevices } from './push-devices.ts';
import type { PolicyActs } from '../dep-parts.ts';

const localUser = 'local';

export async function pushPeople({ config, store, now }: PolicyActs): Promise<Principal[]> {
  const isKeyless = config.auth.keys.length === 0 && config.auth.oidc === undefined;
  const devices = await pushDevices({ config, store, now });
  const people = new Map<string, Principal>();
  for (const { row, device } of devices) {
    const { user } = row;
    const isLocal = isKeyless && user === localUser;
    const { signedIn } = device;
    const lasts = signedIn !== null && Date.parse(signedIn.until) > now().getTime();
    if (!isLocal && !lasts) continue;
    const roles = [...new Set([...(people.get(user)?.roles ?? []), ...(signedIn?.roles ?? [])])];
    people.set(user, principalNow(config, { id: user, roles, isSuper: isLocal }, now()));
  }
  return [...people.values()];
}
