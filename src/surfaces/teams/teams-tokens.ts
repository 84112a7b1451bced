// Tokens of Bot Framework: those that come with Teams' requests are checked, and those for the Bot Connector are fetched.
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose';
import type { JsonObject } from '../../contract/base/json.ts';
import { objectOf } from '../../core/base/json.ts';
import { SurfaceError } from '../base/surface.ts';

/** `fetch` to the addresses of the channel's configuration. */
export type TeamsFetch = (url: string, init?: RequestInit) => Promise<Response>;

const clockSkewSeconds = 300;
const metadataForMs = 24 * 60 * 60 * 1000;
const retryMetadataMs = 60_000;

interface Metadata {
  issuer: string;
  keys: ReturnType<typeof createRemoteJWKSet>;
  readUntilMs: number;
}

export interface ChannelToken {
  /** Where the sender says that replies go. */
  serviceUrl: string;
}

/** Checks the header `Authorization` of a request: `check` resolves with null for one that is not Bot Framework's for this bot. */
export function createTokenCheck(
  { appId, openIdUrl }: { appId: string; openIdUrl: string },
  fetch: TeamsFetch,
  now: () => Date,
): { check(authorization: string, channelId: string): Promise<ChannelToken | null> } {
  let metadata: Promise<Metadata> | null = null;
  let failedAtMs = Number.NEGATIVE_INFINITY;

  async function read(): Promise<Metadata> {
    // Safe: a document of JSON, whose members are judged below.
    const document = (await (await fetch(openIdUrl)).json()) as JsonObject;
    const { issuer, jwks_uri: jwksUri } = document;
    if (typeof issuer !== 'string' || typeof jwksUri !== 'string') throw new Error('no issuer, or no keys');
    const keys = createRemoteJWKSet(new URL(jwksUri), { [customFetch]: (url, init) => fetch(url, init) });
    return { issuer, keys, readUntilMs: now().getTime() + metadataForMs };
  }

  /** Throws SurfaceError while the keys cannot be read. */
  async function current(): Promise<Metadata> {
    const known = await metadata;
    if (known !== null && known.readUntilMs > now().getTime()) return known;
    if (now().getTime() - failedAtMs < retryMetadataMs) throw new SurfaceError('Teams: keys cannot be read', false);
    metadata = read();
    return metadata.catch((error: unknown) => {
      metadata = null;
      failedAtMs = now().getTime();
      throw new SurfaceError(`Teams: keys cannot be read: ${String(error)}`, false);
    });
  }

  return {
    async check(authorization, channelId) {
      const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
      if (token === undefined) return null;
      const { issuer, keys } = await current();
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keys, {
          issuer,
          audience: appId,
          algorithms: ['RS256'],
          clockTolerance: clockSkewSeconds,
          currentDate: now(),
          requiredClaims: ['exp'],
        });
        const serviceUrl = payload['serviceurl'];
        // A key signs for the channels that endorse it, and for no other.
        const own: object | undefined = keys.jwks()?.keys.find(({ kid }) => kid === protectedHeader.kid);
        const endorsements: unknown = own !== undefined && 'endorsements' in own ? own.endorsements : null;
        if (!Array.isArray(endorsements) || !endorsements.includes(channelId)) return null;
        return typeof serviceUrl === 'string' ? { serviceUrl } : null;
      } catch {
        return null;
      }
    },
  };
}

/** Tokens for the Bot Connector, kept until shortly before they end. */
export function createConnectorTokens(
  { appId, appPassword, tokenUrl }: { appId: string; appPassword: string; tokenUrl: string },
  fetch: TeamsFetch,
  now: () => Date,
): () => Promise<string> {
  let known: { token: string; untilMs: number } | null = null;
  return async () => {
    if (known !== null && known.untilMs > now().getTime()) return known.token;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: appId,
      client_secret: appPassword,
      scope: 'https://api.botframework.com/.default',
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(tokenUrl, { method: 'POST', headers, body: form.toString() });
    const answer = objectOf(await response.json());
    const { access_token: token, expires_in: seconds } = answer;
    if (!response.ok || typeof token !== 'string') {
      const isFinal = response.status >= 400 && response.status < 500 && response.status !== 429;
      throw new SurfaceError(`Teams: no token: HTTP ${response.status}`, isFinal);
    }
    const forMs = (typeof seconds === 'number' ? Math.max(0, seconds - 300) : 0) * 1000;
    known = { token, untilMs: now().getTime() + forMs };
    return token;
  };
}
