// Moments that this process writes, deadlines above all, are by the clock whose timers end them: Temporal's, read now and then. Between
// two readings time passes by a clock of this process that no one sets, and that stops while the machine is asleep.
import type { Connection } from '@temporalio/client';
import { uptime } from 'node:os';
import { repeating } from '../process/repeating.ts';
import { aheadBy, fitsMs, readTemporalClock, type ClockReading } from './temporal-clock.ts';

export interface TemporalTime {
  now(): Date;
  /** From now on it is read every so often, by the first who can; resolves after the first reading, for all who call this. */
  follow(read: () => Promise<ClockReading>): Promise<void>;
  /** Reads it again; a reading that fails changes nothing. */
  read(): Promise<void>;
  stop(): Promise<void>;
}

/** The own clocks: the one that people set, one that never goes back, and the machine's, which goes on while it is asleep. */
interface OwnClocks {
  wallMs(): number;
  passedMs(): number;
  uptimeMs(): number;
}

interface Deps {
  /** Gets how far ahead of Temporal's the own clock is, in milliseconds, after each reading. */
  seen(aheadMs: number): void;
  log: { warn(values: object, message: string): void; info(values: object, message: string): void };
  clocks?: OwnClocks;
}

const everyMs = 120_000;
/** Until the first reading, and after a sleep: until then moments are by a clock that may be wrong. */
const soonMs = 1_000;

const ownClocks: OwnClocks = {
  wallMs: () => Date.now(),
  passedMs: () => performance.now(),
  uptimeMs: () => uptime() * 1_000,
};

interface Reading {
  aheadMs: number;
  wallMs: number;
  passedMs: number;
  uptimeMs: number;
}

export function createTemporalTime({ seen, log, clocks = ownClocks }: Deps): TemporalTime {
  /** Null: there is none yet. */
  let last: Reading | null = null;
  let readClock: (() => Promise<ClockReading>) | null = null;
  let followed: Promise<void> | null = null;
  let isAskedAgain = false;

  async function take(): Promise<void> {
    const began = { wallMs: clocks.wallMs(), passedMs: clocks.passedMs() };
    const reading = await readClock?.().catch(() => null);
    // Of a clock that was set meanwhile it says nothing.
    if (reading == null || isSetSince(began)) return;
    const [before, aheadMs] = [last?.aheadMs ?? 0, aheadBy(reading)];
    last = { aheadMs, wallMs: clocks.wallMs(), passedMs: clocks.passedMs(), uptimeMs: clocks.uptimeMs() };
    isAskedAgain = false;
    seen(aheadMs);
    const [wasOff, isOff] = [before, aheadMs].map((ms) => Math.abs(ms) > fitsMs);
    const values = { aheadMs };
    if (isOff && !wasOff)
      log.warn(values, 'the clock of this process is not Temporal’s: moments are written by Temporal’s; set the clock');
    if (wasOff && !isOff) log.info(values, 'the clock of this process fits Temporal’s again');
  }
  const passes = repeating(() => (last === null || isAskedAgain ? soonMs : everyMs), take);

  /** Whether the clock that people set went on otherwise than what passes: it was set, or the machine was asleep. */
  const isSetSince = ({ wallMs, passedMs }: Pick<Reading, 'wallMs' | 'passedMs'>): boolean =>
    Math.abs(clocks.wallMs() - wallMs - (clocks.passedMs() - passedMs)) > fitsMs;

  /** The time since the last reading that the clock of what passes left out: the machine was asleep, unless its clock was set. */
  function asleepMs(since: Reading): number {
    if (!isSetSince(since)) return 0;
    if (!isAskedAgain) {
      isAskedAgain = true;
      void passes.now().then(passes.start);
    }
    const asleep = clocks.uptimeMs() - since.uptimeMs - (clocks.passedMs() - since.passedMs);
    return asleep > fitsMs ? asleep : 0;
  }

  return {
    now() {
      if (last === null) return new Date(clocks.wallMs());
      const passed = clocks.passedMs() - last.passedMs + asleepMs(last);
      return new Date(last.wallMs + passed - last.aheadMs);
    },
    follow(read) {
      readClock ??= read;
      return (followed ??= passes.now().then(passes.start));
    },
    read: () => passes.now(),
    async stop() {
      readClock = null;
      await passes.stop();
    },
  };
}

const withinMs = 3_000;

/** Reads the clock of this server. */
export const clockOf =
  (connection: Connection, { namespace }: { namespace: string }): (() => Promise<ClockReading>) =>
  () =>
    connection.withDeadline(Date.now() + withinMs, () => readTemporalClock(connection, namespace));
