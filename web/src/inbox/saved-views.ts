// Lists that the reader has named: an address each, kept in this browser.
import { useSyncExternalStore } from 'react';
import { createListeners } from '../app/listeners.ts';

export interface SavedView {
  name: string;
  /** Of the list, with its filters. */
  path: string;
}

const storageKey = 'holdpoint.views';
const most = 30;
const changed = createListeners<[]>();
let views: readonly SavedView[] | null = null;

const isView = (one: unknown): one is SavedView =>
  typeof one === 'object' &&
  one !== null &&
  'name' in one &&
  typeof one.name === 'string' &&
  'path' in one &&
  typeof one.path === 'string' &&
  one.path.startsWith('/?');

/** What was stored, as far as it is ours. */
export function readViews(text: string | null): SavedView[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(found) ? found.filter(isView).slice(0, most) : [];
  } catch {
    return [];
  }
}

function now(): readonly SavedView[] {
  if (views !== null) return views;
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(storageKey);
  } catch {
    // Without storage a view lasts as long as the page.
  }
  views = readViews(stored);
  return views;
}

function become(next: readonly SavedView[]): void {
  views = next;
  try {
    localStorage.setItem(storageKey, JSON.stringify(next));
  } catch {
    // It lasts as long as the page.
  }
  changed.tell();
}

/** The newest first; one of the same name or the same list is replaced. */
export function saveView(view: SavedView): void {
  become([view, ...now().filter(({ name, path }) => name !== view.name && path !== view.path)].slice(0, most));
}

export const dropView = (path: string): void => become(now().filter((one) => one.path !== path));

export const useSavedViews = (): readonly SavedView[] => useSyncExternalStore(changed.add, now);
