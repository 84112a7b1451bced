// One warning an agent and minute, with how often it would have been given: an agent that is away would fill the log.
import type { Log } from './deps.ts';

const everyMs = 60_000;

interface Given {
  atMs: number;
  /** Since then. */
  unsaid: number;
}

/** By the log of a process, so that its warnings share their minutes. */
const given = new WeakMap<object, Map<string, Given>>();

/** `times`: how many this one stands for. */
export function warnEachMinute(
  log: Pick<Log, 'warn' | 'debug'>,
  { agent, ...values }: { agent: string } & Record<string, unknown>,
  message: string,
  nowMs: number = performance.now(),
): void {
  const own = given.get(log) ?? new Map<string, Given>();
  given.set(log, own);
  const key = `${agent}\n${message}`;
  const last = own.get(key);
  if (last !== undefined && nowMs - last.atMs < everyMs) {
    last.unsaid += 1;
    log.debug({ agent, ...values }, message);
    return;
  }
  const times = (last?.unsaid ?? 0) + 1;
  own.set(key, { atMs: nowMs, unsaid: 0 });
  log.warn({ agent, ...values, ...(times > 1 ? { times } : {}) }, message);
}
