// One message to one sink. Where to is the operator's word (the configuration), never an agent's.
import { Webhook } from 'standardwebhooks';
import { createGuardedFetch, HttpStatusError } from './guarded-fetch.ts';

/** A message that did not go out; `isFinal`: trying again would be refused again. */
export class NoticeError extends Error {
  override name = 'NoticeError';
  readonly isFinal: boolean;
  readonly retryAfterMs: number | null;
  constructor(message: string, isFinal: boolean, retryAfterMs: number | null = null) {
    super(message);
    this.isFinal = isFinal;
    this.retryAfterMs = retryAfterMs;
  }
}

const sendForMs = 20_000;

/** POSTs a body once; throws NoticeError with what the sink said. */
async function post(url: string, body: string, headers: Record<string, string>, signal: AbortSignal): Promise<void> {
  const send = createGuardedFetch({ allowedOrigins: [url], headers: {}, maxBytes: 64 * 1024 });
  const within = AbortSignal.any([signal, AbortSignal.timeout(sendForMs)]);
  try {
    const response = await send(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      signal: within,
    });
    await response.body?.cancel();
    if (!response.ok) throw new HttpStatusError(response.status, null, false);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof HttpStatusError)) throw new NoticeError(errorMessage(error), false);
    const { status, retryAfterMs } = error;
    const isFinal = status >= 400 && status < 500 && ![408, 425, 429].includes(status);
    throw new NoticeError(`HTTP ${status}`, isFinal, retryAfterMs);
  }
}

/** Never the address itself: it may hold a password, or be one (Slack). */
function errorMessage(error: unknown): string {
  const cause: unknown = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  return cause instanceof Error ? cause.name : 'unknown error';
}

/** Slack's own markup: what an agent wrote must not become a mention or a link. */
const slackText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

export function sendSlack(url: string, text: string, signal: AbortSignal): Promise<void> {
  return post(url, JSON.stringify({ text: slackText(text), unfurl_links: false, unfurl_media: false }), {}, signal);
}

/** Signed as https://www.standardwebhooks.com: the same id again is the same message. */
export function sendWebhook(
  sink: { url: string; secret: string },
  message: { id: string; at: Date; payload: object },
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(message.payload);
  const headers = {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(message.at.getTime() / 1000)),
    'webhook-signature': new Webhook(sink.secret).sign(message.id, message.at, body),
  };
  return post(sink.url, body, headers, signal);
}

export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  /** Local part of the Message-ID: the same mail again is recognised by it. */
  id: string;
}

export async function sendMail(server: string, mail: Mail): Promise<void> {
  // Read with the first mail: it is large, and most installations send none.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: server,
    connectionTimeout: sendForMs,
    greetingTimeout: sendForMs,
    socketTimeout: sendForMs,
    // Nothing of a message may name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { id, ...rest } = mail;
    await transport.sendMail({
      ...rest,
      messageId: `<${id}@holdpoint>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    const { responseCode } = error as { responseCode?: number };
    const isFinal = responseCode !== undefined && responseCode >= 500;
    throw new NoticeError(responseCode === undefined ? errorMessage(error) : `SMTP ${responseCode}`, isFinal);
  } finally {
    transport.close();
  }
}
