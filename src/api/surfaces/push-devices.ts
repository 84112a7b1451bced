// Browsers that people are notified in: whose they are, and until when.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { PushDeviceSchema, type PushSubscriptionSchema } from '../../contract/configuration/personal.ts';
import type { Channel } from '../../contract/configuration/channels.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { callersEgress, whyNotCalled } from '../../host/net/egress.ts';
import type { PolicyReads, WithConfig, WithStore } from '../api-parts.ts';

type Subscription = z.infer<typeof PushSubscriptionSchema>;
export type PushChannel = Extract<Channel, { type: 'push' }>;

/** Of one person; the oldest one goes for a new one. */
const maxDevices = 20;
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The one channel of this type; null: there is none. */
export function pushChannelOf({ config }: WithConfig): PushChannel | null {
  const found = Object.values(config.notifications.channels).find(({ type }) => type === 'push');
  return found?.type === 'push' ? found : null;
}

/** Names a browser by its address at the push service, which is a secret. */
export const deviceIdOf = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('hex').slice(0, 32);

/** Throws `input_invalid` for an address that Standfast would not call. */
function refuseEndpoint({ config }: WithConfig, endpoint: string): void {
  const { protocol, hostname } = new URL(endpoint);
  const why =
    protocol === 'https:' || loopback.test(hostname)
      ? whyNotCalled(endpoint, callersEgress(config))
      : 'expected https: (http on this machine alone)';
  if (why !== null) throw new StandfastError('input_invalid', `endpoint: ${why}`);
}

/** A browser has one person at a time: who subscribes in it takes it over from the person before. */
export async function addDevice(
  api: PolicyReads,
  { principal, session, tokenEndsAtMs }: Pick<FastifyRequest, 'principal' | 'session' | 'tokenEndsAtMs'>,
  { endpoint, keys }: Subscription,
  label: string,
): Promise<string> {
  refuseEndpoint(api, endpoint);
  const isConfigured =
    api.config.auth.keys.some(({ user }) => user === principal.id) || Object.hasOwn(api.config.users, principal.id);
  const until =
    session?.endsBy ?? session?.endsAt ?? (tokenEndsAtMs === null ? null : new Date(tokenEndsAtMs).toISOString());
  const signedIn = isConfigured || until === null ? null : { roles: principal.roles, until };
  const name = deviceIdOf(endpoint);
  const value = { endpoint, keys, label, session: session?.tokenHash ?? null, signedIn };
  await api.store.tx(async ({ personal }) => {
    const all = await personal.list('push');
    const others = all.filter((row) => row.name === name && row.user !== principal.id);
    const own = all.filter((row) => row.user === principal.id && row.name !== name);
    for (const row of [...others, ...own.slice(0, Math.max(0, own.length - maxDevices + 1))])
      await personal.remove(row);
    await personal.put({ user: principal.id, kind: 'push', name, value });
  });
  return name;
}

export async function devicesOf(
  { store }: WithStore,
  user: string,
): Promise<{ id: string; label: string; since: string }[]> {
  const rows = await store.personal.list('push', user);
  return rows.flatMap(({ name, value, savedAt }) => {
    const device = PushDeviceSchema.safeParse(value).data;
    return device === undefined ? [] : [{ id: name, label: device.label, since: savedAt }];
  });
}
