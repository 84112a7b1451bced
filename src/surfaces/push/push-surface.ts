// Web Push: one notification for each browser that a person has switched it on in; a later one takes its place.
import webPush from 'web-push';
import type { JsonObject } from '../../contract/base/json.ts';
import type { ShownQuestion } from '../../core/questions/shown-question.ts';
import { SurfaceError, type Recipient, type Surface } from '../base/surface.ts';
import { pushDigest, pushLimits, pushMessage, type PushMessage, type PushRules } from './push-message.ts';

/** A browser's subscription, as it names itself. */
export interface PushDevice {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** How push services are reached, and which browsers there are. */
export interface PushNet {
  /** Sends to an endpoint; throws for addresses that may not be called. */
  post(
    url: string,
    request: { headers: Record<string, string>; body: Uint8Array },
  ): Promise<{ status: number; retryAfter: string | null }>;
  /** Null: it was switched off. */
  deviceOf(id: string): Promise<PushDevice | null>;
  /** The push service does not know it any more. */
  drop(id: string): Promise<void>;
  now(): Date;
}

interface Vapid {
  publicKey: string;
  privateKey: string;
  subject: string;
}

/** Push services keep a message for four weeks at most; a question without a deadline for a day. */
const maxTtlSeconds = 28 * 24 * 60 * 60;
const defaultTtlSeconds = 24 * 60 * 60;

const idOf = (to: Recipient): string => ('person' in to ? to.person : '');

export function createPush(channel: Vapid & PushRules, net: PushNet): Surface {
  const { publicKey, privateKey, subject } = channel;

  async function send(id: string, ttl: number, message: PushMessage): Promise<void> {
    const device = await net.deviceOf(id);
    if (device === null) return;
    const { endpoint, headers, body } = webPush.generateRequestDetails(device, JSON.stringify(message), {
      vapidDetails: { publicKey, privateKey, subject },
      TTL: ttl,
      urgency: message.isQuiet ? 'low' : 'high',
      // An undelivered message is replaced by the next one about the same question.
      topic: message.holdId.replaceAll('-', '').slice(0, 32),
    });
    const sent = new Headers(headers);
    sent.delete('content-length');
    await judge(id, await net.post(endpoint, { headers: Object.fromEntries(sent), body }));
  }

  function ttlOf({ deadline, end }: ShownQuestion): number {
    if (deadline === null || end !== null) return defaultTtlSeconds;
    const seconds = Math.ceil((Date.parse(deadline) - net.now().getTime()) / 1000);
    return Math.min(Math.max(seconds, 0), maxTtlSeconds);
  }

  async function judge(id: string, { status, retryAfter }: Awaited<ReturnType<PushNet['post']>>): Promise<void> {
    if (status >= 200 && status < 300) return;
    // The person switched it off, or the browser is gone: there is no device left to notify.
    if (status === 404 || status === 410) return net.drop(id);
    const isFinal = status >= 400 && status < 500 && ![408, 425, 429].includes(status);
    const seconds = Number(retryAfter ?? Number.NaN);
    throw new SurfaceError(`push service: HTTP ${status}`, isFinal, Number.isFinite(seconds) ? seconds * 1000 : null);
  }

  const handleOf = (id: string): JsonObject => ({ device: id });
  const textOf = ({ device }: JsonObject): string => (typeof device === 'string' ? device : '');

  return {
    limits: pushLimits,
    async show(question, to) {
      await send(idOf(to), ttlOf(question), pushMessage(question, channel, { isQuiet: false, note: null }));
      return handleOf(idOf(to));
    },
    async update(handle, question) {
      await send(textOf(handle), ttlOf(question), pushMessage(question, channel, { isQuiet: true, note: null }));
    },
    async list(digest, to) {
      await send(idOf(to), defaultTtlSeconds, pushDigest(digest));
      return handleOf(idOf(to));
    },
    // A push service does not report what it delivered; a browser shows a second message in the place of the first.
    find: (to) => Promise.resolve(handleOf(idOf(to))),
    async reply(handle, { text, question }) {
      await send(textOf(handle), ttlOf(question), pushMessage(question, channel, { isQuiet: false, note: text }));
      return handle;
    },
  };
}
