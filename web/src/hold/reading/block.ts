/*
 * How far one block of a question (a text, a table, a file) was read; pure. What counts is contiguous: from its first line on
 * and in each line from its beginning on, as far as it was on a screen. What was jumped over was not.
 */

/** A block as it is laid out now; from its own top and its own beginning of lines, in pixels. */
export interface Layout {
  /** Of what is shown of it: another key is other content, such as more of a text. */
  key: string;
  width: number;
  height: number;
  /** Lower edges of its rows, lines and paragraphs, in order: by them what was read is found again in another layout. */
  edges: readonly number[];
}

/** What of a block is on the screen, in its own pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What was on the screen both times: it was there for as long as it takes to be painted. */
export const common = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});

/** From the end of the one above it down to `bottom`, each line was seen up to `right`. */
interface Band {
  bottom: number;
  right: number;
}

export interface BlockState {
  layout: Layout;
  bands: readonly Band[];
}

/** Where reading goes on, in the block's pixels. */
export interface Point {
  x: number;
  y: number;
}

/** Browsers round: less than two pixels are nothing that could be read. */
const slack = 1.5;

export const begin = (layout: Layout): BlockState => ({ layout, bands: [] });

const seenTo = (bands: readonly Band[]): number => bands.at(-1)?.bottom ?? 0;

const isBefore = (one: number, other: number): boolean => one < other - slack;

/** All of it was on a screen. */
export const isRead = ({ layout, bands }: BlockState): boolean =>
  (bands.length > 0 || layout.height < 1) &&
  !isBefore(seenTo(bands), layout.height) &&
  bands.every(({ right }) => !isBefore(right, layout.width));

/** The first place that was on no screen yet. */
export function nextOf({ layout, bands }: BlockState): Point {
  let y = 0;
  for (const { bottom, right } of bands) {
    if (isBefore(right, layout.width)) return { x: right, y };
    y = bottom;
  }
  return { x: 0, y };
}

/** With what is on the screen now. */
export function look(state: BlockState, { left, top, right, bottom }: Box): BlockState {
  const { layout, bands } = state;
  const [from, to] = [Math.max(0, top), Math.min(layout.height, bottom)];
  const [begins, ends] = [Math.max(0, left), Math.min(layout.width, right)];
  if (to <= from || ends <= begins) return state;
  const next: Band[] = [];
  let above = 0;
  for (const band of bands) {
    const isJoined = begins <= band.right + slack && ends > band.right;
    if (!isJoined || band.bottom <= from || above >= to) next.push(band);
    else {
      if (above < from) next.push({ bottom: from, right: band.right });
      next.push({ bottom: Math.min(band.bottom, to), right: ends });
      if (band.bottom > to) next.push(band);
    }
    above = band.bottom;
  }
  if (from <= above + slack && begins <= slack && to > above) next.push({ bottom: to, right: ends });
  const after = joined(next);
  const isNew = after.length !== bands.length || after.some((band, at) => !isSameBand(band, bands[at]));
  return isNew ? { layout, bands: after } : state;
}

const isSameBand = (one: Band, other: Band | undefined): boolean =>
  one.bottom === other?.bottom && one.right === other.right;

/** Neighbours that were seen equally far are one. */
function joined(bands: readonly Band[]): Band[] {
  const out: Band[] = [];
  for (const band of bands) {
    if (out.at(-1)?.right === band.right) out.pop();
    out.push(band);
  }
  return out;
}

/**
 * After the layout has changed. The same content in other lines was read as far as the last row that was read to its end; of
 * other content, as far as nothing above has moved. Never farther. `isAll`: none of it is still to come.
 */
export function relaid(state: BlockState, layout: Layout, isAll = true): BlockState {
  const before = state.layout;
  const isAsWide = Math.abs(before.width - layout.width) <= slack;
  const isUnmoved =
    before.edges.length === layout.edges.length && unmoved(before.edges, layout.edges) === before.edges.length;
  if (isAsWide && isUnmoved) return { ...state, layout };
  const isSame = isAll && before.key === layout.key;
  if (isSame && isRead(state)) return { layout, bands: [{ bottom: layout.height, right: layout.width }] };
  const isSameRows = isSame && before.edges.length === layout.edges.length;
  const kept = isSameRows ? before.edges.length : isAsWide ? unmoved(before.edges, layout.edges) : 0;
  const bands: Band[] = [];
  for (const { bottom, right } of state.bands) {
    const rows = Math.min(kept, before.edges.findLastIndex((edge) => edge <= bottom + slack) + 1);
    const to = Math.min(layout.height, layout.edges[rows - 1] ?? 0);
    const isFull = !isBefore(right, before.width);
    // How far a line was seen says nothing once it is laid out otherwise.
    if (!isFull && !isAsWide) break;
    if (to > seenTo(bands)) bands.push({ bottom: to, right: isFull ? layout.width : Math.min(right, layout.width) });
  }
  return { layout, bands: joined(bands) };
}

/** How many rows from the first on are where they were. */
function unmoved(before: readonly number[], after: readonly number[]): number {
  const at = before.findIndex(
    (edge, index) => Math.abs(edge - (after[index] ?? Number.NaN)) > slack || after[index] === undefined,
  );
  return at < 0 ? before.length : at;
}
