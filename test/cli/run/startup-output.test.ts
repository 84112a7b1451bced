import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createStartupOutput } from '../../../src/cli/run/startup-output.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function screen(isTTY: boolean): { isTTY: boolean; write(text: string): void; text: string } {
  const output = { isTTY, text: '', write: (text: string) => void (output.text += text) };
  return output;
}

/** Resolves on demand. */
function work(): { done: Promise<void>; finish(): void } {
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  return { done, finish: () => finish() };
}

// Promise ST9
describe('what a start waits for', () => {
  test('what a start waits for is one line on a terminal, redrawn with its seconds and gone when it has come', async () => {
    const output = screen(true);
    const say = createStartupOutput(false, output);
    const [temporal, database] = [work(), work()];
    const both = [say.wait('the Temporal server', temporal.done), say.wait('the database', database.done)];
    await jest.advanceTimersByTimeAsync(2_000);
    expect(output.text).toMatch(/\r\u001B\[K {2}waiting for the Temporal server \(2 s\), the database \(2 s\)$/);
    temporal.finish();
    await both[0];
    say.step('Temporal started');
    await jest.advanceTimersByTimeAsync(250);
    expect(output.text).toMatch(/\r\u001B\[K {2}Temporal started\n\r\u001B\[K {2}waiting for the database \(2 s\)$/);
    database.finish();
    await both[1];
    expect(output.text).toMatch(/\r\u001B\[K$/);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(output.text).toMatch(/\(2 s\)\r\u001B\[K$/);
  });

  test('what a start waits for is a line every five seconds where lines cannot be redrawn', async () => {
    const output = screen(false);
    const say = createStartupOutput(false, output);
    const database = work();
    const waited = say.wait('the database', database.done);
    await jest.advanceTimersByTimeAsync(11_000);
    database.finish();
    await waited;
    expect(output.text).toBe('  waiting for the database (5 s)\n  waiting for the database (10 s)\n');
  });

  test('what a start does step by step takes the place of its own line on a terminal, and is a line each elsewhere', () => {
    const [terminal, log] = [screen(true), screen(false)];
    for (const output of [terminal, log]) {
      const say = createStartupOutput(false, output);
      say.step('building: 5 %', true);
      say.step('building: 10 %', true);
      say.step('built');
    }
    const erased = '\r\u001B[K';
    expect(terminal.text).toBe(`${erased}  building: 5 %${erased}  building: 10 %${erased}  built\n`);
    expect(log.text).toBe('  building: 5 %\n  building: 10 %\n  built\n');
  });
});
