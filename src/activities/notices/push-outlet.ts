// Whom Web Push reaches: the browsers in which a person has switched it on.
import { Context } from '@temporalio/activity';
import type { Channel } from '../../contract/configuration/channels.ts';
import { callersEgress, PolicyError } from '../../host/net/egress.ts';
import { createGuardedFetch } from '../../host/net/guarded-fetch.ts';
import { within } from '../../host/process/time-limit.ts';
import { SurfaceError } from '../../surfaces/base/surface.ts';
import { createPush, type PushNet } from '../../surfaces/push/push-surface.ts';
import type { Outlet } from './deliver-to-surface.ts';
import { pushDevices, type PushDevice } from './push-devices.ts';
import type { PolicyActs } from '../dep-parts.ts';

const maxBytes = 64 * 1024;
const sendForMs = 20_000;

export async function pushOutlet(
  { config, store, now }: PolicyActs,
  channel: Extract<Channel, { type: 'push' }>,
): Promise<Outlet> {
  const devices = await pushDevices({ config, store, now });
  const egress = callersEgress(config);
  const deviceOf = (id: string): PushDevice | undefined => devices.find(({ row }) => row.name === id);

  const post: PushNet['post'] = async (url, { headers, body }) => {
    const fetch = createGuardedFetch({ allowedOrigins: [url], egress, headers: {}, maxBytes, passesErrors: true });
    const { cancellationSignal } = Context.current();
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: Buffer.from(body),
        ...within(cancellationSignal, sendForMs),
      });
      await response.body?.cancel();
      return { status: response.status, retryAfter: response.headers.get('retry-after') };
    } catch (error) {
      cancellationSignal.throwIfAborted();
      if (error instanceof PolicyError) throw new SurfaceError(`push service: ${error.message}`, true);
      throw new SurfaceError(`push service: ${error instanceof Error ? error.name : 'unknown error'}`, false);
    }
  };

  const surface = createPush(channel, {
    post,
    deviceOf: async (id) => deviceOf(id)?.device ?? null,
    async drop(id) {
      const found = deviceOf(id);
      if (found !== undefined) await store.personal.remove(found.row);
    },
    now,
  });
  return {
    surface,
    sharedChannel: null,
    placesOf: async (user) =>
      devices.filter(({ row }) => row.user === user).map(({ row: { name } }) => ({ id: name, to: { person: name } })),
    nowhere: 'this user has no browser that takes push notifications',
    hasContext: false,
    isLoud: true,
  };
}
