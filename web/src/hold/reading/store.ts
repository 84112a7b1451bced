// What of one question was on a screen, as the page measures it: once a frame while it scrolls, and near blocks alone.
import { type Box, common, nextOf } from './block.ts';
import { clipsOf, layoutOf, scrollTo, seenOf } from './geometry.ts';
import {
  isArmed,
  isLeftIn,
  isSettled,
  isSettledIn,
  nothingToRead,
  type Part,
  read,
  type Reading,
  type ReadingEvent,
  unopenedIn,
  wantsMore,
} from './reading.ts';

export interface PartOptions extends Pick<Part, 'kind' | 'isCut' | 'why' | 'isNamed'> {
  /** Of what is shown of it now: another key is other content. */
  shows: string;
  /** Shows more of it; true: it has brought that to the screen as well. */
  unfold?: (() => boolean) | undefined;
  /** It grows as its reader comes to the end of what is drawn. */
  isEndless: boolean;
}

interface Entry {
  element: Element;
  clips: readonly Element[];
  options: PartOptions;
  /** What of it was on the screen in the frame before; null: nothing. */
  last: Box | null;
}

/** What the button goes on to. */
export interface Next extends Pick<Part, 'kind' | 'why'> {
  id: string;
  /** It goes on to the side. */
  isAside: boolean;
  /** Of all of this kind, how many were read. */
  done: number;
  of: number;
  /** It may be on the screen: that is known in a moment. */
  isSettling: boolean;
}

/** A new part is measured for at most so many frames. */
const freshFrames = 10;

export class ReadingStore {
  /** Of which question; each has its own. */
  readonly of: string;
  #reading: Reading = nothingToRead;
  /** Both as they were last asked for; null: something has changed since. */
  #order: string[] | null = null;
  #isStale = true;
  #next: Next | null = null;
  #unopened = '';
  readonly #entries = new Map<string, Entry>();
  readonly #ids = new Map<Element, string>();
  readonly #near = new Set<string>();
  /** New parts, with the frames that are left until it is known what of them is on the screen. */
  readonly #fresh = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  /** Presses that came before that was known, in their order. */
  readonly #pressed: (() => void)[] = [];
  #isPlanned = false;
  #isToldSoon = false;
  #sizes: ResizeObserver | null = null;
  #sight: IntersectionObserver | null = null;

  constructor(of: string) {
    this.of = of;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  isArmed = (): boolean => isArmed(this.#reading);

  /** It is not known yet what of it is on the screen: all of it may be. */
  isSettling = (): boolean => this.#fresh.size > 0;

  isSettled = (id: string): boolean => isSettledIn(this.#reading, id);

  isLeft = (id: string): boolean => !this.isSettling() && isLeftIn(this.#reading, id);

  /** What was not opened, a line each. */
  unopened = (): string => {
    this.#refresh();
    return this.#unopened;
  };

  /** The first part that was not read; null: all was. */
  next = (): Next | null => {
    this.#refresh();
    return this.#next;
  };

  /** Begins to watch; what it returns ends it. */
  watch(): () => void {
    this.#sizes = new ResizeObserver((entries) => {
      for (const { target } of entries) this.#lay(this.#ids.get(target));
      this.#plan();
    });
    this.#sight = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const id = this.#ids.get(target);
        if (id !== undefined && isIntersecting) this.#near.add(id);
        else if (id !== undefined) this.#near.delete(id);
      }
      this.#plan();
    });
    for (const { element } of this.#entries.values()) this.#observe(element);
    const ends: (() => void)[] = [];
    const on = (target: EventTarget | null, type: string, act: () => void): void => {
      const options = { capture: true, passive: true };
      target?.addEventListener(type, act, options);
      ends.push(() => target?.removeEventListener(type, act, options));
    };
    on(document, 'scroll', this.#plan);
    on(visualViewport, 'scroll', this.#plan);
    on(visualViewport, 'resize', this.#plan);
    on(document, 'visibilitychange', this.#again);
    // A section that opens or closes lays its own parts out, or not any more.
    on(document, 'toggle', this.#again);
    on(window, 'resize', this.#again);
    return () => {
      for (const end of ends) end();
      this.#sizes?.disconnect();
      this.#sight?.disconnect();
      [this.#sizes, this.#sight] = [null, null];
    };
  }

  put(id: string, element: Element, options: PartOptions): void {
    const before = this.#entries.get(id);
    const isKnown = before?.element === element;
    if (!isKnown) {
      if (before !== undefined) this.#forget(before.element);
      this.#ids.set(element, id);
      this.#order = null;
      this.#observe(element);
    }
    if (!isKnown) this.#fresh.set(id, freshFrames);
    const [clips, last] = isKnown ? [before.clips, before.last] : [clipsOf(element), null];
    this.#entries.set(id, { element, clips, options, last });
    const { kind, isCut, why, isNamed } = options;
    this.#tell({ type: 'put', id, kind, isCut, why, isNamed });
    if (isKnown && before.options.shows === options.shows && before.options.isCut === isCut) return;
    this.#lay(id);
    this.#plan();
  }

  drop(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#forget(entry.element);
    this.#entries.delete(id);
    this.#near.delete(id);
    this.#fresh.delete(id);
    this.#order = null;
    this.#tell({ type: 'gone', id });
  }

  /** A reader without a screen has gone through what is shown of it. */
  markRead(id: string): 'read' | 'more' | 'above' {
    const order = this.#inOrder();
    if (this.#reading.get(id)?.isCut === true) {
      this.#entries.get(id)?.options.unfold?.();
      return 'more';
    }
    this.#tell({ type: 'marked', id, before: order.slice(0, Math.max(0, order.indexOf(id))) });
    return this.isSettled(id) ? 'read' : 'above';
  }

  opened(id: string): void {
    this.#tell({ type: 'opened', id });
  }

  /** A press waits for what is known in a moment: what is pressed after it waits as well. */
  isWaiting = (): boolean => this.#pressed.length > 0;

  after(press: () => void): void {
    this.#pressed.push(press);
  }

  /** Goes on to what was not read, by one screen; or, once it is known whether anything is left, `again` is asked what to do. */
  show = (again?: () => void): void => {
    if (this.isSettling() && again !== undefined) return this.after(again);
    const id = this.#first();
    const entry = id === null ? undefined : this.#entries.get(id);
    if (id === null || entry === undefined) return;
    const part = this.#reading.get(id);
    const { unfold, isEndless } = entry.options;
    if (unfold !== undefined && part?.isCut === true && (!isEndless || wantsMore(part))) {
      if (!unfold()) requestAnimationFrame(() => this.#goOn(id));
      return;
    }
    this.#goOn(id);
  };

  #goOn(id: string): void {
    const entry = this.#entries.get(id);
    const blockNow = (): Part['block'] => this.#reading.get(id)?.block ?? null;
    if (entry === undefined || this.isSettled(id)) return;
    if (blockNow() === null) openSections(entry.element);
    this.#lay(id);
    const block = blockNow();
    if (block === null) return entry.element.scrollIntoView({ block: 'center' });
    const { x, y } = nextOf(block);
    for (const share of [0.2, 0.45]) {
      scrollTo(entry.element, { x, y }, share);
      const box = seenOf(entry.element, entry.clips);
      // Else a bar lies over it there.
      if (box !== null && box.top <= y && box.bottom > y + 1) break;
    }
    return this.#plan();
  }

  #inOrder(): string[] {
    this.#order ??= [...this.#entries]
      .toSorted(([, one], [, other]) => (isAfter(one.element, other.element) ? 1 : -1))
      .map(([id]) => id);
    return this.#order;
  }

  #first(): string | null {
    return this.#inOrder().find((id) => !this.isSettled(id)) ?? null;
  }

  #refresh(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    this.#unopened = unopenedIn(this.#reading).join('\n');
    const next = this.#findNext();
    if (!isSameNext(this.#next, next)) this.#next = next;
  }

  #findNext(): Next | null {
    const id = this.#first();
    const part = id === null ? undefined : this.#reading.get(id);
    if (id === null || part === undefined) return null;
    const { kind, why, block } = part;
    const alike = [...this.#reading.values()].filter((one) => one.kind === kind);
    const isAside = block !== null && nextOf(block).x > 0;
    const isSettling = this.isSettling();
    return { id, kind, isAside, why, done: alike.filter(isSettled).length, of: alike.length, isSettling };
  }

  #observe(element: Element): void {
    this.#sizes?.observe(element);
    this.#sight?.observe(element);
  }

  #forget(element: Element): void {
    this.#ids.delete(element);
    this.#sizes?.unobserve(element);
    this.#sight?.unobserve(element);
  }

  #plan = (): void => {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    requestAnimationFrame(() => {
      this.#isPlanned = false;
      this.#look();
    });
  };

  #again = (): void => {
    for (const [id, entry] of this.#entries) {
      entry.clips = clipsOf(entry.element);
      this.#lay(id);
      if (!this.isSettled(id)) this.#fresh.set(id, freshFrames);
    }
    this.#plan();
  };

  #lay(id: string | undefined): void {
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (id === undefined || entry === undefined || this.isSettled(id)) return;
    const before = this.#reading;
    this.#tell({ type: 'laid', id, layout: layoutOf(entry.element, entry.options.shows) });
    if (this.#reading !== before) entry.last = null;
  }

  /** Once a frame; what counts was there in the frame before as well, and so was painted. */
  #look(): void {
    let isNew = this.#fresh.size > 0;
    for (const id of new Set([...this.#near, ...this.#fresh.keys()])) {
      const isStill = this.#lookAt(id);
      if (!isStill) isNew = true;
      // What moves is measured until it moves no more, but not for ever.
      const frames = this.#fresh.get(id);
      if (frames === undefined) continue;
      if (frames <= 1 || (isStill && frames < freshFrames)) this.#fresh.delete(id);
      else this.#fresh.set(id, frames - 1);
    }
    if (!isNew) return;
    this.#notify();
    this.#plan();
    if (!this.isSettling()) this.#pressNext();
  }

  /** Each once what is drawn says so, too. */
  #pressNext(): void {
    if (this.#pressed.length === 0) return;
    requestAnimationFrame(() => {
      this.#pressed.shift()?.();
      this.#pressNext();
    });
  }

  /** Whether it is where it was in the frame before. */
  #lookAt(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined || this.isSettled(id) || this.#reading.get(id)?.block == null) return true;
    const box = seenOf(entry.element, entry.clips);
    const before = entry.last;
    entry.last = box;
    if (box === null || before === null) return box === null;
    this.#tell({ type: 'seen', id, box: common(before, box) });
    const part = this.#reading.get(id);
    if (entry.options.isEndless && part !== undefined && wantsMore(part)) entry.options.unfold?.();
    return isSameBox(before, box);
  }

  /** Listeners are notified once, before anything is painted. */
  #tell(event: ReadingEvent): void {
    const after = read(this.#reading, event);
    if (after === this.#reading) return;
    this.#reading = after;
    this.#notify();
  }

  #notify(): void {
    this.#isStale = true;
    if (this.#isToldSoon) return;
    this.#isToldSoon = true;
    queueMicrotask(() => {
      this.#isToldSoon = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

const isSameBox = (one: Box, other: Box): boolean =>
  one.left === other.left && one.top === other.top && one.right === other.right && one.bottom === other.bottom;

function isSameNext(one: Next | null, other: Next | null): boolean {
  if (one === null || other === null) return one === other;
  const isSameCount = one.done === other.done && one.of === other.of && one.isSettling === other.isSettling;
  return (
    one.id === other.id &&
    one.kind === other.kind &&
    one.isAside === other.isAside &&
    one.why === other.why &&
    isSameCount
  );
}

const isAfter = (one: Element, other: Element): boolean =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;

/** From the outside in. */
function openSections(element: Element): void {
  const closed: HTMLDetailsElement[] = [];
  for (let here: Element | null = element; here !== null; here = here.parentElement)
    if (here instanceof HTMLDetailsElement && !here.open) closed.unshift(here);
  for (const details of closed) details.querySelector('summary')?.click();
}
