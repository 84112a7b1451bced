// Tasks on disk: one JSON file a task, so that an agent that is killed finds its tasks again.
//
// A change that matters (state, message, history) is on disk, with fsync, before save() returns. Artifact chunks come
// by the hundred: they are written at most every 50 ms, and what a crash takes of them the repeated turn says again.

import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Task } from '@a2a-js/sdk';

const chunkFlushMs = 50;
const acceptableId = /^[\w.-]{1,150}$/;

/**
 * A TaskStore of the A2A SDK over a directory.
 * @param {string} dir created when missing
 * @returns {Promise<import('@a2a-js/sdk/server').TaskStore & { all(): Task[]; close(): Promise<void> }>}
 */
export async function createFileTaskStore(dir) {
  await mkdir(dir, { recursive: true });
  const tasks = await readTasks(dir);
  /** @type {Map<string, Promise<void>>} the last step of each task; steps of one task never overtake each other */
  const steps = new Map();
  /** @type {Map<string, NodeJS.Timeout>} */
  const timers = new Map();

  /** @param {string} id @param {() => Promise<void>} act */
  const step = (id, act) => {
    const next = (steps.get(id) ?? Promise.resolve()).catch(() => undefined).then(act);
    steps.set(id, next);
    return next;
  };
  /** @param {Task} task @param {boolean} isSynced */
  const write = (task, isSynced) => {
    clearTimeout(timers.get(task.id));
    timers.delete(task.id);
    return writeTask(dir, task, isSynced);
  };
  const writeSoon = (id) => {
    if (timers.has(id)) return;
    const flush = () => {
      step(id, () => write(tasks.get(id), false)).catch((error) => console.error(`task ${id}:`, error));
    };
    timers.set(id, setTimeout(flush, chunkFlushMs));
  };

  return {
    async save(task) {
      if (!acceptableId.test(task.id)) throw new Error('task id cannot be a file name');
      const copy = structuredClone(task);
      return step(task.id, async () => {
        const before = tasks.get(task.id);
        // On disk first, then shown: no state is shown that a crash could take back.
        if (before === undefined || isWorthSync(before, copy)) await write(copy, true);
        else writeSoon(task.id);
        tasks.set(task.id, copy);
      });
    },
    async load(id) {
      const task = tasks.get(id);
      return task && structuredClone(task);
    },
    async list(params) {
      return page([...tasks.values()], params);
    },
    all: () => structuredClone([...tasks.values()]),
    async close() {
      for (const id of timers.keys()) void step(id, () => write(tasks.get(id), true));
      await Promise.all(steps.values());
    },
  };
}

/** @param {Task} before @param {Task} after */
function isWorthSync(before, after) {
  return (
    before.status?.state !== after.status?.state ||
    before.status?.message?.messageId !== after.status?.message?.messageId ||
    before.history.length !== after.history.length
  );
}

/** @param {string} dir @returns {Promise<Map<string, Task>>} */
async function readTasks(dir) {
  const tasks = new Map();
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    if (name.endsWith('.tmp')) await rm(path);
    if (!name.endsWith('.json')) continue;
    const task = Task.fromJSON(JSON.parse(await readFile(path, 'utf8')));
    tasks.set(task.id, task);
  }
  return tasks;
}

/** Write, fsync, rename, fsync of the directory: after a crash the file holds the old task or the new one, whole. */
async function writeTask(dir, task, isSynced) {
  const path = join(dir, `${task.id}.json`);
  const file = await open(`${path}.tmp`, 'w');
  try {
    await file.writeFile(JSON.stringify(Task.toJSON(task)));
    if (isSynced) await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
  if (!isSynced) return;
  const folder = await open(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const stamp = (task) => task.status?.timestamp ?? '';

/** tasks/list: newest first; the page token names the last task shown. */
function page(tasks, params) {
  const after = params.statusTimestampAfter ? Date.parse(params.statusTimestampAfter) : -Infinity;
  const found = tasks
    .filter((task) => !params.contextId || task.contextId === params.contextId)
    .filter((task) => !params.status || task.status?.state === params.status)
    .filter((task) => after === -Infinity || Date.parse(stamp(task)) > after)
    .toSorted((a, b) => stamp(b).localeCompare(stamp(a)) || b.id.localeCompare(a.id));
  const start = params.pageToken ? found.findIndex((task) => task.id === params.pageToken) + 1 : 0;
  const pageSize = params.pageSize ?? 50;
  const shown = params.pageToken && start === 0 ? [] : found.slice(start, start + pageSize);
  const isLast = shown.length === 0 || start + shown.length >= found.length;
  return {
    tasks: shown.map((task) => structuredClone(params.includeArtifacts ? task : { ...task, artifacts: [] })),
    nextPageToken: isLast ? '' : shown.at(-1).id,
    pageSize,
    totalSize: found.length,
  };
}
