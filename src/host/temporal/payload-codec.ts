// Temporal sees no arguments, results or failures in clear: each payload goes whole into an encrypted one.
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import type { CodecKeys } from '../secrets/codec-keys.ts';

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

/** What Holdpoint did not encrypt (a signal by Temporal's CLI) is passed on as it is. */
export function createPayloadCodec(keys: CodecKeys): PayloadCodec {
  return {
    encode: async (payloads) =>
      payloads.map((payload) => {
        const { keyId, box } = keys.seal(bytesOf(payload));
        const metadata = { encoding: Buffer.from(encoding), 'encryption-key-id': Buffer.from(keyId) };
        return { metadata, data: box };
      }),
    decode: async (payloads) =>
      payloads.map((payload) => {
        if (text(payload.metadata?.['encoding']) !== encoding) return payload;
        return payloadOf(
          Buffer.from(keys.open(text(payload.metadata?.['encryption-key-id']), payload.data ?? new Uint8Array())),
        );
      }),
  };
}

/** As Temporal's client and worker take it. */
export const dataConverterOf = (keys: CodecKeys | null | undefined): DataConverter =>
  keys === null || keys === undefined ? {} : { payloadCodecs: [createPayloadCodec(keys)] };
