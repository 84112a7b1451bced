// Sends one message to one sink, over HTTP or by mail.
import { Webhook } from 'standardwebhooks';
import { type Egress, PolicyError } from './egress.ts';
import { createGuardedFetch, HttpStatusError } from './guarded-fetch.ts';
import { within } from '../process/time-limit.ts';
import { isIP } from 'node:net';
import { parseAddress } from './address-ranges.ts';

/** A message that was not sent; `isFinal` if a retry would fail as well. */
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

/** Describes a failure without the sink's address, which may contain or be a secret (Slack). */
function sendingFault(error: unknown): string {
  const cause: unknown = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  return cause instanceof Error ? cause.name : 'unknown error';
}

const sendForMs = 20_000;

export interface Sending {
  egress: Egress;
  signal: AbortSignal;
}

/** Sends one POST; throws NoticeError. */
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

/** Escapes Slack markup, so that an agent's text cannot become a mention or a link. */
const slackText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

export function sendSlack(url: string, text: string, sending: Sending): Promise<void> {
  return post(url, JSON.stringify({ text: slackText(text), unfurl_links: false, unfurl_media: false }), {}, sending);
}

/** Posts an Adaptive Card to a workflow of Microsoft Teams; throws NoticeError. */
export function sendTeams(
  url: string,
  { text, link }: { text: string; link: string },
  sending: Sending,
): Promise<void> {
  // Runs of text: a TextBlock would read Markdown in an agent's words.
  const body = text
    .split('\n')
    .filter((line) => line !== '' && line !== link)
    .map((line) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: line }] }));
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
    actions: [{ type: 'Action.OpenUrl', title: 'Open in Standfast', url: link }],
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
  return post(url, JSON.stringify({ type: 'message', attachments: [attachment] }), {}, sending);
}

/** Sends to an address that a caller gave, signed with the receiver's token where it has one; throws NoticeError. */
export function sendPush(
  sink: {
    url: string;
    token: string;
    authentication: { scheme: string; credentials: string } | null;
    contentType: 'application/a2a+json' | 'application/json';
  },
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
    'content-type': sink.contentType,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    ...(token === '' ? {} : signature()),
    ...(authentication === null ? {} : { authorization: `${authentication.scheme} ${authentication.credentials}` }),
  };
  return post(sink.url, body, headers, sending);
}

/** Sends a webhook signed as in https://www.standardwebhooks.com; a retry has the same id. Throws NoticeError. */
export function sendWebhook(
  sink: { url: string; secret: string },
  message: { id: string; at: Date; payload: object; contentType?: string },
  sending: Sending,
): Promise<void> {
  const body = JSON.stringify(message.payload);
  const headers = {
    'content-type': message.contentType ?? 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(message.at.getTime() / 1000)),
    'webhook-signature': new Webhook(sink.secret).sign(message.id, message.at, body),
  };
  return post(sink.url, body, headers, sending);
}

export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  /** The same for programs that draw it; null: there is the text alone. */
  html: string | null;
  /** Local part of the Message-ID, the same for a retry. */
  id: string;
  /** Those of the earlier mails of its thread, oldest first. */
  thread: string[];
}

const messageId = (id: string): string => `<${id}@standfast>`;

/** Query parameters that would disable TLS or name another server. */
const unsafeMailSettings = ['requireTLS', 'ignoreTLS', 'opportunisticTLS', 'host', 'port', 'secure', 'servername'];

/** Sends one mail, over TLS unless the server is on this machine; throws NoticeError. */
export async function sendMail(server: string, mail: Mail, egress: Egress): Promise<void> {
  // Imported lazily: it is large, and most installations send no mail.
  const { createTransport } = await import('nodemailer');
  let close = (): void => undefined;
  try {
    const transport = createTransport({
      ...(await connectionTo(server, egress)),
      connectionTimeout: sendForMs,
      greetingTimeout: sendForMs,
      socketTimeout: sendForMs,
      // Message contents must not make nodemailer read files or URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    close = (): void => transport.close();
    const { id, thread, html, ...rest } = mail;
    const last = thread.at(-1);
    await transport.sendMail({
      ...rest,
      ...(html !== null && { html }),
      messageId: messageId(id),
      ...(last !== undefined && { inReplyTo: messageId(last), references: thread.map(messageId) }),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    if (error instanceof PolicyError) throw new NoticeError(error.message, true);
    const { responseCode } = error as { responseCode?: number };
    const isFinal = responseCode !== undefined && responseCode >= 500;
    throw new NoticeError(responseCode === undefined ? sendingFault(error) : `SMTP ${responseCode}`, isFinal);
  } finally {
    close();
  }
}

/** Resolves the server's name to an address that egress allows, since nodemailer would resolve it again. */
async function connectionTo(
  server: string,
  egress: Egress,
): Promise<{ url: string; servername?: string; requireTLS: boolean }> {
  const url = new URL(server);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  egress.check(host);
  const address = isIP(host) === 0 ? await resolved(host, egress) : host;
  for (const name of unsafeMailSettings) url.searchParams.delete(name);
  url.hostname = isIP(address) === 6 ? `[${address}]` : address;
  return {
    url: url.href,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    requireTLS: url.protocol === 'smtp:' && parseAddress(address)?.range() !== 'loopback',
  };
}

function resolved(host: string, { lookup }: Egress): Promise<string> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, found) => {
      const addresses = typeof found === 'string' ? [] : found;
      // IPv4 first, since not every machine has an IPv6 route.
      const [first] = addresses.toSorted((a, b) => a.family - b.family);
      if (error !== null) reject(error);
      else if (first === undefined) reject(new Error('the name has no address'));
      else resolve(first.address);
    });
  });
}
