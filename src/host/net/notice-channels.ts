// One message to one sink over HTTP. Where to is the operator's word (the configuration), never an agent's.
import { Webhook } from 'standardwebhooks';
import { type Egress, PolicyError } from './egress.ts';
import { createGuardedFetch, HttpStatusError } from './guarded-fetch.ts';
import { NoticeError, sendingFault } from './notice-error.ts';
import { within } from '../process/time-limit.ts';

const sendForMs = 20_000;

export interface Sending {
  egress: Egress;
  signal: AbortSignal;
}

/** POSTs a body once; throws NoticeError with the sink's answer. */
async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
  { egress, signal }: Sending,
): Promise<void> {
  const send = createGuardedFetch({ allowedOrigins: [url], egress, headers: {}, maxBytes: 64 * 1024 });
  try {
    const response = await send(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      ...within(signal, sendForMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new HttpStatusError(response.status, null, false);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PolicyError) throw new NoticeError(error.message, true);
    if (!(error instanceof HttpStatusError)) throw new NoticeError(sendingFault(error), false);
    const { status, retryAfterMs } = error;
    const isFinal = status >= 400 && status < 500 && ![408, 425, 429].includes(status);
    throw new NoticeError(`HTTP ${status}`, isFinal, retryAfterMs);
  }
}

/** Slack's own markup: what an agent wrote must not become a mention or a link. */
const slackText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

export function sendSlack(url: string, text: string, sending: Sending): Promise<void> {
  return post(url, JSON.stringify({ text: slackText(text), unfurl_links: false, unfurl_media: false }), {}, sending);
}

/** A push notification of A2A: with the receiver's own token, and signed by it as webhooks are. */
export function sendPush(
  sink: { url: string; token: string; authentication: { scheme: string; credentials: string } | null },
  message: { id: string; at: Date; body: string },
  sending: Sending,
): Promise<void> {
  const { token, authentication } = sink;
  const { id, at, body } = message;
  const signature = (): Record<string, string> => ({
    'x-a2a-notification-token': token,
    'webhook-signature': new Webhook(Buffer.from(token).toString('base64')).sign(id, at, body),
  });
  const headers = {
    'content-type': 'application/a2a+json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    ...(token === '' ? {} : signature()),
    ...(authentication === null ? {} : { authorization: `${authentication.scheme} ${authentication.credentials}` }),
  };
  return post(sink.url, body, headers, sending);
}

/** Signed as https://www.standardwebhooks.com: the same id again is the same message. */
export function sendWebhook(
  sink: { url: string; secret: string },
  message: { id: string; at: Date; payload: object },
  sending: Sending,
): Promise<void> {
  const body = JSON.stringify(message.payload);
  const headers = {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(message.at.getTime() / 1000)),
    'webhook-signature': new Webhook(sink.secret).sign(message.id, message.at, body),
  };
  return post(sink.url, body, headers, sending);
}
