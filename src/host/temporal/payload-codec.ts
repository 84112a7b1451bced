// What goes to Temporal and comes from it: with a codec key each payload goes whole into an encrypted one, and commands have a MAC.
import { timingSafeEqual } from 'node:crypto';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import type { CodecKeys } from '../secrets/codec-keys.ts';
import type { Sealer } from '../secrets/sealing.ts';

type CommandMac = Pick<Sealer, 'macOf'>;

const encoding = 'binary/encrypted';
const text = (bytes: Uint8Array | undefined | null): string => Buffer.from(bytes ?? []).toString();

/** The payload as bytes: length of its metadata, the metadata as JSON, its data. */
function bytesOf({ metadata, data }: Payload): Buffer {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  const head = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, data ?? Buffer.alloc(0)]);
}

function payloadOf(bytes: Buffer): Payload {
  const end = 4 + bytes.readUInt32BE(0);
  const named = JSON.parse(bytes.subarray(4, end).toString()) as Record<string, string>;
  const metadata = Object.entries(named).map(([name, value]): [string, Uint8Array] => [
    name,
    new Uint8Array(Buffer.from(value, 'base64')),
  ]);
  return { metadata: Object.fromEntries(metadata), data: new Uint8Array(bytes.subarray(end)) };
}

/** A box of the database does not open as a payload, nor the other way round. */
const place = 'temporal.payload';

/** The id of the key that a payload is encrypted with; null: it is in clear. */
export const keyIdOf = ({ metadata }: Payload): string | null =>
  text(metadata?.['encoding']) === encoding ? text(metadata?.['encryption-key-id']) : null;

/** What Holdpoint did not encrypt (a signal by Temporal's CLI) is passed on as it is. */
export function createPayloadCodec(keys: CodecKeys): PayloadCodec {
  return {
    encode: async (payloads) =>
      payloads.map((payload) => {
        const { keyId, box } = keys.seal(bytesOf(payload), place);
        const metadata = { encoding: Buffer.from(encoding), 'encryption-key-id': Buffer.from(keyId) };
        return { metadata, data: box };
      }),
    decode: async (payloads) =>
      payloads.map((payload) => {
        const keyId = keyIdOf(payload);
        if (keyId === null) return payload;
        return payloadOf(Buffer.from(keys.open(keyId, payload.data ?? new Uint8Array(), place)));
      }),
  };
}

const macName = 'holdpoint-mac';
const [json, bytes] = ['json/plain', 'binary/plain'].map((name) => Buffer.from(name)) as [Buffer, Buffer];
const nothing: Payload = { metadata: { encoding: json }, data: Buffer.from('null') };

function isProved(mac: CommandMac, { metadata, data }: Payload): boolean {
  const given = metadata?.[macName];
  const expected = mac.macOf(data ?? new Uint8Array());
  return given?.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Signs commands: bytes in code are JSON with a MAC in Temporal, and become bytes again only if that MAC is right. Holdpoint passes bytes
 * for nothing else; bytes that come without a MAC become null. With `keys` a signed command has to be encrypted, too.
 */
function createCommandCodec(mac: CommandMac, keys: CodecKeys | null): PayloadCodec {
  const sealing = keys === null ? null : createPayloadCodec(keys);
  const sign = (payload: Payload): Payload =>
    text(payload.metadata?.['encoding']) === 'binary/plain'
      ? { ...payload, metadata: { encoding: json, [macName]: mac.macOf(payload.data ?? new Uint8Array()) } }
      : payload;
  const check = (payload: Payload, wasSealed: boolean): Payload => {
    if (text(payload.metadata?.['encoding']) === 'binary/plain') return nothing;
    if (payload.metadata?.[macName] === undefined || !(wasSealed || sealing === null)) return payload;
    return isProved(mac, payload) ? { data: payload.data ?? null, metadata: { encoding: bytes } } : payload;
  };
  return {
    encode: async (payloads) => {
      const signed = payloads.map(sign);
      return sealing === null ? signed : sealing.encode(signed);
    },
    decode: async (payloads) => {
      const opened = sealing === null ? payloads : await sealing.decode(payloads);
      return opened.map((payload, index) => check(payload, text(payloads[index]?.metadata?.['encoding']) === encoding));
    },
  };
}

/** As Temporal's client and worker take it. */
export const dataConverterOf = (keys: CodecKeys | null | undefined, mac: CommandMac): DataConverter => ({
  payloadCodecs: [createCommandCodec(mac, keys ?? null)],
});
