// A store of records with versions and one sequence over all of them, so that any reader can say how far it has read.
import jsonPatch from 'fast-json-patch';

export class RecordError extends Error {
  /** @param {number} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const conflict = (key, expected, actual) =>
  new RecordError(-409, `version conflict: ${key} has version ${actual}, not ${expected}`);

export function createRecords() {
  const records = new Map();
  const listeners = new Set();
  let sequence = 0;

  const publish = (event) => {
    sequence += 1;
    const numbered = { ...event, sequence: String(sequence) };
    for (const listener of listeners) listener(numbered);
  };
  const check = (key, expectedVersion) => {
    const actual = records.get(key)?.version ?? 0;
    if (expectedVersion !== undefined && expectedVersion !== actual) throw conflict(key, expectedVersion, actual);
  };
  const put = (key, value, more = {}) => {
    const before = records.get(key.key);
    const now = new Date().toISOString();
    const record = {
      createdAt: now,
      ...before,
      ...more,
      key,
      value,
      version: (before?.version ?? 0) + 1,
      updatedAt: now,
    };
    records.set(key.key, record);
    return record;
  };

  return {
    get sequence() {
      return String(sequence);
    },
    get: (key) => records.get(key) ?? null,
    list: (prefix = '') =>
      [...records.values()]
        .filter((one) => one.key.key.startsWith(prefix))
        .toSorted((a, b) => (a.key.key < b.key.key ? -1 : 1)),
    set({ key, value, expectedVersion, tags }) {
      check(key.key, expectedVersion);
      const before = records.get(key.key);
      const record = put(key, value, tags === undefined ? {} : { tags });
      const { version, updatedAt } = record;
      // The whole value again, as a patch of the one before.
      if (before === undefined) publish({ kind: 'snapshot', record });
      else publish({ kind: 'delta', key, patch: [{ op: 'replace', path: '', value }], version, updatedAt });
      return record;
    },
    patch({ key, patch, expectedVersion }) {
      check(key.key, expectedVersion);
      const before = records.get(key.key);
      if (before === undefined) throw new RecordError(-404, `there is no record ${key.key}`);
      let value;
      try {
        value = jsonPatch.applyPatch(before.value, patch, true, false).newDocument;
      } catch (error) {
        throw new RecordError(-422, `the patch does not apply: ${String(error.message).split('\n')[0]}`);
      }
      const record = put(key, value);
      publish({ kind: 'delta', key, patch, version: record.version, updatedAt: record.updatedAt });
      return record;
    },
    delete({ key, expectedVersion }) {
      check(key.key, expectedVersion);
      const before = records.get(key.key);
      if (before === undefined) return { deleted: false };
      records.delete(key.key);
      publish({ kind: 'delete', key, version: before.version });
      return { deleted: true, previousVersion: before.version };
    },
    /** @param {(event: object) => void} listener */
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
