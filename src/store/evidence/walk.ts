// Verifies the chain record by record: each must link to the one before it and name the previous one of its hold.
import type { HoldId } from '../../contract/base/id-types.ts';
import type { EvidenceFault, SignedHead } from '../ports/evidence.ts';
import { contentHash, isSigned, linkHash, type StoredRecord } from './chain.ts';
import { objectOf, parseJson } from '../../core/base/json.ts';
import { signedHeadIn } from './restored.ts';

/** Maximum number of gaps that are checked for moved records. */
const maxGaps = 20;

export interface Walk {
  take(record: StoredRecord): void;
  /** Checks that the chain ends at its head. */
  end(head: { seq: number; hash: string }): void;
  count(): number;
  faults: EvidenceFault[];
  /** Heads stored elsewhere whose records are not in the chain. */
  lost: SignedHead[];
  /** The last record of each hold, with its row hash. */
  recorded: Map<string, { seq: number; rowHash: string | null }>;
  /** Public keys of valid signatures, each with the last record that it covers. */
  keys: Map<string, number>;
}

/** Starts at record `first`, which must link to `hashBefore`; `heads` are signed heads stored elsewhere. */
export function createWalk(first: number, hashBefore: string, heads: readonly SignedHead[]): Walk {
  const faults: EvidenceFault[] = [];
  const lost: SignedHead[] = [];
  const recorded: Walk['recorded'] = new Map();
  const keys: Walk['keys'] = new Map();
  // Of two heads of one record the first counts: lines can be added later.
  const kept = new Map(heads.toReversed().map((head) => [head.seq, head]));
  let next = first;
  let count = 0;
  let last = hashBefore;
  /** Hashes to which the next record may link; empty after a gap, where any is accepted. */
  let before: string[] = [hashBefore];
  const gaps: { seq: number; before: string[] }[] = [];
  const fault = (holdId: HoldId | null, seq: number | null, what: string): void => {
    faults.push({ holdId, seq, what });
  };

  /** Whether the record's hash fits a gap, so that it was moved from there. */
  const isFromGap = (record: StoredRecord): boolean =>
    gaps.some((gap) =>
      gap.before.some((one) => linkHash(one, contentHash({ ...record, seq: gap.seq })) === record.hash),
    );

  function followsOn(record: StoredRecord): void {
    const { seq, holdId, hash } = record;
    if (seq !== next) {
      fault(null, next, seq - next === 1 ? 'the record is missing' : `${seq - next} records are missing`);
      if (gaps.length < maxGaps) gaps.push({ seq: next, before });
      before = [];
      if (isFromGap(record)) fault(holdId, seq, 'the record was moved here');
    }
    const content = contentHash(record);
    const links = before.map((one) => linkHash(one, content));
    if (before.length > 0 && !links.includes(hash)) {
      const what = 'the record was altered, put in, or moved here';
      fault(holdId, seq, what);
      const named = memberOf(record, 'hold');
      if (typeof named === 'string' && named !== holdId) fault(named, seq, what);
    }
    // Either the record or its hash was altered, so the next may link to either and is not reported as well.
    before = links.includes(hash) ? [hash] : [hash, ...links];
  }

  /** Previous records from before the start of the walk are not checked. */
  function followsInHold({ seq, holdId, previous, rowHash }: StoredRecord & { holdId: HoldId }): void {
    const known = recorded.get(holdId)?.seq ?? null;
    const isBeforeWalk = known === null && previous !== null && previous < first;
    if (previous !== known && !isBeforeWalk)
      fault(holdId, seq, `the record before it that tells of the question is missing, or another one`);
    recorded.set(holdId, { seq, rowHash });
  }

  function isSignature(record: StoredRecord): void {
    const head = signedHeadIn(record.record);
    if (head === null) return;
    const isOfTheOneBefore = head.seq === record.seq - 1 && (record.seq === first || head.hash === last);
    if (!isOfTheOneBefore || !isSigned(head)) fault(null, record.seq, 'the signature is not of the chain before it');
    else keys.set(head.key, head.seq);
  }

  return {
    faults,
    lost,
    recorded,
    keys,
    count: () => count,
    take(record) {
      followsOn(record);
      const { holdId, seq, hash } = record;
      if (memberOf(record, 'kind') === 'altered')
        fault(holdId, seq, 'the question was altered by something other than Standfast before this record');
      if (holdId !== null) followsInHold({ ...record, holdId });
      else isSignature(record);
      const outside = kept.get(seq);
      if (outside !== undefined && (outside.hash !== hash || !isSigned(outside))) {
        fault(holdId, seq, 'the record is not the one that was signed');
        lost.push(outside);
      }
      [last, next] = [hash, seq + 1];
      count += 1;
    },
    end(head) {
      if (head.seq !== next - 1 || head.hash !== last)
        fault(null, head.seq, `the chain ends with record ${next - 1}, and not where its head says`);
      for (const one of kept.values()) {
        if (one.seq < next) continue;
        fault(null, one.seq, 'a record that was signed is missing');
        lost.push(one);
      }
    },
  };
}

const memberOf = ({ record }: StoredRecord, name: string): unknown => objectOf(parseJson(record))[name];
