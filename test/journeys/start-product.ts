// The product as users start it, for the tests of a file: `standfast up` from before them until after them.
import { afterAll, beforeAll, expect } from '@jest/globals';
import { startUp, type Up, type UpOptions } from '../rigs/product/standfast.ts';
import { createSupervisor, type RigProcess, type Supervisor } from '../rigs/process/supervisor.ts';
import { buildOnce } from './setting.ts';

type Options = Pick<UpOptions, 'configText' | 'isEmbedded' | 'env'>;

export interface Product {
  /** Ends with the tests, and all that it started with it. */
  supervisor: Supervisor;
  /** There once the tests run. */
  up: Up;
  /** Again after it was killed or stopped: the same data and ports, with what is changed. */
  startAgain: (change?: Partial<Options>) => Promise<void>;
}

/** `prepare` gives the text of standfast.yaml, after it started what that names; `url` is where the api will be. */
export function startProduct(prepare: string | ((url: string) => Promise<string | Options>)): Product {
  const supervisor = createSupervisor();
  let options: UpOptions | null = null;
  let running: Up | null = null;
  const startAgain = async (change: Partial<Options> = {}): Promise<void> => {
    if (options === null) throw new Error('the product is there once the tests run, not while they are described');
    running = await startUp(supervisor, { ...options, ...change });
  };
  beforeAll(async () => {
    buildOnce();
    const { freePort } = supervisor;
    const ports = { api: await freePort(), temporal: await freePort(), temporalUi: await freePort() };
    const prepared = typeof prepare === 'string' ? prepare : await prepare(`http://127.0.0.1:${ports.api}`);
    const given = typeof prepared === 'string' ? { configText: prepared } : prepared;
    options = { dataDir: await supervisor.tempDir('up'), ports, ...given };
    await startAgain();
  });
  afterAll(() => supervisor.end());
  const up = new Proxy({} as Up, { get: (_, name) => Reflect.get(running ?? {}, name) as unknown });
  return { supervisor, up, startAgain };
}

/** Asks `running` to stop, as a person or a supervisor of processes does, and sees it end well within ten seconds. */
export async function stopsInTime(running: RigProcess, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  const startedMs = performance.now();
  expect(await running.stop(15_000, signal)).toEqual({ code: 0, signal: null });
  expect(performance.now() - startedMs).toBeLessThan(10_000);
}
