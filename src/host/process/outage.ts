// What is tried again and again is logged twice: when it begins to fail, and with its seconds when it works again.

export interface OutageLog {
  error(values: object, message: string): void;
  info(values: object, message: string): void;
}

interface Outage {
  /** At each try that failed; why is asked at the first one alone. */
  fails(why: () => unknown): void;
  /** At each try that did not. */
  works(): void;
}

/** Of a worker in one process with an api, whose readiness logs the same outage. */
export const onlyDebug = (log: { debug: OutageLog['info'] }): OutageLog => {
  const debug: OutageLog['info'] = (values, message) => log.debug(values, message);
  return { error: debug, info: debug };
};

/** `effect`: what cannot be done until this part is back. */
export function outageOf(
  part: string,
  { effect, log, now = () => performance.now() }: { effect: string; log: OutageLog; now?: () => number },
): Outage {
  let goneAt: number | null = null;
  return {
    fails(why) {
      if (goneAt !== null) return;
      goneAt = now();
      void Promise.resolve(why()).then((err) => log.error({ err }, effect));
    },
    works() {
      if (goneAt === null) return;
      const seconds = Math.round((now() - goneAt) / 1000);
      goneAt = null;
      log.info({ seconds }, `${part}: works again after ${seconds} s`);
    },
  };
}
