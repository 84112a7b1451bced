import { describe, expect, test } from '@jest/globals';
import {
  begin,
  type BlockState,
  type Box,
  isRead,
  type Layout,
  look,
  nextOf,
  relaid,
} from '../../../web/src/hold/reading/block.ts';
import { firstPiece } from '../../../web/src/hold/reading/pieces.ts';
import { sectionRows, sectionsOf } from '../../../web/src/hold/reading/sections.ts';
import {
  isArmed,
  isLeftIn,
  isSettledIn,
  nothingToRead,
  read,
  type ReadingEvent,
  unopenedIn,
} from '../../../web/src/hold/reading/reading.ts';
import { fc } from '../../rigs/properties.ts';

const layout = (width: number, heights: readonly number[], key = ''): Layout => {
  let bottom = 0;
  const edges = heights.map((height) => (bottom += height));
  return { key, width, height: bottom, edges };
};

const boxes = (width: number, height: number): fc.Arbitrary<Box> =>
  fc
    .tuple(fc.nat(width), fc.nat(height), fc.integer({ min: 1, max: width }), fc.integer({ min: 1, max: height }))
    .map(([left, top, wide, high]) => ({ left, top, right: left + wide, bottom: top + high }));

const lookAt = (state: BlockState, all: readonly Box[]): BlockState => all.reduce(look, state);

/** All of the width and height, as far as the slack of rounding lets it be missed. */
const isCovered = (width: number, height: number, all: readonly Box[]): boolean => {
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (!all.some(({ left, top, right, bottom }) => x >= left - 2 && x < right + 2 && y >= top - 2 && y < bottom + 2))
        return false;
  return true;
};

describe('a block of a question', () => {
  // Promise Y41
  test('a block is read only once each place of it was on the screen, down and to the side', () => {
    const cases = fc
      .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 40 }))
      .chain(([width, height]) =>
        fc.tuple(fc.constant({ width, height }), fc.array(boxes(width, height), { maxLength: 40 })),
      );
    fc.assert(
      fc.property(cases, ([{ width, height }, all]) => {
        const state = lookAt(begin(layout(width, [height])), all);
        expect(isRead(state) && !isCovered(width, height, all)).toBe(false);
      }),
    );
  });

  // Promise Y41
  test('a block of which only the first pixel, or only the left half, was on the screen is not read', () => {
    const state = begin(layout(200, [2_000]));
    expect(isRead(look(state, { left: 0, top: 0, right: 200, bottom: 1 }))).toBe(false);
    const half = lookAt(
      state,
      [0, 500, 1_000, 1_500].map((top) => ({ left: 0, top, right: 100, bottom: top + 500 })),
    );
    expect(isRead(half)).toBe(false);
    expect(nextOf(half)).toEqual({ x: 100, y: 0 });
  });

  // Promise Y42
  test('a block that was jumped over is read as far as the jump, and goes on from there', () => {
    const state = lookAt(begin(layout(200, [2_000])), [
      { left: 0, top: 0, right: 200, bottom: 400 },
      { left: 0, top: 1_600, right: 200, bottom: 2_000 },
    ]);
    expect(isRead(state)).toBe(false);
    expect(nextOf(state)).toEqual({ x: 0, y: 400 });
    const back = lookAt(
      state,
      [400, 800, 1_200, 1_600].map((top) => ({ left: 0, top, right: 200, bottom: top + 400 })),
    );
    expect(isRead(back)).toBe(true);
  });

  // Promise Y42
  test('a block is read to its end by going on to what is next, a screen at a time, on a screen of any size', () => {
    const sizes = fc.record({
      width: fc.integer({ min: 1, max: 3_000 }),
      height: fc.integer({ min: 1, max: 20_000 }),
      wide: fc.integer({ min: 40, max: 1_440 }),
      high: fc.integer({ min: 40, max: 900 }),
    });
    fc.assert(
      fc.property(sizes, ({ width, height, wide, high }) => {
        let state = begin(layout(width, [height]));
        const most = (Math.ceil(width / (wide / 2)) + 1) * (Math.ceil(height / (high / 2)) + 1);
        for (let step = 0; step < most && !isRead(state); step += 1) {
          const { x, y } = nextOf(state);
          // Some of what was seen stays visible, and a screen is not scrolled beyond the end.
          const left = Math.max(0, Math.min(x - wide / 4, width - wide));
          const top = Math.max(0, Math.min(y - high / 4, height - high));
          state = look(state, { left, top, right: left + wide, bottom: top + high });
        }
        expect(isRead(state)).toBe(true);
      }),
    );
  });

  // Promise Y43
  test('a block that is laid out again is read only once each row of it was on the screen, whole, in one layout', () => {
    const heights = fc.array(fc.integer({ min: 3, max: 30 }), { minLength: 5, maxLength: 5 });
    const steps = fc.array(fc.oneof(boxes(20, 120), fc.tuple(fc.constantFrom(20, 12), heights)), { maxLength: 30 });
    fc.assert(
      fc.property(heights, steps, (first, all) => {
        let rows = first;
        let width = 20;
        let state = begin(layout(width, rows));
        const seen: Set<number>[] = rows.map(() => new Set());
        const done = rows.map(() => false);
        for (const step of all) {
          if (Array.isArray(step)) {
            [width, rows] = step;
            state = relaid(state, layout(width, rows));
            for (const pixels of seen) pixels.clear();
            continue;
          }
          state = look(state, step);
          let top = 0;
          for (const [at, height] of rows.entries()) {
            for (let y = top; y < top + height; y += 1) if (y >= step.top - 2 && y < step.bottom + 2) seen[at]?.add(y);
            if (seen[at]?.size === height) done[at] = true;
            top += height;
          }
          if (isRead(state)) break;
        }
        if (isRead(state)) expect(done).toEqual(rows.map(() => true));
      }),
    );
  });

  // Promise Y43
  test('a block that grows keeps what was read above, and one whose beginning has moved is read again', () => {
    const head = lookAt(begin(layout(200, [100, 100], 'head')), [{ left: 0, top: 0, right: 200, bottom: 200 }]);
    const grown = relaid(head, layout(200, [100, 100, 300], 'whole'));
    expect(isRead(grown)).toBe(false);
    expect(nextOf(grown)).toEqual({ x: 0, y: 200 });
    // The row that was cut is longer now.
    expect(nextOf(relaid(head, layout(200, [100, 180, 300], 'whole')))).toEqual({ x: 0, y: 100 });
    expect(nextOf(relaid(head, layout(200, [120, 100, 300], 'whole')))).toEqual({ x: 0, y: 0 });
    // The same words in other lines, of which half were read.
    const half = lookAt(begin(layout(200, [100, 100])), [{ left: 0, top: 0, right: 200, bottom: 150 }]);
    expect(nextOf(relaid(half, layout(100, [210, 190])))).toEqual({ x: 0, y: 210 });
  });
});

const put = (id: string, change: Partial<ReadingEvent & { type: 'put' }> = {}): ReadingEvent => ({
  type: 'put',
  id,
  kind: 'text',
  isCut: false,
  why: null,
  isNamed: null,
  ...change,
});
const laid = (id: string): ReadingEvent => ({ type: 'laid', id, layout: layout(100, [50, 50]) });
const seen = (id: string, bottom = 100): ReadingEvent => ({
  type: 'seen',
  id,
  box: { left: 0, top: 0, right: 100, bottom },
});
const after = (...events: ReadingEvent[]) => events.reduce(read, nothingToRead);

describe('a question', () => {
  // Promise Y41
  test('a question is armed only once each part was seen whole, or marked as read with all above it', () => {
    const ids = ['a', 'b', 'c'];
    const id = fc.constantFrom(...ids);
    const event = fc.oneof(
      id.map((one) => put(one)),
      fc.tuple(id, fc.boolean()).map(([one, isCut]) => put(one, { isCut })),
      id.map(laid),
      fc.tuple(id, fc.nat(120)).map(([one, bottom]) => seen(one, bottom)),
      id.map((one): ReadingEvent => ({ type: 'laid', id: one, layout: null })),
      id.map((one): ReadingEvent => ({ type: 'marked', id: one, before: ids.slice(0, ids.indexOf(one)) })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const reading = after(...ids.map((one) => put(one)), ...events);
        if (!isArmed(reading)) return;
        for (const one of ids) {
          const isSeen = events.some((each) => each.type === 'seen' && each.id === one && each.box.bottom >= 98);
          const isMarked = events.some((each) => each.type === 'marked' && each.id === one);
          expect(isSeen || isMarked).toBe(true);
        }
      }),
    );
  });

  // Promise Y41
  test('a question is not armed while a part is collapsed, still loading, or laid out and not seen', () => {
    expect(isArmed(nothingToRead)).toBe(true);
    expect(isArmed(after(put('a')))).toBe(false);
    expect(isArmed(after(put('a'), laid('a')))).toBe(false);
    expect(isArmed(after(put('a', { isCut: true }), laid('a'), seen('a')))).toBe(false);
    expect(isArmed(after(put('a'), laid('a'), seen('a', 50)))).toBe(false);
    const whole = after(put('a'), laid('a'), seen('a'));
    expect(isArmed(whole)).toBe(true);
    // Collapsed again, it was seen all the same; another part was not.
    expect(
      isArmed([put('a', { isCut: true }), { type: 'laid', id: 'a', layout: null } as const].reduce(read, whole)),
    ).toBe(true);
    expect(isArmed(read(whole, put('b')))).toBe(false);
  });

  // Promise Y44
  test('a question with a part that cannot be shown whole is never armed, and a file only named', () => {
    expect(isArmed(after(put('a', { why: 'too large' }), laid('a'), seen('a')))).toBe(false);
    const withFile = after(put('a'), laid('a'), seen('a'), put('file', { kind: 'file', isNamed: 'offer.pdf' }));
    expect(isArmed(withFile)).toBe(true);
    expect(unopenedIn(withFile)).toEqual(['offer.pdf']);
    expect(unopenedIn(read(withFile, { type: 'opened', id: 'file' }))).toEqual([]);
  });

  // Promise Y45
  test('a question is read without a screen part by part, in order', () => {
    const both = after(put('a'), laid('a'), put('b'), laid('b'));
    const early = read(both, { type: 'marked', id: 'b', before: ['a'] });
    expect(isArmed(early)).toBe(false);
    const first = read(early, { type: 'marked', id: 'a', before: [] });
    expect(isArmed(first)).toBe(false);
    expect(isArmed(read(first, { type: 'marked', id: 'b', before: ['a'] }))).toBe(true);
    expect(isArmed(after(put('a', { isCut: true }), { type: 'marked', id: 'a', before: [] }))).toBe(false);
  });
});

describe('a long text', () => {
  // Promise Y41
  test('a long text in pieces is the text, and no character is parted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 2, max: 40 }), (text, chars) => {
        const pieces: string[] = [];
        for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 0) pieces.push(firstPiece(text, at, chars));
        expect(pieces.join('')).toBe(text);
        expect(pieces.every((piece) => piece.length > 0 && encodeURIComponent(piece) !== '')).toBe(true);
      }),
    );
  });
});

describe('the sections of a long table', () => {
  // Promise Y41
  test('the sections of a long table are together all of its rows, in their order, and none is longer than can be drawn at once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { maxLength: 700 }), (rows) => {
        const sections = sectionsOf(rows, (chars) => chars);
        expect(sections.flatMap((one) => one.rows)).toEqual(rows);
        let from = 0;
        for (const section of sections) {
          expect(section.from).toBe(from);
          from += section.rows.length;
          expect(section.rows.length).toBeGreaterThan(0);
          expect(section.rows.length).toBeLessThanOrEqual(sectionRows);
          const chars = section.rows.reduce((sum, one) => sum + one, 0);
          expect(section.rows.length === 1 || chars <= 65_536).toBe(true);
        }
      }),
    );
  });
});

// A row that was drawn with its question there counted as seen before it was laid out.
test('of a part that is not known yet nothing was seen, and nothing is left', () => {
  expect([isSettledIn(nothingToRead, 'row'), isLeftIn(nothingToRead, 'row')]).toEqual([false, false]);
});
