// A process of the bench, asked over IPC: every part under measure has one of its own, so that its CPU time can be measured.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

/**
 * @typedef {{ pid: number, ask(method: string, args?: object, withinMs?: number): Promise<any>, stop(): Promise<void> }} Child
 *
 * @param {string} file next to this one
 * @param {string[]} execArgv of Node
 * @returns {Child}
 */
export function startChild(file, execArgv = process.execArgv) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, [], { execArgv, serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map();
  let last = 0;
  child.on('message', (/** @type {any} */ { id, value, error }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error === undefined) resolve?.(value);
    else reject?.(new Error(`${file}: ${error}`));
  });
  const gone = once(child, 'exit').then(([code, signal]) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended (${signal ?? code})`));
    waiting.clear();
  });
  return {
    pid: child.pid ?? 0,
    async ask(method, args = {}, withinMs = 60_000) {
      const id = (last += 1);
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      // Without a callback, a send to a child that has ended throws where it is not caught, and the others stay.
      child.send({ id, method, args }, (error) => {
        if (error !== null) waiting.get(id)?.reject(error);
      });
      return within(withinMs, answer, `${file} ${method}`);
    },
    async stop() {
      if (child.connected) child.disconnect();
      await within(10_000, gone, `the end of ${file}`).catch(() => child.kill('SIGKILL'));
    },
  };
}

/**
 * The other side: answers what is asked until the parent leaves, then stops.
 * @param {Record<string, (args: any) => unknown>} methods
 * @param {() => Promise<unknown>} stop
 */
export function serveParent(methods, stop) {
  // Ctrl-C reaches the whole group; the parent decides when a child goes.
  process.on('SIGINT', () => {});
  const answer = async (/** @type {any} */ { id, method, args }) => {
    try {
      process.send?.({ id, value: await methods[method](args) });
    } catch (error) {
      process.send?.({ id, error: inspect(error) });
    }
  };
  process.on('message', (message) => void answer(message));
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), 8000).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @param {string} what
 * @returns {Promise<T>}
 */
export async function within(ms, promise, what) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
