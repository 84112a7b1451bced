// The tasks of the bench's agent: in memory, and where a file is given also there, so that questions asked in one run of
// the bench are known in the next.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { Task } from '@a2a-js/sdk';
import { InMemoryTaskStore } from '@a2a-js/sdk/server';

/** @param {string} [file] one task a line, the last of an id holds */
export function createTasks(file) {
  if (file === undefined) return new InMemoryTaskStore();
  const kept = new Map();
  if (existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      // The last line of a run that was killed may be half of one.
      const task = parsed(line);
      if (task !== undefined) kept.set(task.id, task);
    }
  }
  return new (class extends InMemoryTaskStore {
    async load(taskId, context) {
      const task = kept.get(taskId);
      return (await super.load(taskId, context)) ?? (task && Task.fromJSON(task));
    }
    async save(task, context) {
      await super.save(task, context);
      appendFileSync(file, `${JSON.stringify(Task.toJSON(task))}\n`);
    }
  })();
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
