// Local copy of an agent's Engram records; versions make repeated events harmless.
import {
  EngramEventSchema,
  engramLimits,
  type EngramEvent,
  type EngramRecord,
} from '../../../contract/views/engram.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { assertNever } from '../../../core/base/errors.ts';
import { isSafeKey } from '../../../core/agui/patch.ts';
import { applyPatch } from './json-patch.ts';

/** A record with the sequence number of the event that set it; none when it was read. */
export type MirroredRecord = EngramRecord & { sequence?: string };
export type Mirror = ReadonlyMap<string, MirroredRecord>;

type MirrorStep =
  | { kind: 'changed'; mirror: Mirror }
  /** Already applied. */
  | { kind: 'stale' }
  /** An event was missed: the record must be read again. */
  | { kind: 'gap'; key: string; why: string };

export class EngramFault extends Error {
  override name = 'EngramFault';
}

/** Parses an event; throws on an invalid one, which fails the run. */
export function readEvent(event: Json): EngramEvent {
  const read = EngramEventSchema.safeParse(event);
  if (read.success) {
    checkKey(keyOf(read.data));
    return read.data;
  }
  const [issue] = read.error.issues;
  throw new EngramFault(
    `the agent sent an event that is none: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim(),
  );
}

export const keyOf = (event: EngramEvent): string => (event.kind === 'snapshot' ? event.record.key.key : event.key.key);

export function checkKey(key: string): void {
  if (!isSafeKey(key)) throw new EngramFault(`the key ${JSON.stringify(key)} is not one that can be kept`);
}

/** Numeric order: sequences are decimal strings. */
export const bySequence = (a: EngramEvent, b: EngramEvent): number => {
  const [first, second] = [BigInt(a.sequence), BigInt(b.sequence)];
  return first < second ? -1 : first > second ? 1 : 0;
};

const withRecord = (mirror: Mirror, record: MirroredRecord): MirrorStep => {
  if (!mirror.has(record.key.key) && mirror.size >= engramLimits.records) {
    throw new EngramFault(`the agent has more than ${engramLimits.records} records`);
  }
  return { kind: 'changed', mirror: new Map([...mirror, [record.key.key, record]]) };
};

function without(mirror: Mirror, key: string): Mirror {
  const next = new Map(mirror);
  next.delete(key);
  return next;
}

export function takeEvent(mirror: Mirror, event: EngramEvent): MirrorStep {
  const key = keyOf(event);
  const known = mirror.get(key);
  const { sequence } = event;
  switch (event.kind) {
    case 'snapshot':
      if (known !== undefined && event.record.version <= known.version) return { kind: 'stale' };
      return withRecord(mirror, { ...event.record, sequence });
    case 'delete':
      if (known === undefined) return { kind: 'stale' };
      if (event.version !== undefined && event.version < known.version) return { kind: 'stale' };
      return { kind: 'changed', mirror: without(mirror, key) };
    case 'delta':
      return takeDelta(mirror, event, known);
    default:
      return assertNever(event);
  }
}

function takeDelta(
  mirror: Mirror,
  event: Extract<EngramEvent, { kind: 'delta' }>,
  known: MirroredRecord | undefined,
): MirrorStep {
  if (known !== undefined && event.version <= known.version) return { kind: 'stale' };
  if (known === undefined) return { kind: 'gap', key: event.key.key, why: 'a change of a record that was never seen' };
  if (event.version !== known.version + 1) {
    return { kind: 'gap', key: event.key.key, why: `version ${event.version} after ${known.version}` };
  }
  const patched = applyPatch(known.value, event.patch);
  if (!patched.ok) return { kind: 'gap', key: event.key.key, why: patched.why };
  const { version, updatedAt = known.updatedAt } = event;
  const stamp = updatedAt === undefined ? {} : { updatedAt };
  return withRecord(mirror, { ...known, value: patched.value, version, ...stamp, sequence: event.sequence });
}

/** The mirror after reading a record again; null when it no longer exists. */
export function withRead(mirror: Mirror, key: string, record: EngramRecord | null): Mirror {
  if (record === null) return without(mirror, key);
  const step = withRecord(mirror, record);
  return step.kind === 'changed' ? step.mirror : mirror;
}

export function mirrorOf(records: readonly MirroredRecord[]): Mirror {
  for (const { key } of records) checkKey(key.key);
  if (records.length > engramLimits.records)
    throw new EngramFault(`the agent has more than ${engramLimits.records} records`);
  return new Map(records.map((record) => [record.key.key, record]));
}

/** The value of `/view/engram`, by record key. */
export const viewOf = (mirror: Mirror): JsonObject =>
  // Safe: records are JSON.
  Object.fromEntries([...mirror].map(([key, record]) => [key, record as unknown as JsonObject]));
