// Any question, of any shape and size and on any screen, is shown whole, and approved only once all of it was on the screen.
import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { textOf } from '../../rigs/pages/screen-watch.ts';
import { fc, isFull, runs } from '../../rigs/properties.ts';
import { onCannedPages } from '../canned-pages.ts';
import { aFile, approvedUnseen, call, openOn, sizes, withData, withFiles } from './seen-questions.ts';

const pages = onCannedPages();

/** Where two long texts part, with what comes there. */
function differenceIn(one: string, other: string): string[] | null {
  if (one === other) return null;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  return [String(at), one.slice(at, at + 40), other.slice(at, at + 40)];
}

/** Without the fence of a diff, whose end is text as it is where it is long. */
const lettersOf = (text: string): string => text.replaceAll(/[\s`]/gu, '');

/** Lines of words, each with one that occurs nowhere else. */
const linesFor = (name: string, bytes: number): string[] => {
  if (bytes < 12) return ['x'.repeat(bytes)];
  const lines: string[] = [];
  for (let n = 0, left = bytes; left > 0; n += 1) {
    const line = `${name}${n}z lorem ipsum dolor sit amet consetetur`.slice(0, Math.max(12, left));
    lines.push(line);
    left -= line.length + 1;
  }
  return lines;
};

type Shape = 'text' | 'argument' | 'arguments' | 'table' | 'rows' | 'diff' | 'csv' | 'form';

interface Sample {
  hold: HoldView;
  words: string[];
  /** Where it is shown, and all that is shown there. */
  shown: string;
  content: string;
  file?: string;
}

function sampleOf(shape: Shape, bytes: number): Sample {
  const lines = linesFor('w', bytes);
  const words = lines.map((line) => line.split(' ')[0] ?? '').filter((word) => /\dz$/u.test(word));
  const text = lines.join('\n');
  switch (shape) {
    case 'text':
      return {
        hold: aHold(1, { message: lines.join('\n\n') }),
        words,
        shown: '.says .md, .says > div > div.asis',
        content: text,
      };
    case 'argument':
      return { hold: call({ body: text }), words, shown: '.args tbody td', content: text };
    case 'arguments': {
      const args = Object.fromEntries(lines.map((line, n) => [`f${n}`, line]));
      return { hold: call(args), words, shown: '.args tbody td', content: text };
    }
    case 'table': {
      const rows = lines.map((line, n) => ({ name: line, key: `k${n}k`, sum: n }));
      const cells = rows.map(({ name, key, sum }) => `${name}${key}${sum}`).join('');
      return { hold: withData(rows), words, shown: '.attached-data tbody', content: cells };
    }
    case 'rows': {
      const data = Object.fromEntries(lines.map((line, n) => [`f${n}`, line]));
      return { hold: withData(data), words, shown: '.attached-data td', content: text };
    }
    case 'diff': {
      const body = lines.map((line) => `+${line}`);
      const diff = ['--- a/x', '+++ b/x', `@@ -0,0 +1,${lines.length} @@`, ...body].join('\n');
      return {
        hold: aHold(1, { message: `\`\`\`diff\n${diff}\n\`\`\`` }),
        words,
        shown: '.diff pre, .says > div > div.asis',
        content: diff,
      };
    }
    case 'csv': {
      const file = ['a,b', ...lines.map((line, n) => `${line},c${n}c`)].join('\n');
      const hold = withFiles(aFile('all.csv', 'text/csv', 60_000));
      // Each section repeats the names of the columns.
      const shown = '.rows:first-child .attached-data thead, .attached-data tbody';
      return { hold, words, shown, content: file.replaceAll(',', ''), file };
    }
    case 'form': {
      const properties = { approved: { type: 'boolean' }, note: { type: 'string', title: 'Note' } };
      const schema = { type: 'object', properties, required: ['approved'] };
      const decides = { field: 'approved', yes: true, no: false };
      const defaults = { note: text };
      return {
        hold: aHold(1, { kind: 'form', schema, decides, defaults }),
        words,
        shown: '.read .values dd',
        content: text,
      };
    }
    default:
      return shape satisfies never;
  }
}

describe('any question', () => {
  const shapes: Shape[] = ['text', 'argument', 'arguments', 'table', 'rows', 'diff', 'csv', 'form'];
  const most = isFull ? 2_097_152 : 65_536;
  /** To read two megabytes on a small phone takes some thousand screens. */
  const longMs = isFull ? 3_600_000 : 360_000;

  // Promise Y41
  // Promise Y42
  test(
    'any question of any size is shown whole, and approved only once all of it was on the screen',
    async () => {
      const question = fc.record({
        shape: fc.constantFrom(...shapes),
        bytes: fc.double({ min: 0, max: Math.log2(most), noNaN: true }).map((power) => Math.round(2 ** power)),
        size: fc.constantFrom(...(Object.keys(sizes) as (keyof typeof sizes)[])),
      });
      await fc.assert(
        fc.asyncProperty(question, async ({ shape, bytes, size }) => {
          const { hold, words, shown, content, file } = sampleOf(shape, bytes);
          const { page } = pages.ana;
          await page.unroute('**/files/*');
          await page.route('**/files/*', (route) => route.fulfill({ contentType: 'text/csv', body: file ?? '' }));
          await openOn(pages, hold, size);
          expect(await approvedUnseen(page, words)).toEqual([]);
          expect(differenceIn(lettersOf(await textOf(page, shown)), lettersOf(content))).toBeNull();
        }),
        {
          numRuns: runs(40),
          endOnFailure: true,
          examples: shapes.map((shape, at) => [{ shape, bytes: 9_000, size: at % 2 === 0 ? 'laptop' : 'small' }]),
        },
      );
    },
    longMs,
  );
});
