// Teams as its documents describe it, as far as Standfast meets it: Bot Framework's keys and tokens, the Bot Connector's
// conversations, and the requests that a bot gets.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';

export const teamsAppId = '11111111-2222-4333-8444-555555555555';
export const teamsTenant = '99999999-2222-4333-8444-555555555555';
export const teamsPassword = 'the password of the bot';

interface Card {
  type: string;
  version: string;
  body: { type: string; inlines?: { text: string }[] }[];
  actions?: { type: string; verb?: string; title?: string; card?: object }[];
  refresh?: { action: object; userIds?: string[] };
}

export interface SentActivity {
  id: string;
  conversation: string;
  text: string | null;
  card: Card | null;
  updates: number;
}

interface Person {
  objectId: string;
  email: string;
  /** What else the connector tells of them. */
  about?: object;
}

export interface FakeTeams {
  url: string;
  activities: SentActivity[];
  /** Members of every conversation, by their ids in Teams. */
  people: Map<string, Person>;
  /** Answers of the next calls of the connector: an HTTP status, or `cut` after the call took effect. */
  failures: (number | 'cut')[];
  faults: string[];
  tokens: number;
  /** Messages that were posted, also those that were deleted since. */
  sent: number;
  /** A token of the channel, as Bot Framework signs it. */
  token(claims?: Record<string, unknown>, options?: TokenOptions): Promise<string>;
  close(): Promise<void>;
}

interface TokenOptions {
  key?: 'genuine' | 'unendorsed' | 'stranger';
  issuer?: string;
  audience?: string;
  expiresIn?: number;
}

const issuer = 'https://api.botframework.com';

interface Signer {
  privateKey: CryptoKey;
  jwk: object;
}

async function signerOf(kid: string, endorsements: string[]): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', endorsements } };
}

type State = Pick<FakeTeams, 'activities' | 'people' | 'failures' | 'faults' | 'tokens' | 'sent'>;

export async function startFakeTeams(): Promise<FakeTeams> {
  const signers = {
    genuine: await signerOf('genuine', ['msteams']),
    unendorsed: await signerOf('unendorsed', ['webchat']),
    stranger: await signerOf('genuine', ['msteams']),
  };
  const state: State = { activities: [], people: new Map(), failures: [], faults: [], tokens: 0, sent: 0 };
  const keys = [signers.genuine.jwk, signers.unendorsed.jwk];
  const server = createServer((request, response) => void answer(state, keys, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, {
    url,
    token: async (claims: Record<string, unknown> = {}, options: TokenOptions = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const key = options.key ?? 'genuine';
      return new SignJWT({ serviceurl: `${url}/emea/`, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: key === 'unendorsed' ? 'unendorsed' : 'genuine' })
        .setIssuer(options.issuer ?? issuer)
        .setAudience(options.audience ?? teamsAppId)
        .setNotBefore(now - 60)
        .setExpirationTime(now + (options.expiresIn ?? 3_600))
        .sign(signers[key].privateKey);
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

async function answer(state: State, keys: object[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const send = (status: number, value: object): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const path = request.url ?? '';
  if (path === '/openid') return send(200, { issuer, jwks_uri: `http://${request.headers.host ?? ''}/keys` });
  if (path === '/keys') return send(200, { keys });
  if (path === '/token') return send(...issued(state, body));
  const failure = state.failures.shift();
  if (typeof failure === 'number') return void response.writeHead(failure, { 'retry-after': '7' }).end();
  if (request.headers.authorization !== 'Bearer token-of-the-connector') return send(401, {});
  if (Buffer.byteLength(body) > 28 * 1024) return send(413, {});
  const [status, value] = connector(state, request.method ?? '', path, body);
  return failure === 'cut' ? void request.socket.destroy() : send(status, value);
}

/** RFC 6749 §4.4, for the scope of the Bot Connector. */
function issued(state: State, body: string): [number, object] {
  const form = Object.fromEntries(new URLSearchParams(body));
  const isRight =
    form['grant_type'] === 'client_credentials' &&
    form['client_id'] === teamsAppId &&
    form['client_secret'] === teamsPassword &&
    form['scope'] === 'https://api.botframework.com/.default';
  if (!isRight) return [400, { error: 'invalid_client' }];
  state.tokens += 1;
  return [200, { token_type: 'Bearer', access_token: 'token-of-the-connector', expires_in: 3_600 }];
}

function connector(state: State, method: string, path: string, body: string): [number, object] {
  const found = /^\/emea\/v3\/conversations\/([^/]+)\/(activities|members)(?:\/([^/]+))?$/.exec(path);
  const [, conversation = '', what, id = ''] = found ?? [];
  if (found === null) return [404, {}];
  if (what === 'members') {
    const person = state.people.get(decodeURIComponent(id));
    if (person === undefined) return [404, {}];
    return [200, { id, aadObjectId: person.objectId, email: person.email, tenantId: teamsTenant, ...person.about }];
  }
  const known = state.activities.find((one) => one.id === decodeURIComponent(id));
  if (method === 'DELETE') {
    if (known === undefined) return [404, {}];
    state.activities.splice(state.activities.indexOf(known), 1);
    return [200, {}];
  }
  const given = contentOf(state, body);
  if (method === 'POST') {
    state.sent += 1;
    const activity = { id: `a${state.sent}`, conversation: decodeURIComponent(conversation) };
    state.activities.push({ ...activity, ...given, updates: 0 });
    return [201, { id: activity.id }];
  }
  if (method !== 'PUT' || known === undefined) return [404, {}];
  Object.assign(known, given, { updates: known.updates + 1 });
  return [200, { id }];
}

/** What Teams draws of an activity; what it would refuse is a fault. */
function contentOf(state: State, body: string): Pick<SentActivity, 'text' | 'card'> {
  const activity = JSON.parse(body) as {
    type?: string;
    text?: string;
    attachments?: { contentType: string; content: Card }[];
  };
  const [attachment] = activity.attachments ?? [];
  const card = attachment?.content ?? null;
  if (activity.type !== 'message') state.faults.push('no message');
  if (card !== null && attachment?.contentType !== 'application/vnd.microsoft.card.adaptive')
    state.faults.push('no card');
  if (card !== null && (card.type !== 'AdaptiveCard' || Buffer.byteLength(body) > 28_000))
    state.faults.push('a card that Teams refuses');
  return { text: activity.text ?? null, card };
}

/** Verbs of a card's buttons, those of its dialogs too. */
export function verbsOf(card: object | null): string[] {
  const { actions = [] } = (card ?? {}) as { actions?: { verb?: string; card?: object }[] };
  return actions.flatMap(({ verb, card: inner }) => [...(verb === undefined ? [] : [verb]), ...verbsOf(inner ?? null)]);
}

let invokes = 0;

/** The body of an activity from a person in a conversation with the bot. */
export function activityOf(
  fake: Pick<FakeTeams, 'url' | 'people'>,
  person: string,
  more: Record<string, unknown>,
): Record<string, unknown> {
  invokes += 1;
  return {
    id: `f:${invokes}`,
    channelId: 'msteams',
    serviceUrl: `${fake.url}/emea/`,
    from: { id: person, aadObjectId: fake.people.get(person)?.objectId },
    conversation: { id: `conversation of ${person}`, conversationType: 'personal', tenantId: teamsTenant },
    channelData: { tenant: { id: teamsTenant } },
    ...more,
  };
}

/** What Teams sends as it shows a card to somebody; null: a card that it does not refresh. */
export function shownTo(
  fake: Pick<FakeTeams, 'url' | 'people'>,
  person: string,
  { id, conversation, card }: SentActivity,
): Record<string, unknown> | null {
  // Absent: for everybody in a small conversation. An empty list: for no one.
  const { action, userIds = [person] } = card?.refresh ?? { userIds: [] };
  if (!userIds.includes(person)) return null;
  const value = { action, trigger: 'automatic' };
  const more = { type: 'invoke', name: 'adaptiveCard/action', replyToId: id, value };
  const activity = activityOf(fake, person, more);
  return { ...activity, conversation: { ...(activity['conversation'] as object), id: conversation } };
}

/** What pressing a button of a card sends. */
export const invokeOf = (verb: string, data: Record<string, unknown>): Record<string, unknown> => ({
  type: 'invoke',
  name: 'adaptiveCard/action',
  value: { action: { type: 'Action.Execute', verb, data }, trigger: 'manual' },
});
