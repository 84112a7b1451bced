/*
 * What of a question was on a screen, part by part, and whether it may be approved; pure. It is the only place that says so:
 * buttons, keys, the palette, a thumb and the review of several ask `isArmed`.
 */
import { begin, type BlockState, type Box, isRead, type Layout, look, relaid } from './block.ts';

/** What a part is, as the button names it. */
export type PartKind = 'title' | 'text' | 'arguments' | 'data' | 'table' | 'diff' | 'file' | 'form' | 'row';

export interface Part {
  kind: PartKind;
  /** More of it is there than is shown now: it is collapsed, still loading, or drawn piece by piece. */
  isCut: boolean;
  /** Why it cannot be shown whole, in words; null: it can. */
  why: string | null;
  /** What it is called next to the button while it was not opened: it holds nothing up. Null: it has to be read. */
  isNamed: string | null;
  /** Null: it is not laid out. */
  block: BlockState | null;
  /** All of it was on a screen once, or a reader without one has gone through it: collapsing it afterwards takes nothing back. */
  isDone: boolean;
}

export type Reading = ReadonlyMap<string, Part>;

export type ReadingEvent =
  | ({ type: 'put'; id: string } & Pick<Part, 'kind' | 'isCut' | 'why' | 'isNamed'>)
  | { type: 'gone'; id: string }
  /** Null: it is not laid out any more. */
  | { type: 'laid'; id: string; layout: Layout | null }
  | { type: 'seen'; id: string; box: Box }
  /** Gone through without a screen, by its end mark; `before`: the parts above it, without which it does not count. */
  | { type: 'marked'; id: string; before: readonly string[] }
  | { type: 'opened'; id: string };

export const nothingToRead: Reading = new Map();

/** Each part was on a screen to its end: the question may be approved. */
export const isArmed = (reading: Reading): boolean => [...reading.values()].every(isSettled);

/** Nothing of it has to be read any more. */
export const isSettled = ({ isDone, isNamed }: Part): boolean => isDone || isNamed !== null;

/** Whether all of this part was seen; nothing was of a part that is not known yet. */
export const isSettledIn = (reading: Reading, id: string): boolean => {
  const part = reading.get(id);
  return part !== undefined && isSettled(part);
};

/** Whether it is known of this part that something of it was not seen. */
export const isLeftIn = (reading: Reading, id: string): boolean => reading.has(id) && !isSettledIn(reading, id);

/** What was not opened, by name. */
export const unopenedIn = (reading: Reading): string[] =>
  [...reading.values()].flatMap(({ isDone, isNamed }) => (isDone || isNamed === null ? [] : [isNamed]));

/** All that is drawn of it was on a screen, and there is more of it. */
export const wantsMore = ({ isCut, isDone, block }: Part): boolean =>
  isCut && !isDone && block !== null && isRead(block);

export function read(reading: Reading, event: ReadingEvent): Reading {
  const before = reading.get(event.id);
  if (event.type === 'gone') {
    if (before === undefined) return reading;
    const rest = new Map(reading);
    rest.delete(event.id);
    return rest;
  }
  const after = partAfter(before, event, reading);
  if (after === before || after === undefined) return reading;
  return new Map(reading).set(event.id, after);
}

type Change = Exclude<ReadingEvent, { type: 'gone' }>;

function partAfter(before: Part | undefined, event: Change, all: Reading): Part | undefined {
  if (event.type === 'put') return put(before, event);
  if (before === undefined) return undefined;
  switch (event.type) {
    case 'laid':
      return laid(before, event.layout);
    case 'seen':
      return seen(before, event.box);
    case 'marked': {
      const isInOrder = event.before.every((id) => isSettled(all.get(id) ?? before));
      return isInOrder && isShown(before) ? { ...before, isDone: true } : before;
    }
    case 'opened':
      return before.isDone || before.isNamed === null ? before : { ...before, isDone: true };
    default:
      return event satisfies never;
  }
}

function put(before: Part | undefined, { kind, isCut, why, isNamed }: Change & { type: 'put' }): Part {
  const isKnown = before?.kind === kind && before.isCut === isCut && before.why === why && before.isNamed === isNamed;
  if (isKnown) return before;
  return { kind, isCut, why, isNamed, block: before?.block ?? null, isDone: why === null && before?.isDone === true };
}

/** Nothing of it is missing on the page. */
const isShown = ({ isCut, why, isNamed }: Part): boolean => !isCut && why === null && isNamed === null;

function laid(before: Part, layout: Layout | null): Part {
  // What was read stays read while it is collapsed.
  if (layout === null) return before.block === null || before.isDone ? before : { ...before, block: null };
  return { ...before, block: before.block === null ? begin(layout) : relaid(before.block, layout, !before.isCut) };
}

/** Only what was seen is read: a layout alone proves nothing. */
function seen(before: Part, box: Box): Part {
  if (before.block === null || before.isDone) return before;
  const block = look(before.block, box);
  const isDone = isShown(before) && isRead(block);
  return isDone || block !== before.block ? { ...before, block, isDone } : before;
}
