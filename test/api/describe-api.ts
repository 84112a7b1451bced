// One api for the tests of a file or of a `describe`: started before them and closed after them, with a worker to take commands.
import { afterAll, beforeAll } from '@jest/globals';
import { startRig, type Rig } from './rig.ts';

export type ApiOptions = NonNullable<Parameters<typeof startRig>[0]> & {
  /** Default: true, one that has just reported. */
  hasWorker?: boolean;
};

export interface DescribedApi extends Readonly<Rig> {
  /** One more api on the same store, with other keys or settings; it ends with the first. */
  another(options?: Omit<ApiOptions, 'store' | 'hasWorker'>): Promise<Rig>;
}

/** `options`: a function where they are known only once an earlier `beforeAll` has run. */
export function describeApi(options: ApiOptions | (() => ApiOptions | Promise<ApiOptions>) = {}): DescribedApi {
  let rig: Rig | null = null;
  const others: Rig[] = [];
  beforeAll(async () => {
    const { hasWorker = true, ...rest } = typeof options === 'function' ? await options() : options;
    rig = await startRig(rest);
    if (hasWorker) await rig.store.workers.heartbeat('w1');
  });
  afterAll(async () => {
    await Promise.all(others.map((one) => one.close()));
    await rig?.close();
  });
  const started = (): Rig => {
    if (rig === null) throw new Error('the api is there once the tests run, not while they are described');
    return rig;
  };
  return {
    get app() {
      return started().app;
    },
    get store() {
      return started().store;
    },
    get tasks() {
      return started().tasks;
    },
    get config() {
      return started().config;
    },
    setNow: (iso) => started().setNow(iso),
    close: async () => started().close(),
    async another(more = {}) {
      const other = await startRig({ ...more, store: started().store });
      others.push(other);
      return other;
    },
  };
}
