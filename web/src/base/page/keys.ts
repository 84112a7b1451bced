// One listener for all shortcuts: the newest page part that knows a key has it; characters rest in fields.
import { useLayoutEffect, useRef } from 'react';
import { isCharacter, keyWord } from './key-words.ts';
import { store, stored, useStored } from './stored.ts';

/** Key words of `keyWord`, or two characters with a space (`g i`). Returning false passes the key on. */
export type KeyMap = Record<string, (event: KeyboardEvent) => void | false>;

/** A key by the name of what it does, for who searches the name. */
export interface Offer {
  /** A word of the same `KeyMap`; `snooze`, which no key has, can be chosen by its name alone. */
  key: string;
  label: string;
}

interface Registered {
  map: () => KeyMap;
  offers: () => readonly Offer[];
}

const stack: Registered[] = [];
const prefixMs = 1_500;
let prefix: { key: string; at: number } | null = null;

export const areKeysOn = (): boolean => stored('keys') !== 'off';
export const switchKeys = (isOn: boolean): void => store('keys', isOn ? 'on' : 'off');
export const useKeysOn = (): boolean => useStored(areKeysOn);

/** Where letters are typed, or chosen by their first one; `data-keys="own"`: in all of this part, its choices included. */
export function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[data-keys="own"]') !== null) return true;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target.role === 'combobox') return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
}

/** A choice is made by letters, never by one with Shift. */
const isTyped = (target: EventTarget | null, word: string): boolean =>
  isField(target) && !(target instanceof HTMLElement && target.role === 'combobox' && word.startsWith('Shift+'));

/** Enter and Space belong to what has the focus when that does something by them itself. */
const actsByEnter = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a,button,summary,input,textarea') !== null;

function run(word: string, event: KeyboardEvent): boolean {
  for (const { map } of stack.toReversed()) {
    const act = map()[word];
    if (act === undefined) continue;
    if (act(event) === false) continue;
    event.preventDefault();
    return true;
  }
  return false;
}

/** What the page offers by name now, of each key what its newest part offers. */
export const offered = (): Offer[] =>
  [...new Map(stack.flatMap(({ offers }) => offers().map((one) => [one.key, one]))).values()].toReversed();

/** As if the key were pressed where nothing has the focus: it does the same, and no more. */
export const pressKey = (key: string): boolean => run(key, new KeyboardEvent('keydown'));

/** What lies over the page has the keys: a dialog, a list or a calendar that is open, a menu. */
const isCovered = (): boolean => document.querySelector('dialog[open], :popover-open, details.menu[open]') !== null;

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || isCovered()) return;
  const word = keyWord(event);
  if (word === null) return;
  const inField = isTyped(event.target, word);
  if (isCharacter(word)) {
    if (inField || !areKeysOn()) return;
    const before = prefix !== null && event.timeStamp - prefix.at < prefixMs ? prefix.key : null;
    prefix = null;
    if (before !== null && run(`${before} ${word}`, event)) return;
    if (run(word, event)) return;
    if (stack.some(({ map }) => Object.keys(map()).some((name) => name.startsWith(`${word} `)))) {
      prefix = { key: word, at: event.timeStamp };
    }
    return;
  }
  if (inField && word !== 'Escape' && !word.startsWith('mod+')) return;
  if ((word === 'Enter' || word === ' ') && actsByEnter(event.target)) return;
  run(word, event);
}

/** Shortcuts while the component is shown. The newest component that knows a key gets it first. They
 * are there with the component: after an ordinary effect a button stood there whose key did nothing for a moment. */
export function useKeys(map: KeyMap, offers: readonly Offer[] = []): void {
  const latest = useRef({ map, offers });
  useLayoutEffect(() => {
    latest.current = { map, offers };
  });
  useLayoutEffect(() => {
    const entry: Registered = { map: () => latest.current.map, offers: () => latest.current.offers };
    if (stack.length === 0) document.addEventListener('keydown', onKey);
    stack.push(entry);
    return () => {
      stack.splice(stack.indexOf(entry), 1);
      if (stack.length === 0) document.removeEventListener('keydown', onKey);
    };
  }, []);
}
