// Moments that this process writes, deadlines above all, are by the clock whose timers end them: Temporal's, read now and then. Between
// two readings time passes by a clock of this process that no one sets.
import type { Connection } from '@temporalio/client';
import { repeating } from '../process/repeating.ts';
import { readTemporalClock, type ClockReading } from './temporal-clock.ts';

export interface TemporalTime {
  now(): Date;
  /** Reads it; a reading that fails changes nothing. */
  read(): Promise<void>;
  /** From now on it is read every so often. */
  start(): void;
  stop(): Promise<void>;
}

interface Deps {
  /** Has a bound of its own. */
  read(): Promise<ClockReading>;
  /** Gets how far ahead of Temporal's the own clock is, in milliseconds, after each reading. */
  seen(aheadMs: number): void;
  log: { warn(values: object, message: string): void; info(values: object, message: string): void };
  /** The own clocks, for tests: the one that people set, and one that never goes back. */
  clocks?: { wallMs(): number; passedMs(): number };
}

const everyMs = 120_000;
/** What a person would not notice, and doctor does not name either. */
const fitsMs = 5_000;

const ownClocks = { wallMs: () => Date.now(), passedMs: () => performance.now() };

/** How far ahead of the other clock this process's own is, at least: 0 where the reading fits both. */
export function aheadBy({ atMs, between: [from, to] }: Pick<ClockReading, 'atMs' | 'between'>): number {
  if (atMs > to) return to - atMs;
  return atMs < from ? from - atMs : 0;
}

export function createTemporalTime({ read, seen, log, clocks = ownClocks }: Deps): TemporalTime {
  let aheadMs = 0;
  /** The own clock less the time that has passed, as the last reading found them; null: there is none yet. */
  let baseMs: number | null = null;

  async function take(): Promise<void> {
    const reading = await read().catch(() => null);
    if (reading === null) return;
    const before = aheadMs;
    aheadMs = aheadBy(reading);
    baseMs = clocks.wallMs() - clocks.passedMs();
    seen(aheadMs);
    const [wasOff, isOff] = [before, aheadMs].map((ms) => Math.abs(ms) > fitsMs);
    const values = { aheadMs };
    if (isOff && !wasOff)
      log.warn(values, 'the clock of this process is not Temporal’s: moments are written by Temporal’s; set the clock');
    if (wasOff && !isOff) log.info(values, 'the clock of this process fits Temporal’s again');
  }
  const passes = repeating(everyMs, take);
  return {
    now: () => new Date(baseMs === null ? clocks.wallMs() : baseMs + clocks.passedMs() - aheadMs),
    read: () => passes.now(),
    start: () => passes.start(),
    stop: () => passes.stop(),
  };
}

const withinMs = 3_000;

/** The same of this server. */
export const temporalTimeOf = (
  connection: Connection,
  { namespace }: { namespace: string },
  deps: Pick<Deps, 'log' | 'seen'>,
): TemporalTime =>
  createTemporalTime({
    ...deps,
    read: () => connection.withDeadline(Date.now() + withinMs, () => readTemporalClock(connection, namespace)),
  });
