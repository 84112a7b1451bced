// A push service, and a browser's side of a subscription: it checks what RFC 8030 and RFC 8292 ask of a sender, and
// decrypts what RFC 8291 encrypts.
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushMessage } from '../../../src/surfaces/push/push-message.ts';

/** A pair of VAPID keys that is used nowhere else. */
export function vapidKeys(): { publicKey: string; privateKey: string } {
  const curve = createECDH('prime256v1');
  curve.generateKeys();
  // A private key is padded to its 32 bytes.
  const privateKey = Buffer.from(curve.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
  return { publicKey: curve.getPublicKey('base64url'), privateKey };
}

interface Received {
  device: string;
  message: PushMessage;
  headers: Record<string, string>;
}

export interface FakeDevice {
  name: string;
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
}

export interface FakePush {
  url: string;
  received: Received[];
  /** Faults that the service found in requests. */
  faults: string[];
  /** Answers of the next requests, instead of 201. */
  answers: number[];
  device(name: string): FakeDevice;
  close(): Promise<void>;
}

interface Secrets {
  curve: ECDH;
  auth: Buffer;
}

export async function startFakePush(publicKey: string): Promise<FakePush> {
  const devices = new Map<string, Secrets>();
  const fake: Omit<FakePush, 'url' | 'device' | 'close'> = { received: [], faults: [], answers: [] };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const name = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
    const secrets = devices.get(name);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]));
    const fault = faultOf(headers, publicKey, `http://${headers['host'] ?? ''}`);
    if (fault !== null) fake.faults.push(fault);
    const status = fault === null ? (fake.answers.shift() ?? (secrets === undefined ? 410 : 201)) : 403;
    if (status === 201 && secrets !== undefined)
      fake.received.push({ device: name, message: JSON.parse(decrypted(body, secrets)) as PushMessage, headers });
    response.writeHead(status, status === 429 ? { 'retry-after': '9' } : {}).end();
  }
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(fake, {
    url,
    device(name: string): FakeDevice {
      const curve = createECDH('prime256v1');
      curve.generateKeys();
      const auth = randomBytes(16);
      devices.set(name, { curve, auth });
      const keys = { p256dh: curve.getPublicKey('base64url'), auth: auth.toString('base64url') };
      return { name, subscription: { endpoint: `${url}/push/${encodeURIComponent(name)}`, keys } };
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What the sender did wrong; null: nothing. */
function faultOf(headers: Record<string, string>, publicKey: string, origin: string): string | null {
  if (!/^\d+$/.test(headers['ttl'] ?? '')) return 'no TTL';
  if (headers['content-encoding'] !== 'aes128gcm') return 'not encrypted as RFC 8291 has it';
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(headers['topic'] ?? '')) return 'no topic, or one that is not allowed';
  const [, token = '', key = ''] = /^vapid t=([^,]+), *k=(.+)$/.exec(headers['authorization'] ?? '') ?? [];
  if (key !== publicKey) return 'another VAPID key than that of the subscription';
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: part(point, 1), y: part(point, 33) };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) return 'a signature that is not its key’s';
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
  const now = Date.now() / 1000;
  if (aud !== origin) return `for another audience: ${String(aud)}`;
  if (typeof exp !== 'number' || exp < now || exp > now + 24 * 60 * 60)
    return 'expires never, or more than a day ahead';
  return typeof sub === 'string' && /^(mailto|https):/.test(sub) ? null : 'names no address to write to';
}

const part = (point: Buffer, from: number): string => point.subarray(from, from + 32).toString('base64url');
const hkdf = (salt: Buffer, secret: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** RFC 8188 with the keys of RFC 8291, of one record. */
function decrypted(body: Buffer, { curve, auth }: Secrets): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender]);
  const secret = hkdf(auth, curve.computeSecret(sender), info, 32);
  const key = hkdf(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = hkdf(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12);
  const sealed = body.subarray(21 + keyLength);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // What follows the last 2 is padding.
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}

/** A subscription that no browser has. */
export const aPushSubscription = {
  endpoint: 'https://push.example/somewhere',
  keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
};
