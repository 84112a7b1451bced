// A unified diff as files and lines; pure. What is not a diff at all is one file without a name.
export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'hunk' | 'about';
  text: string;
}

export interface DiffFile {
  /** As it is called afterwards; of one that is deleted, as it was. */
  name: string;
  lines: DiffLine[];
  added: number;
  removed: number;
}

/** How many lines of either side a hunk has still to come; null: it did not say. */
interface Left {
  before: number;
  after: number;
}

const hunkHead = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/u;

const nameIn = (line: string): string =>
  line
    .slice(4)
    .replace(/\t.*$/u, '')
    .replace(/^[ab]\//u, '')
    .trim();

const kindOf = (line: string): DiffLine['kind'] => {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'hunk' : line.startsWith('\\') ? 'about' : 'same';
};

/** Of a line that belongs to no hunk: about its file, or of a diff that counts no lines. */
function kindOutside(line: string, { lines }: DiffFile): DiffLine['kind'] {
  const isHeader = lines.length > 0 && lines.every(({ kind }) => kind === 'about');
  return isHeader && !/^[-+@]/u.test(line) ? 'about' : kindOf(line);
}

const leftOf = (counts: RegExpExecArray | null): Left =>
  counts === null ? { before: 0, after: 0 } : { before: Number(counts[1] ?? 1), after: Number(counts[2] ?? 1) };

export function readDiff(text: string): DiffFile[] {
  const files: DiffFile[] = [];
  let left: Left = { before: 0, after: 0 };
  const isInHunk = (): boolean => left.before > 0 || left.after > 0;
  const file = (): DiffFile => {
    const last = files.at(-1);
    if (last !== undefined) return last;
    const first: DiffFile = { name: '', lines: [], added: 0, removed: 0 };
    files.push(first);
    return first;
  };
  const begin = (): void => void files.push({ name: '', lines: [], added: 0, removed: 0 });
  const put = (kind: DiffLine['kind'], line: string): void => {
    const here = file();
    here.lines.push({ kind, text: line });
    if (kind === 'added') here.added += 1;
    if (kind === 'removed') here.removed += 1;
    if (kind === 'added' || kind === 'same') left.after -= 1;
    if (kind === 'removed' || kind === 'same') left.before -= 1;
  };
  const lines = text.replace(/\n$/u, '').split('\n');
  for (const [index, line] of lines.entries()) {
    // A hunk may promise more lines than it has: models do not count well, and no line of a hunk begins with a letter.
    if (isInHunk() && !line.startsWith('diff ')) {
      put(kindOf(line), line);
      continue;
    }
    const isHead = line.startsWith('--- ') && (lines[index + 1]?.startsWith('+++ ') ?? false);
    if (line.startsWith('diff ')) {
      left = { before: 0, after: 0 };
      begin();
      put('about', line);
    } else if (isHead) {
      // After `diff --git` it is the same file.
      const isKnown = files.at(-1)?.lines.every(({ kind }) => kind === 'about') ?? false;
      if (!isKnown) begin();
      file().name = nameIn(line);
      put('about', line);
    } else if (line.startsWith('+++ ') && lines[index - 1]?.startsWith('--- ') === true) {
      if (nameIn(line) !== '/dev/null') file().name = nameIn(line);
      put('about', line);
    } else {
      const counts = hunkHead.exec(line);
      put(counts === null ? kindOutside(line, file()) : 'hunk', line);
      left = leftOf(counts);
    }
  }
  return files.map((one) => (one.name === '' ? { ...one, name: gitName(one.lines[0]?.text ?? '') } : one));
}

/** Of a file without lines, such as one that was moved or is binary. */
const gitName = (line: string): string => /^diff --git a\/.* b\/(.*)$/u.exec(line)?.[1] ?? '';

/** The number of each line in its file: as it will be, and of what is removed as it was; null: it has none, or no hunk says it. */
export function lineNumbers(lines: readonly DiffLine[]): (number | null)[] {
  let [before, after] = [Number.NaN, Number.NaN];
  return lines.map(({ kind, text }) => {
    if (kind === 'about') return null;
    if (kind === 'hunk') {
      const [, old, fresh] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/u.exec(text) ?? [];
      [before, after] = [Number(old), Number(fresh)];
      return null;
    }
    const number = kind === 'removed' ? before : after;
    if (kind !== 'added') before += 1;
    if (kind !== 'removed') after += 1;
    return Number.isNaN(number) ? null : number;
  });
}

/** A fence that says so, or whose text can be nothing else. */
export const isDiff = (language: string, text: string): boolean =>
  /^(?:diff|patch|udiff)\b/u.test(language) || (/^(?:diff --git |--- \S)/u.test(text) && /^@@ -\d/mu.test(text));
