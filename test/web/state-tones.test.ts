// One colour for each state: what a list, a tag, a chart and its legend show of it.
import { describe, expect, test } from '@jest/globals';
import { endsOfDay } from '../../web/src/history/day-ends.ts';
import { endGlyphs } from '../../web/src/hold/words/ends.ts';
import { stateTones } from '../../web/src/hold/words/state-tones.ts';
import { statusTagOf } from '../../web/src/hold/words/task-status.ts';
import { filesBelow, read } from '../source-tree.ts';

const css = read('web/src/ui/tokens.css');

/** Both themes' colours. */
const pairs = [...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)];
const colourOf = (name: string, at: number): string => pairs.find(([, one]) => one === name)?.[at] ?? '';
const fills: Record<string, string> = {
  ...Object.fromEntries(Object.values(stateTones).map((tone) => [tone, tone])),
  muted: 'field',
};

describe('the colour of a state', () => {
  test('the colour of a state is the same in lists and in charts, and no two ends of a day have one', () => {
    const { approved, answered, rejected, declined, expired, withdrawn, superseded, cancelled, endedWith } = endGlyphs;
    expect([approved.tone, answered.tone, expired.tone]).toEqual([
      stateTones.approved,
      stateTones.answered,
      stateTones.expired,
    ]);
    expect([rejected.tone, declined.tone]).toEqual([stateTones.refused, stateTones.refused]);
    for (const { tone } of [withdrawn, superseded, cancelled, endedWith]) expect(tone).toBe(stateTones.other);
    expect(new Set(endsOfDay.map((end) => stateTones[end])).size).toBe(endsOfDay.length);
  });

  test('the colour of a task that waits is that of no end, and not that of a deadline', () => {
    const waiting = statusTagOf('NEEDS_REVIEW').tone;
    expect(waiting).toBe(stateTones.waiting);
    const ends: string[] = endsOfDay.map((end) => stateTones[end]);
    expect([...ends, 'warn', 'danger']).not.toContain(waiting);
  });

  test('the colour of a state is named in its table alone', () => {
    const files = filesBelow('web/src', (path) => path.endsWith('.css')).map(read);
    expect(files.join('\n')).not.toMatch(/\.end-(?:approved|answered|refused|expired|other)/u);
  });

  test.each([
    ['light', 2],
    ['dark', 3],
  ])('each colour of a chart has at least 3 to 1 on the page, and is no shade of another, in the theme %s', (_, at) => {
    const rgb = (name: string): number[] =>
      [1, 3, 5].map((from) => Number.parseInt(colourOf(name, at).slice(from, from + 2), 16));
    const lightOf = (name: string): number =>
      rgb(name)
        .map((part) => part / 255)
        .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, index) => sum + part * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);
    const shown = endsOfDay.map((end) => fills[stateTones[end]] ?? '');
    for (const name of shown) {
      const [one, page] = [lightOf(name), lightOf('bg')];
      expect((Math.max(one, page) + 0.05) / (Math.min(one, page) + 0.05)).toBeGreaterThanOrEqual(3);
    }
    const apart = shown.flatMap((one, index) =>
      shown.slice(index + 1).map((other) => Math.hypot(...rgb(one).map((part, i) => part - (rgb(other)[i] ?? 0)))),
    );
    expect(Math.min(...apart)).toBeGreaterThan(60);
  });
});
