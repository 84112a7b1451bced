// Payloads that a writer of Temporal's namespace makes up, changes or copies: none is read as one of Standfast's.
import { describe, expect, test } from '@jest/globals';
import {
  defaultPayloadConverter,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
} from '@temporalio/common';
import { isUnproved, unprovedMark } from '../../../src/core/base/signed-command.ts';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import { createPayloadCodec, dataConverterOf, UnprovedError } from '../../../src/host/temporal/payload-codec.ts';
import { prover, testKey } from '../../rigs/proofs.ts';
import { fc } from '../../rigs/properties.ts';

type Codec = Required<PayloadCodec>;
const codecOf = (...given: Parameters<typeof dataConverterOf>): Codec => {
  const [codec] = dataConverterOf(...given).payloadCodecs ?? [];
  if (codec === undefined) throw new Error('it has a codec');
  return codec;
};

const namespace = 'default';
const ofTask = (workflowId: string): SerializationContext => ({ type: 'workflow', namespace, workflowId });
const ofActivity = (workflowId: string, activityId: string): SerializationContext => ({
  type: 'activity',
  namespace,
  workflowId,
  activityId,
  isLocal: false,
});
const contexts = [
  ofTask('a2a/pay/t-1'),
  ofTask('a2a/pay/t-2'),
  ofActivity('a2a/pay/t-1', '1'),
  ofActivity('a2a/pay/t-1', '2'),
  ofActivity('a2a/pay/t-2', '1'),
];
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const valueOf = (payload: Payload | undefined): unknown =>
  payload === undefined ? undefined : defaultPayloadConverter.fromPayload(payload);

const decided = (by: string): object => ({ holds: [{ holdId: 'h-1', status: 'decided', decision: { by } }] });
const values = fc.oneof(
  fc.constantFrom<unknown>(decided('fin'), [], null, 'yes'),
  fc.json().map((one) => JSON.parse(one) as unknown),
);
const text = new TextEncoder();

const shownOf = ({ metadata, data }: Payload): string =>
  JSON.stringify([Object.entries(metadata ?? {}), data].flat(2).map((one) => Buffer.from(one ?? []).toString('hex')));

/** What somebody makes of a payload that they read, in another's place or their own. */
type Forge = (
  read: Payload,
  own: { value: unknown; bytes: Uint8Array; stranger: Codec; context: SerializationContext },
) => Payload | Promise<Payload | undefined>;
const forgeries: Record<string, Forge> = {
  'no MAC': (_read, { value }) => payloadOf(value),
  'the MAC of another payload': ({ metadata }, { value }) => ({ ...payloadOf(value), metadata: metadata ?? {} }),
  'other bytes': ({ metadata }, { bytes }) => ({ metadata: metadata ?? {}, data: bytes }),
  'a longer text': ({ metadata, data }, { bytes }) => ({
    metadata: metadata ?? {},
    data: Buffer.concat([data ?? new Uint8Array(), bytes.length === 0 ? text.encode(' ') : bytes]),
  }),
  'another encoding': ({ metadata, data }) => ({
    metadata: { ...metadata, encoding: text.encode('binary/plain') },
    data: data ?? null,
  }),
  'a MAC of any bytes': ({ metadata, data }, { bytes }) => ({
    metadata: { ...metadata, 'standfast-mac': bytes },
    data: data ?? null,
  }),
  'the MAC of another key': async (_read, { value, stranger, context }) =>
    (await stranger.encode([payloadOf(value)], context))[0],
};

describe.each([
  ['in clear', null],
  ['encrypted', createCodecKeys('c0'.repeat(32))],
] as const)('a writer of Temporal’s namespace, where payloads are %s,', (_how, keys) => {
  const [own, worker] = [codecOf(keys, prover), codecOf(keys, prover, 'worker')];
  const sealing = keys === null ? null : createPayloadCodec(keys);
  const opened = async (payload: Payload): Promise<Payload> => (await sealing?.decode([payload]))?.[0] ?? payload;

  // Promise Y76
  test('a writer of Temporal’s namespace has 1,000 payloads that they made up or changed read as not of Standfast', async () => {
    let count = 0;
    const given = fc.record({
      kind: fc.constantFrom(...Object.keys(forgeries)),
      context: fc.constantFrom(...contexts),
      read: values,
      made: values,
      bytes: fc.uint8Array({ maxLength: 40 }),
      key: fc.string({ minLength: 32, maxLength: 64 }).filter((one) => one !== testKey),
      // The endpoint of the codec encrypts for anybody who may ask it.
      isSealed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(given, async ({ kind, context, read, made, bytes, key, isSealed }) => {
        const [genuine = payloadOf(null)] = await own.encode([payloadOf(read)], context);
        const clear = await opened(genuine);
        const stranger = codecOf(null, createProver(key));
        const one = await forgeries[kind]?.(clear, { value: made, bytes, stranger, context });
        if (one === undefined || shownOf(one) === shownOf(clear)) return;
        const sent = isSealed && sealing !== null ? await sealing.encode([one]) : [one];
        const [judged] = await worker.decode(sent, context);
        expect([kind, isUnproved(valueOf(judged)), judged?.metadata?.[unprovedMark]]).toEqual([
          kind,
          true,
          expect.anything(),
        ]);
        await expect(own.decode(sent, context)).rejects.toThrow(UnprovedError);
        count += 1;
      }),
      { numRuns: 1100 },
    );
    expect(count).toBeGreaterThan(1000);
  });

  // Promise Y76
  test('a writer of Temporal’s namespace has 1,000 copies of payloads read as not of Standfast where they are of another workflow or activity', async () => {
    const given = fc.record({
      places: fc.shuffledSubarray([...contexts], { minLength: 2, maxLength: 2 }),
      value: values,
    });
    await fc.assert(
      fc.asyncProperty(given, async ({ places: [from, to], value }) => {
        const sent = await own.encode([payloadOf(value)], from);
        expect(isUnproved(valueOf((await worker.decode(sent, to))[0]))).toBe(true);
        await expect(own.decode(sent, to)).rejects.toThrow(UnprovedError);
        // Where it is of that one, it is what was sent.
        expect((await worker.decode(sent, from)).map(valueOf)).toEqual([value]);
        expect((await own.decode(sent, from)).map(valueOf)).toEqual([value]);
      }),
      { numRuns: 1000 },
    );
  });

  // Promise Y76
  test('a writer of Temporal’s namespace has no payload of another installation taken, of the same workflow as little', async () => {
    const other = codecOf(keys, createProver('another installation, with a seal key of its own'));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...contexts), values, async (context, value) => {
        const sent = await other.encode([payloadOf(value)], context);
        expect(isUnproved(valueOf((await worker.decode(sent, context))[0]))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

// Promise Y76
test('a payload by an earlier seal key counts while that key is among the old ones', async () => {
  const [context] = contexts;
  const sent = await codecOf(null, prover).encode([payloadOf('kept')], context);
  const next = 'the next key of at least thirty-two characters';
  expect((await codecOf(null, createProver(next, [testKey])).decode(sent, context)).map(valueOf)).toEqual(['kept']);
  await expect(codecOf(null, createProver(next)).decode(sent, context)).rejects.toThrow(UnprovedError);
});

// Promise Y76
test('a payload that is encrypted stays as it is where a process has lost the key, and is not read as forged', async () => {
  const [context] = contexts;
  const sent = await codecOf(createCodecKeys('c0'.repeat(32)), prover).encode([payloadOf('kept')], context);
  expect(await codecOf(null, prover, 'worker').decode(sent, context)).toEqual(sent);
});
