import { describe, expect, test } from '@jest/globals';
import { createWaiters, logTopic, runTopic } from '../../../src/store/feeds/waiters.ts';
import { aRun as run } from '../rows.ts';

const topic = runTopic(run);
const first = { firstSeq: 1, texts: ['{"type":"RUN_STARTED"}'] };

describe('a run that is expected before it can exist', () => {
  test('a run that was expected comes with its claim, though its reader came later', () => {
    const waiters = createWaiters();
    waiters.expect(topic, true);
    waiters.wake([topic], { run, isNew: true });
    const waiter = waiters.join(topic);
    expect(waiter.isWhole()).toBe(true);
    expect(waiter.takeRun()).toEqual(run);
    waiter.leave();
  });

  test('the log of a new run comes with the claim from its first entry on', () => {
    const waiters = createWaiters();
    waiters.expect(topic, true);
    waiters.wake([topic], { run, isNew: true });
    waiters.wake([logTopic(run.logId)], first);
    const reader = waiters.join(logTopic(run.logId));
    expect(reader.take(0)?.entries.map(({ seq }) => seq)).toEqual([1]);
    expect(waiters.join(logTopic(run.logId)).take(0)).toBeNull();
    reader.leave();
  });

  test('the log is read where the notice of its first entries is lost', () => {
    const waiters = createWaiters();
    waiters.expect(topic, true);
    waiters.wake([topic], { run, isNew: true });
    waiters.wake([logTopic(run.logId)], { ...first, firstSeq: 2 });
    expect(waiters.join(logTopic(run.logId)).take(0)).toBeNull();
  });

  test('the log of a run that was there before is read', () => {
    const waiters = createWaiters();
    waiters.expect(topic, true);
    waiters.wake([topic], { run, isNew: false });
    waiters.wake([logTopic(run.logId)], first);
    expect(waiters.join(logTopic(run.logId)).take(0)).toBeNull();
  });

  test.each([
    ['does not hear of others', (waiters: ReturnType<typeof createWaiters>): void => waiters.expect(topic, false)],
    [
      'may have missed a notice',
      (waiters: ReturnType<typeof createWaiters>): void => {
        waiters.expect(topic, true);
        waiters.wakeAll();
      },
    ],
    ['expected nothing', (): void => undefined],
  ])('a process that %s reads the run before it waits for it', (_what, prepare) => {
    const waiters = createWaiters();
    prepare(waiters);
    const waiter = waiters.join(topic);
    expect(waiter.isWhole()).toBe(false);
    waiter.leave();
  });
});
