import { describe, expect, test } from '@jest/globals';
import { isDiff, lineNumbers, readDiff } from '../../../web/src/hold/diff/read-diff.ts';
import { fc } from '../../rigs/properties.ts';

const git = `diff --git a/deploy.yaml b/deploy.yaml
index 1..2 100644
--- a/deploy.yaml
+++ b/deploy.yaml
@@ -1,4 +1,3 @@
 spec:
-  replicas: 3
--- a comment goes
+  replicas: 5
   image: x
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/a.png b/b.png
similarity index 100%
`;

describe('a unified diff', () => {
  test('a unified diff is files with their names, and how many lines came and went', () => {
    expect(readDiff(git).map(({ name, added, removed }) => ({ name, added, removed }))).toEqual([
      { name: 'deploy.yaml', added: 1, removed: 2 },
      { name: 'old.txt', added: 0, removed: 1 },
      { name: 'b.png', added: 0, removed: 0 },
    ]);
  });

  test('a unified diff counts the lines of its hunks, so that a removed line that begins with dashes begins no file', () => {
    const [first] = readDiff(git);
    expect(first?.lines.filter(({ kind }) => kind === 'removed').map(({ text }) => text)).toEqual([
      '-  replicas: 3',
      '--- a comment goes',
    ]);
  });

  test('a unified diff has the number of each line in its file, as it was for what is removed, and none where no hunk says it', () => {
    const lines =
      readDiff(`--- a/x\n+++ b/x\n@@ -10,3 +12,3 @@ fn\n same\n-old\n+new\n+more\n@@ -40 +43 @@\n-z`)[0]?.lines ?? [];
    expect(lineNumbers(lines)).toEqual([null, null, null, 12, 11, 13, 14, null, 40]);
    expect(lineNumbers(readDiff('-a\n+b\n c')[0]?.lines ?? [])).toEqual([null, null, null]);
    expect(lineNumbers(readDiff('--- a.txt\n+++ b.txt\n@@ @@\n-a')[0]?.lines ?? []).at(-1)).toBeNull();
  });

  test('a unified diff goes on to the next file where a hunk promised more lines than it has', () => {
    const two = ['a', 'b'].map(
      (name) => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1,9 +1,9 @@\n-x\n+y`,
    );
    expect(readDiff(two.join('\n')).map(({ name, added, removed }) => [name, added, removed])).toEqual([
      ['a', 1, 1],
      ['b', 1, 1],
    ]);
  });

  test('a unified diff without names or counts is read by its first characters', () => {
    expect(readDiff('-a\n+b\n c')).toEqual([
      {
        name: '',
        added: 1,
        removed: 1,
        lines: [
          { kind: 'removed', text: '-a' },
          { kind: 'added', text: '+b' },
          { kind: 'same', text: ' c' },
        ],
      },
    ]);
    expect(readDiff('--- a.txt\n+++ b.txt\n@@ @@\n-a\n+b')).toMatchObject([{ name: 'b.txt', added: 1, removed: 1 }]);
  });

  test('a unified diff loses no line, whatever it is', () => {
    const line = fc.constantFrom(
      '+a',
      '-b',
      ' c',
      '@@ -1,2 +1,2 @@',
      '--- x',
      '+++ y',
      'diff --git a/x b/x',
      '',
      'text',
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        const all = readDiff(lines.join('\n')).flatMap((file) => file.lines.map(({ text }) => text));
        const last = lines.at(-1) === '' && lines.length > 1 ? lines.slice(0, -1) : lines;
        expect(all).toEqual(last);
      }),
    );
  });

  test('a unified diff is known by its fence, or by how it begins', () => {
    expect(isDiff('diff', 'x')).toBe(true);
    expect(isDiff('', git)).toBe(true);
    expect(isDiff('yaml', '--- a\nb: 1')).toBe(false);
  });
});
