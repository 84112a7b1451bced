import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const defaults = {
  /** Read when the process starts: '1.0' or '0.3'. */
  protocol: '1.0',
  /** Read when the process starts: what the card says of streaming. */
  streaming: true,
  /** Read when the process starts: whether it notifies those whose message brought an address. */
  push: false,
  /** No task shows its history, so that a message cannot be searched for. */
  hideHistory: false,
  /** tasks/list is answered with "unsupported". */
  noListTasks: false,
};

/** Settings outlive kill -9: they lie in the agent's directory. */
export function readSettings(dir) {
  const path = join(dir, 'settings.json');
  const stored = () => {
    try {
      return JSON.parse(readFileSync(path, 'utf8'));
    } catch {
      return {};
    }
  };
  const current = { ...defaults, ...stored() };
  return {
    current,
    change(patch) {
      for (const key of Object.keys(patch)) if (!(key in defaults)) throw new Error(`no such setting: ${key}`);
      Object.assign(current, patch);
      writeFileSync(path, JSON.stringify(current));
    },
  };
}
