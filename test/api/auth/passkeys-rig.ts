// Browsers that are signed in, with passkeys.
import type { LightMyRequestResponse } from 'fastify';
import { softPasskey, type SoftPasskey } from '../../rigs/surfaces/soft-passkey.ts';
import type { ApiOptions } from '../describe-api.ts';
import { keyConfig, keys, type Rig } from '../rig.ts';

export const origin = 'https://standfast.example';
export const ownPage = { 'sec-fetch-site': 'same-origin' };

const more = { op2: 'a-second-operator-has-a-key', bot: 'the-bot-has-a-key-of-its-own-00001' };
export type Who = keyof typeof keys | keyof typeof more;
export const keyOf: Record<Who, string> = { ...keys, ...more };

/** For `describeApi`: an address that passkeys work at, and people and programs with keys. */
export const passkeyApi = (options: ApiOptions = {}): ApiOptions => ({
  withKeys: true,
  publicUrl: origin,
  ...options,
  config: {
    auth: {
      keys: [
        ...keyConfig,
        { user: 'op2', roles: ['operator'], key: more.op2 },
        { user: 'bot', kind: 'agent', roles: ['finance'], key: more.bot },
      ],
    },
    ...options.config,
  },
});

let address = 0;
/** What a signed-in browser sends with each request. */
export async function signedIn({ app }: Rig, who: Who): Promise<Record<string, string>> {
  const remoteAddress = `10.0.1.${(address += 1)}`;
  const payload = { key: keyOf[who] };
  const { headers } = await app.inject({ method: 'POST', url: '/api/login', headers: ownPage, payload, remoteAddress });
  return { cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '', ...ownPage };
}

interface Options {
  creation: { challenge: string };
  vouching: { challenge: string } | null;
}

export const optionsFor = async (rig: Rig, headers: Record<string, string>): Promise<Options> =>
  (await rig.app.inject({ method: 'POST', url: '/api/me/passkeys/options', headers })).json<Options>();

/** Registers a passkey as the page does; `vouching` is one that the person has. */
export async function register(
  rig: Rig,
  headers: Record<string, string>,
  passkey: SoftPasskey = softPasskey(origin),
  vouching?: SoftPasskey,
): Promise<LightMyRequestResponse> {
  const options = await optionsFor(rig, headers);
  const vouched = vouching === undefined ? {} : { vouching: vouching.get(options.vouching ?? {}) };
  const payload = { name: 'A phone', registration: passkey.create(options.creation), ...vouched };
  return rig.app.inject({ method: 'POST', url: '/api/me/passkeys', headers, payload });
}

/** A person with a passkey, at a browser. */
export async function withPasskey(
  rig: Rig,
  who: Who,
): Promise<{ headers: Record<string, string>; passkey: SoftPasskey }> {
  const [headers, passkey] = [await signedIn(rig, who), softPasskey(origin)];
  const { statusCode, body } = await register(rig, headers, passkey);
  if (statusCode !== 200) throw new Error(body);
  return { headers, passkey };
}

/** All evidence records, parsed. */
export async function records({ store }: Rig): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  await store.evidence.export({}, (line) => {
    if (line.type === 'record') found.push(JSON.parse(line.record) as Record<string, unknown>);
  });
  return found;
}

/** The caller's own passkeys. */
export const listOf = async ({ app }: Rig, headers: Record<string, string>): Promise<{ id: string; name: string }[]> =>
  (await app.inject({ url: '/api/me/passkeys', headers })).json<{ items: { id: string; name: string }[] }>().items;
