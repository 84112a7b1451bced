// Sign-ins that fail, counted by address: keys are long, yet nobody needs to try many.

export interface LoginLimit {
  /** Seconds to wait before the next try; 0: now. */
  waitS(address: string): number;
  failed(address: string): void;
}

const maxFailures = 20;
const windowMs = 60_000;
/** Addresses remembered; the oldest is forgotten first. */
const maxAddresses = 10_000;

export function createLoginLimit(now: () => Date): LoginLimit {
  const counts = new Map<string, { failures: number; untilMs: number }>();
  const countOf = (address: string): { failures: number; untilMs: number } | undefined => {
    const count = counts.get(address);
    return count !== undefined && count.untilMs > now().getTime() ? count : undefined;
  };
  return {
    waitS(address) {
      const count = countOf(address);
      if (count === undefined || count.failures < maxFailures) return 0;
      return Math.max(1, Math.ceil((count.untilMs - now().getTime()) / 1000));
    },
    failed(address) {
      const count = countOf(address);
      const [oldest] = counts.keys();
      if (count === undefined && counts.size >= maxAddresses && oldest !== undefined) counts.delete(oldest);
      counts.delete(address);
      counts.set(address, {
        failures: (count?.failures ?? 0) + 1,
        untilMs: count?.untilMs ?? now().getTime() + windowMs,
      });
    },
  };
}
