import { createHmac, timingSafeEqual } from 'node:crypto';

const macOf = (key: string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** A claim in one URL-safe word that only who has the key can have made: `<base64url JSON>.<base64url HMAC-SHA-256>`. */
export function signToken(key: string, claim: object): string {
  const body = Buffer.from(JSON.stringify(claim)).toString('base64url');
  return `${body}.${macOf(key, body).toString('base64url')}`;
}

/** The claim of a token, or null when it is not ours. */
export function readToken(key: string, token: string): unknown {
  const [body, mac, ...more] = token.split('.');
  if (body === undefined || mac === undefined || more.length > 0 || token.length > 4000) return null;
  const given = Buffer.from(mac, 'base64url');
  const own = macOf(key, body);
  if (given.length !== own.length || !timingSafeEqual(given, own)) return null;
  try {
    return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
