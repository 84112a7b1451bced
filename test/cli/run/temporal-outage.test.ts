// However often the SDK warns of an outage of Temporal, the worker's log has one line when it begins and one when it ends.
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createOutageWatch, isRetryWarning } from '../../../src/cli/run/temporal-outage.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function rig(): {
  lines: { level: number; msg: string; seconds?: number; err?: string }[];
  temporal: { why: string | null };
  retried(): Promise<void>;
  pass(seconds: number): Promise<void>;
} {
  const lines: ReturnType<typeof rig>['lines'] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const temporal: { why: string | null } = { why: null };
  let nowMs = 0;
  let next: (() => void) | undefined;
  const noteRetry = createOutageWatch({
    log,
    fault: async () => temporal.why,
    wait: () => new Promise<void>((resolve) => (next = resolve)),
    now: () => nowMs,
  });
  return {
    lines,
    temporal,
    async retried() {
      noteRetry(() => log.warn('gRPC call poll_activity_task_queue retried 6 times'));
      await settled();
    },
    async pass(seconds) {
      nowMs += seconds * 1000;
      next?.();
      await settled();
    },
  };
}

test('each outage of Temporal is one line when it begins and one with its seconds when it ends', async () => {
  const { lines, temporal, retried, pass } = rig();
  for (const seconds of [40, 3]) {
    lines.length = 0;
    temporal.why = 'nothing answers: start Temporal there';
    for (let n = 0; n < 50; n += 1) await retried();
    await pass(1);
    await retried();
    temporal.why = null;
    await pass(seconds);
    expect(lines.map(({ level, msg, seconds: after, err }) => [level, msg, after, err])).toEqual([
      [50, 'Temporal cannot be used: this worker takes no work until it is back', undefined, expect.any(String)],
      [30, `temporal: works again after ${seconds + 1} s`, seconds + 1, undefined],
    ]);
  }
});

test('a retried call stays a warning while Temporal answers', async () => {
  const { lines, retried } = rig();
  await retried();
  await retried();
  expect(lines.map(({ level }) => level)).toEqual([40, 40]);
});

test('the warnings of the SDK’s core are known by their form', () => {
  expect(isRetryWarning('gRPC call poll_workflow_task_queue retried 12 times')).toBe(true);
  expect(isRetryWarning('Activity failed')).toBe(false);
});
