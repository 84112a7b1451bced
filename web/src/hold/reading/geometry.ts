// Where a block lies and what of it is on the screen: all that the page measures for what was read.
import type { Box, Layout } from './block.ts';

/** Rows, lines and paragraphs. */
const rowsIn = 'tr, p, li, dt, dd, h1, h2, h3, h4, h5, h6, summary, .diff-line, .asis, .field';

interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A field scrolls what is in it, whatever its style says. */
const isScroller = (element: Element): boolean =>
  element instanceof HTMLInputElement || /auto|scroll|hidden|clip/u.test(getComputedStyle(element).overflow);

/** Whatever cuts off what is in it, from the inside out; the block itself where it scrolls. */
export function clipsOf(block: Element): Element[] {
  const clips: Element[] = [];
  for (let here: Element | null = block; here !== null && here !== document.body; here = here.parentElement)
    if (isScroller(here)) clips.push(here);
  return clips;
}

/** The whole of what is in the block, also beyond its scrolled part; in the window's pixels. */
function contentOf(block: Element): Area {
  const { left, top, width, height } = block.getBoundingClientRect();
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientLeft, clientTop, clientWidth } = block;
  const isScrolled = scrollWidth > clientWidth + 1 && isScroller(block);
  const wide = isScrolled ? scrollWidth : width;
  const high = scrollHeight > height + 1 && isScroller(block) ? scrollHeight : height;
  // Right to left, the beginning of a line is at the right, and what is scrolled to is counted downwards from there.
  const beginning = isScrolled && isMirrored(block) ? clientWidth - scrollWidth : 0;
  const x = isScrolled ? left + clientLeft + beginning - scrollLeft : left;
  const y = high === height ? top : top + clientTop - scrollTop;
  return { left: x, top: y, right: x + wide, bottom: y + high };
}

const isMirrored = (element: Element): boolean => getComputedStyle(element).direction === 'rtl';

/** Null: it is not laid out now, as in a section that is closed. */
export function layoutOf(block: Element, key: string): Layout | null {
  if (block.getClientRects().length === 0) return null;
  const { left, top, right, bottom } = contentOf(block);
  const height = bottom - top;
  const edges = block instanceof HTMLTextAreaElement ? linesOf(block, height) : [...block.querySelectorAll(rowsIn)];
  const sorted = edges
    .map((edge) => (typeof edge === 'number' ? edge : edge.getBoundingClientRect().bottom - top))
    .filter((edge) => edge > 0 && edge < height)
    .toSorted((one, other) => one - other);
  return {
    key,
    width: right - left,
    height,
    edges: [...sorted.filter((edge, at) => edge - (sorted[at - 1] ?? 0) > 0.5), height],
  };
}

function linesOf(field: HTMLTextAreaElement, height: number): number[] {
  const line = Number.parseFloat(getComputedStyle(field).lineHeight) || 20;
  return Array.from({ length: Math.floor(height / line) }, (_, at) => (at + 1) * line);
}

const within = (one: Area, other: Area): Area => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});

const isEmpty = ({ left, top, right, bottom }: Area): boolean => right - left <= 0 || bottom - top <= 0;

function innerOf(element: Element): Area {
  const { left, top } = element.getBoundingClientRect();
  const x = left + element.clientLeft;
  const y = top + element.clientTop;
  return { left: x, top: y, right: x + element.clientWidth, bottom: y + element.clientHeight };
}

/** What of the page the reader sees: less than the window where they have zoomed in with two fingers, or a keyboard is open. */
function screenArea(): Area {
  const view = visualViewport;
  if (view === null) return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const { offsetLeft: left, offsetTop: top, width, height } = view;
  return { left, top, right: left + width, bottom: top + height };
}

/** The block's part that is on the screen and under nothing else, in its own pixels; null: none of it. */
export function seenOf(block: Element, clips: readonly Element[]): Box | null {
  if (document.visibilityState !== 'visible' || matchMedia('print').matches) return null;
  const content = contentOf(block);
  let area = within(content, screenArea());
  for (const clip of clips) area = within(area, innerOf(clip));
  if (content.bottom - content.top < 1) return { left: 0, top: 0, right: 0, bottom: 0 };
  if (isEmpty(area)) return null;
  area = uncovered(area, block);
  if (isEmpty(area)) return null;
  const { top, bottom } = area;
  const isFromRight = isMirrored(block);
  return {
    left: isFromRight ? content.right - area.right : area.left - content.left,
    right: isFromRight ? content.right - area.left : area.right - content.left,
    top: top - content.top,
    bottom: bottom - content.top,
  };
}

const mostCovers = 4;

/** Bars that stick to an edge, and dialogs, lie over what is read. */
function uncovered(area: Area, block: Element): Area {
  const x = Math.min(Math.max((area.left + area.right) / 2, 1), innerWidth - 1);
  let { top, bottom } = area;
  for (let n = 0; n < mostCovers; n += 1) {
    const cover = coverAt(x, top + 1, block);
    if (cover === null) break;
    top = Math.max(top + 1, cover.bottom);
    if (n === mostCovers - 1 || top >= bottom) return { ...area, bottom: area.top };
  }
  for (let n = 0; n < mostCovers; n += 1) {
    const cover = coverAt(x, bottom - 1, block);
    if (cover === null) break;
    bottom = Math.min(bottom - 1, cover.top);
    if (n === mostCovers - 1 || top >= bottom) return { ...area, bottom: area.top };
  }
  return { ...area, top, bottom };
}

function coverAt(x: number, y: number, block: Element): DOMRect | null {
  const hit = document.elementFromPoint(x, y);
  if (hit === null || block.contains(hit) || hit.contains(block)) return null;
  for (let here: Element | null = hit; here !== null && !here.contains(block); here = here.parentElement)
    if (/sticky|fixed|absolute/u.test(getComputedStyle(here).position)) return here.getBoundingClientRect();
  return hit.getBoundingClientRect();
}

/** Scrolls so that this point of the block is on the screen, with some of what was seen before above it. */
export function scrollTo(block: Element, { x, y }: { x: number; y: number }, share = 0.2): void {
  for (const scroller of [...clipsOf(block), document.documentElement]) {
    const isPage = scroller === document.documentElement;
    const room = isPage ? screenArea() : innerOf(scroller);
    const content = contentOf(block);
    if (scroller.scrollHeight > scroller.clientHeight + 1) {
      // The window is no more than what of a scroller is on the screen.
      const high = Math.min(room.bottom - room.top, innerHeight);
      scroller.scrollTop +=
        content.top + y - (room.top + high * (y === 0 && share < 0.3 ? Math.min(share, 0.15) : share));
    }
    if (scroller.scrollWidth > scroller.clientWidth + 1) {
      // A column that the edge of the screen had cut is seen whole.
      const overlap = x === 0 ? 0 : Math.min(320, (room.right - room.left) / 2);
      const isFromRight = isMirrored(scroller);
      const wanted = isFromRight ? content.right - x + overlap - room.right : content.left + x - overlap - room.left;
      scroller.scrollLeft += wanted;
    }
  }
}
