// Slack's Web API as its documents describe it, as far as Standfast calls it: tokens, shapes, triggers and failures.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const slackSecret = 'a signing secret of the app, long';
export const slackToken = 'xoxb-of-the-tests';
export const slackTeam = 'T0OURS';

interface SlackMessage {
  channel: string;
  ts: string;
  thread: string | null;
  text: string;
  blocks: { type: string; text?: { text: string }; elements?: { action_id?: string; value?: string }[] }[];
  metadata: { event_payload?: { id?: string } };
  updates: number;
}

export interface FakeSlack {
  url: string;
  calls: { method: string; fields: Record<string, string> }[];
  messages: SlackMessage[];
  /** Shown to one person alone. */
  notified: { user: string; text: string }[];
  views: Record<string, unknown>[];
  homes: { user: string; view: unknown }[];
  /** Mail addresses by person. */
  people: Map<string, string>;
  /** What else `users.info` tells of a person. */
  about: Map<string, object>;
  /** Triggers that were issued and neither used nor expired. */
  triggers: Set<string>;
  /** Failures of the next calls of a method: an HTTP status, an error name, or `cut` after the call took effect. */
  failures: Map<string, (number | string)[]>;
  close(): Promise<void>;
}

type Fields = Record<string, string>;

export async function startFakeSlack(): Promise<FakeSlack> {
  const fake: Omit<FakeSlack, 'url' | 'close'> = {
    calls: [],
    messages: [],
    notified: [],
    views: [],
    homes: [],
    people: new Map(),
    about: new Map(),
    triggers: new Set(),
    failures: new Map(),
  };
  const server = createServer((request, response) => void answer(fake, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(fake, {
    url: `http://127.0.0.1:${port}/api/`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

type State = Omit<FakeSlack, 'url' | 'close'>;

async function answer(fake: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const method = request.url?.split('/').at(-1) ?? '';
  const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
  const send = (body: object): void =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  if (request.headers.authorization !== `Bearer ${slackToken}`) return send({ ok: false, error: 'invalid_auth' });
  const failure = fake.failures.get(method)?.shift();
  if (typeof failure === 'number') return void response.writeHead(failure, { 'retry-after': '7' }).end();
  if (failure !== undefined && failure !== 'cut') return send({ ok: false, error: failure });
  fake.calls.push({ method, fields });
  const result = perform(fake, method, fields);
  return failure === 'cut' ? void request.socket.destroy() : send(result);
}

const no = (error: string): object => ({ ok: false, error });
const parsed = (text: string | undefined): never => JSON.parse(text ?? 'null') as never;

/** Slack takes at most fifty blocks, of at most 3,000 characters each. */
const isTooLong = (blocks: { text?: { text: string } }[] | null): boolean =>
  blocks !== null && (blocks.length > 50 || blocks.some(({ text }) => (text?.text.length ?? 0) > 3_000));

const memberOf = ({ people, about }: State, user: string): object => ({
  id: user,
  team_id: slackTeam,
  profile: { email: people.get(user) },
  ...about.get(user),
});

function perform(fake: State, method: string, fields: Fields): object {
  const { messages, people } = fake;
  const { channel = '', ts = '', user = '' } = fields;
  if (isTooLong(parsed(fields['blocks']))) return no('invalid_blocks');
  switch (method) {
    case 'conversations.open':
      return people.has(fields['users'] ?? '')
        ? { ok: true, channel: { id: `D${fields['users']}` } }
        : no('user_not_found');
    case 'chat.postMessage': {
      const message = {
        channel,
        ts: `1700000000.${String(messages.length + 1).padStart(6, '0')}`,
        thread: fields['thread_ts'] ?? null,
        text: fields['text'] ?? '',
        blocks: parsed(fields['blocks']),
        metadata: parsed(fields['metadata']),
        updates: 0,
      };
      messages.push(message);
      return { ok: true, channel, ts: message.ts };
    }
    case 'chat.update': {
      const message = messages.find((one) => one.channel === channel && one.ts === ts);
      if (message === undefined) return no('message_not_found');
      Object.assign(message, { text: fields['text'], blocks: parsed(fields['blocks']), updates: message.updates + 1 });
      return { ok: true, channel, ts };
    }
    case 'conversations.history':
    case 'conversations.replies':
      return {
        ok: true,
        messages: messages.filter(
          (one) => one.channel === channel && one.thread === (method.endsWith('replies') ? ts : null),
        ),
      };
    case 'chat.postEphemeral':
      fake.notified.push({ user, text: fields['text'] ?? '' });
      return { ok: true };
    case 'users.info':
      return people.has(user) ? { ok: true, user: memberOf(fake, user) } : no('user_not_found');
    case 'users.lookupByEmail': {
      const found = [...people].find(([, email]) => email === fields['email'])?.[0];
      return found === undefined ? no('users_not_found') : { ok: true, user: memberOf(fake, found) };
    }
    case 'auth.test':
      return { ok: true, team_id: slackTeam, user_id: 'UBOT', enterprise_id: null };
    case 'views.open':
      if (!fake.triggers.delete(fields['trigger_id'] ?? '')) return no('expired_trigger_id');
      fake.views.push(parsed(fields['view']));
      return { ok: true };
    case 'views.publish':
      fake.homes.push({ user: fields['user_id'] ?? '', view: parsed(fields['view']) });
      return { ok: true };
    default:
      return no('unknown_method');
  }
}

/** A request as Slack signs it. */
export function signedBySlack(
  body: string,
  { secret = slackSecret, atMs = Date.now(), type = 'application/x-www-form-urlencoded' } = {},
): { payload: string; headers: Record<string, string> } {
  const timestamp = String(Math.floor(atMs / 1000));
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return {
    payload: body,
    headers: { 'content-type': type, 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature },
  };
}

/** The form in which an interaction comes. */
export const interaction = (payload: object): string =>
  new URLSearchParams({ payload: JSON.stringify(payload) }).toString();

/** Action ids of a message's buttons. */
export const buttonsOf = ({ blocks }: Pick<SlackMessage, 'blocks'>): string[] =>
  blocks.flatMap(({ type, elements }) =>
    type === 'actions' ? (elements ?? []).map(({ action_id: id }) => id ?? '') : [],
  );
