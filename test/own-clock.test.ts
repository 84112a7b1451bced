// Who reads the clock of the machine: deadlines, and what is stored, are by Temporal's clock or the database's (Promise W30).
import { expect, test } from '@jest/globals';
import { filesBelow, read } from './source-tree.ts';

/** Why a file, or all of a folder, reads the clock of its machine. Limits of calls (`withDeadline`) are by it everywhere. */
const readers: Record<string, string> = {
  'src/workflows/': 'it is Temporal’s there',
  'src/host/temporal/': 'it is compared with Temporal’s',
  'src/store/database/inspect.ts': 'it is compared with the database’s',
  'src/store/evidence/moment.ts': 'no role has given another',
  'src/cli/operate/': 'it is shown to a person at this machine',
  'src/cli/answer/policy-try.ts': 'it counts days for a person at this machine',
  'src/config/config.ts': 'it counts days until a key of the file expires',
  'src/cli/run/reload.ts': 'it counts days of the calendars of the file',
  'src/cli/run/codec-key.ts': 'no program reads it',
  'src/host/process/lock-file.ts': 'it names a process of this machine',
  'src/host/net/guarded-fetch.ts': 'it bounds the pause that a server asks for by a date',
  'src/api/a2a/agent-card.ts': 'it is when this process began',
};

const readsOwn = (text: string): boolean =>
  /\bDate\.now\(\)|\bnew Date\(\)/.test(text.replaceAll(/withDeadline\(Date\.now\(\)/g, ''));
const found = filesBelow('src', (path) => path.endsWith('.ts')).filter((path) => readsOwn(read(path)));
const isOf = (path: string, reader: string): boolean => path === reader || path.startsWith(reader);

test('no file reads the clock of its machine but those that are named with a reason', () => {
  expect(found.filter((path) => !Object.keys(readers).some((reader) => isOf(path, reader)))).toEqual([]);
});

test('each file and folder that is named as a reader of the clock of its machine reads it', () => {
  expect(Object.keys(readers).filter((reader) => !found.some((path) => isOf(path, reader)))).toEqual([]);
});
