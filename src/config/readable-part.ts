// What the schema takes of a configuration of which it refuses some: the rules across keys are judged on that part, so that all
// mistakes of a file are named at once.
import type { z } from 'zod';
import { ConfigSchema, type Config } from '../contract/configuration/config.ts';
import type { CrossFault } from './config-fault.ts';
import { valueAt } from './config-issues.ts';
import type { Path } from './config-source.ts';

interface ReadablePart {
  config: Config;
  /** A fault as the file has it; empty where it draws on what was left out. */
  faultsOf(fault: CrossFault): CrossFault[];
}

/** `stand-in`: something of the same name that the schema takes, so that what refers to it is not at fault. */
type Cut = 'stand-in' | 'out';

const keyOf = (path: Path): string => JSON.stringify(path);

/** Each entry is cut at most twice, so that this many ends any file that people write. */
const maxRounds = 200;

/** The part of `data` that the schema takes, by leaving out whatever it has a fault with; null: nothing is left. */
export function readablePart(data: unknown): ReadablePart | null {
  const cuts = new Map<string, Cut>();
  for (let round = 0; round < maxRounds; round += 1) {
    const { built, kept } = without(data, cuts);
    const parsed = ConfigSchema.safeParse(built);
    if (parsed.success) return { config: parsed.data, faultsOf: (fault) => faultsOf(fault, cuts, kept) };
    for (const issue of parsed.error.issues)
      for (const path of cutPaths(issue)) {
        // What is missing is mended by leaving out what it belongs to.
        const at = originalOf(path, kept);
        const isMissing = valueAt(built, path) === undefined && standInOf(at) === null;
        if (!cut(isMissing ? at.slice(0, -1) : at, issue.code === 'invalid_key' ? 'out' : 'stand-in', cuts))
          return null;
      }
  }
  return null;
}

function cutPaths(issue: z.core.$ZodIssue): Path[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
}

/** Leaves out the value, or where it is left out already what it belongs to; false: that is the file. */
function cut(path: Path, how: Cut, cuts: Map<string, Cut>): boolean {
  if (path.length === 0) return false;
  const key = keyOf(path);
  const before = cuts.get(key);
  if (before === 'out') return cut(path.slice(0, -1), 'stand-in', cuts);
  cuts.set(key, how === 'stand-in' && before === undefined && standInOf(path) !== null ? 'stand-in' : 'out');
  return true;
}

const address = 'http://left-out.invalid/';
const keyAt = (number: string | number): Record<string, string> => ({
  user: `left-out-${number}`,
  keySha256: number.toString(16).padStart(64, '0'),
});

/** Something that the schema takes: for entries to which others refer by name or number, and for what these cannot be without. */
function standInOf([first, second, third, fourth, ...rest]: Path): unknown {
  if (second === undefined || rest.length > 0) return null;
  if (first === 'agents') return third === undefined ? { url: address } : third === 'url' ? address : null;
  if (first === 'policies' || first === 'users') return third === undefined ? {} : null;
  if (third === undefined) return null;
  if (first === 'notifications' && second === 'channels')
    return fourth === undefined ? { type: 'slack', url: address } : null;
  if (first !== 'auth' || second !== 'keys') return null;
  return fourth === undefined ? keyAt(third) : (keyAt(third)[fourth] ?? null);
}

/** For each list, by its path in the file: the numbers that its entries have there. */
type Kept = ReadonlyMap<string, readonly number[]>;

function without(data: unknown, cuts: ReadonlyMap<string, Cut>): { built: unknown; kept: Kept } {
  const kept = new Map<string, number[]>();
  const open = new Set<unknown>();
  const copy = (value: unknown, path: Path): unknown => {
    if (cuts.get(keyOf(path)) === 'stand-in') return standInOf(path);
    if (typeof value !== 'object' || value === null) return value;
    // An anchor can be within what it names.
    if (open.has(value)) return null;
    open.add(value);
    const copied = copyOf(value, path);
    open.delete(value);
    return copied;
  };
  const copyOf = (value: object, path: Path): unknown => {
    const isIn = (step: string | number): boolean => cuts.get(keyOf([...path, step])) !== 'out';
    if (Array.isArray(value)) {
      const indexes = [...value.keys()].filter(isIn);
      kept.set(keyOf(path), indexes);
      return indexes.map((index) => copy(value[index], [...path, index]));
    }
    const missing = ['url', 'user'].filter((name) => cuts.get(keyOf([...path, name])) === 'stand-in');
    const entries = Object.entries(value).filter(([name]) => isIn(name));
    return Object.fromEntries([
      ...missing.map((name): [string, unknown] => [name, standInOf([...path, name])]),
      ...entries.map(([name, member]): [string, unknown] => [name, copy(member, [...path, name])]),
    ]);
  };
  return { built: copy(data, []), kept };
}

const originalOf = (path: Path, kept: Kept): Path =>
  path.reduce<Path>((at, step) => [...at, typeof step === 'number' ? (kept.get(keyOf(at))?.[step] ?? step) : step], []);

const isWithin = (path: Path, other: Path): boolean => other.every((step, index) => path[index] === step);

function faultsOf({ path, basis = [], message }: CrossFault, cuts: ReadonlyMap<string, Cut>, kept: Kept): CrossFault[] {
  const at = originalOf(path, kept);
  const drawnOn = basis.map((one) => originalOf(one, kept));
  const isUnknown = [...cuts.keys()].some((key) => {
    // Safe: `cut` wrote it.
    const gone = JSON.parse(key) as Path;
    return isWithin(at, gone) || drawnOn.some((one) => isWithin(one, gone) || isWithin(gone, one));
  });
  return isUnknown ? [] : [{ path: at, message }];
}
