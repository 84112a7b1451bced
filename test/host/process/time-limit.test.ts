import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { timeLimit, within } from '../../../src/host/process/time-limit.ts';
import { leastBoundMs, waitFor } from '../../rigs/wait-for.ts';

setFlagsFromString('--expose-gc');
const collectMemory = runInNewContext('gc') as () => void;

/** As a call that holds nothing of its signal but the listener. */
const aCall = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

describe('a limit of time', () => {
  // Promise LI1
  test('a limit of time ends a call also when memory was collected meanwhile', async () => {
    const stopping = new AbortController();
    const ended: unknown[] = [];
    for (const limit of [timeLimit(500), within(stopping.signal, 500).signal]) {
      void aCall(AbortSignal.any([limit, new AbortController().signal])).then((why) => ended.push(why));
    }
    await waitFor(
      () => {
        collectMemory();
        return ended.length === 2;
      },
      leastBoundMs,
      'both calls to end',
    );
    for (const why of ended) expect(why).toMatchObject({ name: 'TimeoutError' });
  });

  test('a limit of time leaves a call to the end of its own signal before', async () => {
    const stopping = new AbortController();
    const call = aCall(within(stopping.signal, 2 ** 40).signal);
    collectMemory();
    stopping.abort('stopped');
    expect(await call).toBe('stopped');
  });

  // Promise LI1
  test('a limit of time is the only one in the sources', () => {
    const own = 'host/process/time-limit.ts';
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    expect(sources).toContain(own);
    const others = sources.filter((path) => readFileSync(join('src', path), 'utf8').includes('AbortSignal.timeout'));
    expect(others).toEqual([own]);
  });
});
