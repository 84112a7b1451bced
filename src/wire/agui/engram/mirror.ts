// What we hold of an agent's records, and what its events make of it. Versions decide, so that an event may come twice.
import {
  EngramEventSchema,
  engramLimits,
  type EngramEvent,
  type EngramRecord,
} from '../../../contract/views/engram.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { assertNever } from '../../../core/base/errors.ts';
import { isSafeKey } from '../model/state-patch.ts';
import { applyPatch } from './json-patch.ts';

/** A record as it is shown, with the sequence of the event that it came by, where it came by one. */
export type MirroredRecord = EngramRecord & { sequence?: string };
export type Mirror = ReadonlyMap<string, MirroredRecord>;

type MirrorStep =
  | { kind: 'changed'; mirror: Mirror }
  /** It says what is known already. */
  | { kind: 'stale' }
  /** Something was missed: the record has to be read. */
  | { kind: 'gap'; key: string; why: string };

export class EngramFault extends Error {
  override name = 'EngramFault';
}

/** Judges an event; a fault is the agent's, and ends the run. */
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

/** By number, as the agent counted them; never as text. */
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

/** The record as it was read after a gap; null: it is gone. */
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

/** `/view/engram`: a property a record, under its key as it is; a JSON pointer to it is encoded once, by whoever writes it. */
export const viewOf = (mirror: Mirror): JsonObject =>
  // Safe: records are JSON.
  Object.fromEntries([...mirror].map(([key, record]) => [key, record as unknown as JsonObject]));
