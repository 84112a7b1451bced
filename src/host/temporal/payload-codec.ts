// What goes to Temporal and comes from it: each payload has a MAC for the workflow, or the activity, that it is of; with a codec key it
// then goes whole into an encrypted one. The MAC is metadata, so that Temporal's UI reads the rest as it is.
import type { DataConverter, Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import { asUnproved, clearMark, unprovedMark } from '../../core/base/signed-command.ts';
import type { CodecKeys } from '../secrets/codec-keys.ts';
import type { Prover } from '../secrets/proofs.ts';

type PayloadMacs = Pick<Prover, 'payloadMacOf' | 'isPayloadMac'>;

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

/** Encrypts alone, as Temporal's UI and CLI ask for it. What Standfast did not encrypt is passed on as it is. */
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

/** The result that a workflow of somebody else's gets: Temporal hands it on as it is. */
const isForCaller = ({ metadata }: Payload): boolean => metadata?.[clearMark] !== undefined;

const macName = 'standfast-mac';

/** For people's eyes: Temporal's CLI prints base64 in place of JSON where a payload has metadata that it does not know. */
export function withoutMac({ metadata, data }: Payload): Payload {
  const { [macName]: _mac, ...rest } = metadata ?? {};
  return { metadata: rest, data: data ?? null };
}
const json = Buffer.from('json/plain');
/** Empty bytes are a list in a history that was read as JSON. */
const bytesIn = (data: Uint8Array | null | undefined): Uint8Array =>
  data instanceof Uint8Array ? data : Buffer.from(data ?? []);

/** What a payload is of: a copy of it counts for no other workflow, and for no other activity of the same one. */
function ownerOf(context: SerializationContext | undefined): string {
  if (context === undefined) return '';
  const { type, workflowId = '' } = context;
  return JSON.stringify(type === 'workflow' ? [type, workflowId] : [type, workflowId, context.activityId ?? '']);
}

/** Thrown by clients, which have no use for what a process of Standfast did not make. */
export class UnprovedError extends Error {
  override name = 'UnprovedError';
  constructor(owner: string) {
    super(
      `a payload of ${owner} has no MAC of this Standfast: something else wrote it, or the seal key has changed and the earlier ` +
        'one is not in STANDFAST_SEAL_KEY_OLD',
    );
  }
}

/** The value of a payload without a MAC, marked as such; what is no JSON is left out. */
function marked({ metadata, data }: Payload): Payload {
  let value: unknown = null;
  try {
    if (text(metadata?.['encoding']) === 'json/plain') value = JSON.parse(text(data));
  } catch {
    // It is nothing then.
  }
  return {
    metadata: { encoding: json, [unprovedMark]: new Uint8Array() },
    data: Buffer.from(JSON.stringify(asUnproved(value))),
  };
}

interface ReadsClear {
  readsClear?: boolean;
}

function createProvingCodec(macs: PayloadMacs, keys: (CodecKeys & ReadsClear) | null, reader: Reader): PayloadCodec {
  const sealing = keys === null ? null : createPayloadCodec(keys);
  /** As it was before it got its MAC; null: it has none, or another's. */
  function proved({ metadata, data }: Payload, owner: string): Payload | null {
    const { [macName]: mac, ...rest } = metadata ?? {};
    const isProved = mac != null && macs.isPayloadMac(mac, owner, text(rest['encoding']), bytesIn(data));
    return isProved ? { metadata: rest, data: data ?? null } : null;
  }
  return {
    async encode(payloads, context) {
      const owner = ownerOf(context);
      const named = payloads.map(({ metadata, data }) => {
        const mac = macs.payloadMacOf(owner, text(metadata?.['encoding']), bytesIn(data));
        return { metadata: { ...metadata, [macName]: mac }, data: data ?? null };
      });
      if (sealing === null) return named;
      return Promise.all(
        named.map(async (payload) =>
          isForCaller(payload) ? payload : ((await sealing.encode([payload]))[0] ?? payload),
        ),
      );
    },
    async decode(payloads, context) {
      const owner = ownerOf(context);
      const opened = sealing === null ? payloads : await sealing.decode(payloads);
      return opened.map((payload, index) => {
        // No converter reads it: what was encrypted before this process lost the key waits until it has it again.
        if (sealing === null && keyIdOf(payload) !== null) return payload;
        // A process without the codec key would write people's words in clear: it is not believed.
        const isReadable =
          keys === null || keys.readsClear === true || keyIdOf(payloads[index] ?? {}) !== null || isForCaller(payload);
        const own = isReadable ? proved(payload, owner) : null;
        if (own !== null) return own;
        if (reader === 'client') throw new UnprovedError(owner);
        return marked(payload);
      });
    },
  };
}

/**
 * Of the worker that serves Nexus: what callers send and get is of no workflow or activity, and is left as it is; what it
 * starts is proved like everything else.
 */
export function nexusConverterOf(keys: (CodecKeys & ReadsClear) | null | undefined, macs: PayloadMacs): DataConverter {
  const proving = createProvingCodec(macs, keys ?? null, 'client');
  const codec: PayloadCodec = {
    encode: async (payloads, context) => (context === undefined ? payloads : proving.encode(payloads, context)),
    decode: async (payloads, context) => (context === undefined ? payloads : proving.decode(payloads, context)),
  };
  return { payloadCodecs: [codec] };
}

/** Workflows and activities judge what is not proved, clients throw. */
type Reader = 'client' | 'worker';

/** As Temporal's client and worker take it. */
export const dataConverterOf = (
  keys: (CodecKeys & ReadsClear) | null | undefined,
  macs: PayloadMacs,
  reader: Reader = 'client',
): DataConverter => ({ payloadCodecs: [createProvingCodec(macs, keys ?? null, reader)] });
