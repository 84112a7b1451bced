// Lists that the reader has named: an address each, kept in this browser.
import { store, stored, useStored } from '../base/page/stored.ts';

export interface SavedView {
  name: string;
  /** Of the list, with its filters. */
  path: string;
}

const most = 30;
let latest: { text: string | null; views: readonly SavedView[] } = { text: null, views: [] };

const isView = (one: unknown): one is SavedView =>
  typeof one === 'object' &&
  one !== null &&
  'name' in one &&
  typeof one.name === 'string' &&
  'path' in one &&
  typeof one.path === 'string' &&
  /^\/(?:history)?\?/u.test(one.path);

/** What was stored, as far as Standfast wrote it. */
function readViews(text: string | null): SavedView[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(found) ? found.filter(isView).slice(0, most) : [];
  } catch {
    return [];
  }
}

function now(): readonly SavedView[] {
  const text = stored('views');
  if (text !== latest.text) latest = { text, views: readViews(text) };
  return latest.views;
}

const become = (next: readonly SavedView[]): void => store('views', JSON.stringify(next));

/** The newest first; one of the same name or the same list is replaced. */
export function saveView(view: SavedView): void {
  become([view, ...now().filter(({ name, path }) => name !== view.name && path !== view.path)].slice(0, most));
}

export const dropView = (path: string): void => become(now().filter((one) => one.path !== path));

export const useSavedViews = (): readonly SavedView[] => useStored(now);
