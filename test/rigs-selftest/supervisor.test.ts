import { afterAll, describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createSupervisor } from '../rigs/process/supervisor.ts';
import { waitFor } from '../rigs/wait-for.ts';

const supervisor = createSupervisor();
afterAll(() => supervisor.end());

const node = (name: string, code: string): { name: string; command: string; args: string[] } => ({
  name,
  command: process.execPath,
  args: ['-e', code],
});
const sleeper = 'setInterval(() => undefined, 1000)';
/** A killed orphan may stay as a zombie where no process collects it; that is dead enough. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('waitFor', () => {
  test('waitFor names what did not come, and the last error', async () => {
    const never = waitFor(() => Promise.reject(new Error('no connection')), 60, 'the answer');
    await expect(never).rejects.toThrow('not within 60 ms: the answer; last error: no connection');
  });
});

describe('the supervisor', () => {
  test('the supervisor finds lines that were printed before and after it asked', async () => {
    const talker = supervisor.start(node('talker', `console.log('one 1'); setTimeout(() => console.log('two 2'), 80)`));
    expect((await talker.waitForLine(/two (\d)/, 5_000))[1]).toBe('2');
    expect((await talker.waitForLine(/one (\d)/, 5_000))[1]).toBe('1');
  });

  test('the supervisor prints the output of a process that ends before its line', async () => {
    const failing = supervisor.start(node('failing', `console.error('disk full'); process.exit(3)`));
    await expect(failing.waitForLine(/ready/, 5_000)).rejects.toThrow(/failing ended before.*\n.*\n.*disk full/);
    expect(await failing.exited).toEqual({ code: 3, signal: null });
  });

  test('the supervisor kills with SIGKILL, and stops what does not listen to SIGTERM', async () => {
    const one = supervisor.start(node('one', sleeper));
    await one.kill9();
    expect(await one.exited).toEqual({ code: null, signal: 'SIGKILL' });
    const deaf = supervisor.start(node('deaf', `process.on('SIGTERM', () => 0); console.log('up'); ${sleeper}`));
    await deaf.waitForLine(/up/, 5_000);
    expect(await deaf.stop(150)).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('the supervisor kills also what its processes started, detached or not, and removes its directories', async () => {
    const own = createSupervisor();
    const dir = await own.tempDir();
    const grandchild = `require('child_process').spawn(process.execPath, ['-e', '${sleeper}'], { detached: true, stdio: 'ignore' }).pid`;
    const parent = own.start(node('parent', `console.log('pid ' + ${grandchild}); ${sleeper}`));
    const pid = Number((await parent.waitForLine(/pid (\d+)/, 5_000))[1]);
    expect(own.pids()).toEqual(expect.arrayContaining([parent.pid, pid]));
    await own.end();
    expect([isAlive(parent.pid), isAlive(pid), existsSync(dir)]).toEqual([false, false, false]);
  });

  test('the supervisor kills also what is started while it kills the others', async () => {
    const own = createSupervisor();
    const first = own.start(node('first', sleeper));
    const killed = own.killAll9();
    const late = own.start(node('late', sleeper));
    expect(new Set(await killed)).toEqual(new Set([first.pid, late.pid]));
    expect([isAlive(first.pid), isAlive(late.pid)]).toEqual([false, false]);
    await own.end();
  });

  test('the supervisor leaves nothing running when the test process itself is killed', async () => {
    const rig = fileURLToPath(new URL('../rigs/process/supervisor.ts', import.meta.url));
    const code = `
      const { createSupervisor } = await import(${JSON.stringify(rig)});
      const child = createSupervisor().start({ name: 'child', command: process.execPath, args: ['-e', ${JSON.stringify(sleeper)}] });
      console.log('child ' + child.pid);
      ${sleeper}`;
    const testRun = supervisor.start({
      name: 'test run',
      command: process.execPath,
      args: ['--import', 'tsx', '--input-type=module', '-e', code],
    });
    const pid = Number((await testRun.waitForLine(/child (\d+)/, 15_000))[1]);
    await testRun.kill9();
    await waitFor(() => !isAlive(pid), 5_000, 'the end of the orphan');
  });
});
