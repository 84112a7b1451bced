import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';

/** A process that stops by `handler`; resolves with its exit code once it got the signals, one at a time. */
async function exitCodeOf(handler: string, options: string, signals: NodeJS.Signals[]): Promise<number | null> {
  const file = new URL('../../../src/host/process/shutdown.ts', import.meta.url).href;
  const code = `
    import { onShutdown } from ${JSON.stringify(file)};
    setInterval(() => {}, 1000);
    process.on('SIGINT', () => console.log('got')).on('SIGTERM', () => console.log('got'));
    onShutdown(${handler}, ${options});
    console.log('up');`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  for (const signal of signals) {
    await once(child.stdout, 'data');
    child.kill(signal);
  }
  return (await ended)[0];
}

describe('a stop signal', () => {
  test('a stop signal exits with 0 after a clean stop', async () => {
    expect(await exitCodeOf('async () => {}', '{}', ['SIGTERM'])).toBe(0);
  });

  test('a stop signal exits with 1 when stopping fails', async () => {
    expect(await exitCodeOf('async () => { throw new Error() }', '{}', ['SIGINT'])).toBe(1);
  });

  test('a stop signal exits with 1 when stopping takes too long', async () => {
    expect(await exitCodeOf('() => new Promise(() => {})', '{ withinMs: 50 }', ['SIGTERM'])).toBe(1);
  });

  test('a stop signal that comes again later exits at once', async () => {
    expect(await exitCodeOf('() => new Promise(() => {})', '{ impatientAfterMs: 0 }', ['SIGTERM', 'SIGINT'])).toBe(130);
  });

  test('a stop signal that is passed on twice at the same moment is one', async () => {
    // The second one finds it stopping, however late it comes.
    const stopping = "() => new Promise((done) => process.on('SIGINT', done))";
    expect(await exitCodeOf(stopping, '{}', ['SIGINT', 'SIGINT'])).toBe(0);
  });
});
