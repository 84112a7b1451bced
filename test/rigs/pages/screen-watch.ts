// What was on a browser's screen, noted frame by frame from outside of the page's own code: the judge of what it says was seen.
import type { Page } from 'playwright-core';

/** At most so many words are watched: measuring each takes its time, each frame. */
const mostWatched = 250;

const watching = `(() => {
  if (globalThis.wordsLeft !== undefined) return;
  const left = (globalThis.wordsLeft = new Set());
  // What was changed since the last frame is looked through alone: a long question has some hundred thousand nodes.
  let ranges = [];
  let changed = [document.documentElement];
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) changed.push(...(type === 'characterData' ? [target] : addedNodes));
  }).observe(document.documentElement, { subtree: true, childList: true, characterData: true });
  let decide = null;
  const decideBar = () => (decide?.isConnected === true ? decide : (decide = document.querySelector('.decide')));
  const boxOf = (element) => element.getBoundingClientRect();
  const isIn = (rect, area) =>
    rect.top >= area.top - 2 && rect.bottom <= area.bottom + 2 && rect.left >= area.left - 2 && rect.right <= area.right + 2;
  const isOn = (range) => {
    const rect = boxOf(range);
    const bar = decideBar();
    const at = range.startContainer.parentElement;
    if (rect.width === 0 || bar === null || at === null || bar.contains(at)) return false;
    const foot = Math.min(boxOf(bar).top, innerHeight);
    if (!isIn(rect, { top: 0, left: 0, right: innerWidth, bottom: foot })) return false;
    for (let here = at; here !== document.body && here !== null; here = here.parentElement)
      if (getComputedStyle(here).overflow !== 'visible' && !isIn(rect, boxOf(here))) return false;
    return true;
  };
  const isAsk = (node) => (node instanceof Element ? node : node.parentElement)?.closest('.hold') != null;
  const rangesIn = (root) => {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = root instanceof Text ? root : walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!isAsk(node)) continue;
      for (const match of node.data.matchAll(/[A-Za-z]+[0-9]+z?/g)) {
        if (!left.has(match[0])) continue;
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        found.push([match[0], range]);
      }
    }
    return found;
  };
  const note = () => {
    requestAnimationFrame(note);
    if (left.size === 0) return;
    const fresh = new Set(changed.filter((node) => node.isConnected));
    changed = [];
    ranges = ranges.filter(([word, { startContainer }]) => left.has(word) && startContainer.isConnected && !fresh.has(startContainer));
    for (const node of fresh) ranges.push(...rangesIn(node));
    for (const [word, range] of ranges) if (isOn(range)) left.delete(word);
  };
  globalThis.watchWords = (words) => { for (const word of words) left.add(word); changed.push(document.documentElement); };
  requestAnimationFrame(note);
})()`;

const aFrame = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))';

/** Of these, evenly spread, and the first and the last among them: which come on the screen from now on. */
export async function watchWords(page: Page, words: readonly string[]): Promise<void> {
  const step = Math.max(1, Math.ceil(words.length / mostWatched));
  const some = words.filter((_, at) => at % step === 0 || at === words.length - 1);
  await page.evaluate(watching);
  await page.evaluate(`globalThis.watchWords(${JSON.stringify(some)})`);
  await page.evaluate(aFrame);
}

/** Those that were on no screen yet. */
export const wordsNotSeen = (page: Page): Promise<string[]> => page.evaluate<string[]>('[...globalThis.wordsLeft]');

/** Presses \`a\` until the yes is armed, a frame after the other; what was not on the screen by then. */
export async function readToEnd(page: Page, mostPresses = 20_000): Promise<void> {
  const state = await page.evaluate<string>(`(async () => {
    let moves = 0;
    document.addEventListener('scroll', () => { moves += 1; }, true);
    const found = new Map();
    const the = (selector) => {
      if (found.get(selector)?.isConnected !== true) found.set(selector, document.querySelector(selector));
      return found.get(selector);
    };
    const placeNow = () => [moves, the('.hold').scrollHeight, the('[data-action="approve"]')?.textContent].join();
    let before = '';
    let stuck = 0;
    for (let n = 0; n < ${mostPresses}; n += 1) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, cancelable: true }));
      await ${aFrame};
      if (the('[data-action="approve"]')?.matches('[data-armed]') === true) return 'armed';
      const now = placeNow();
      stuck = now === before ? stuck + 1 : 0;
      before = now;
      if (stuck > 60) break;
    }
    return 'not armed: ' + document.querySelector('[data-action="approve"]')?.textContent + ' at ' + before;
  })()`);
  if (state !== 'armed') throw new Error(state);
}

/** All that is written there. */
export const textOf = (page: Page, selector: string): Promise<string> =>
  page.evaluate<string>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent).join('\\n')`,
  );
