// What is kept in this browser; where it allows no storage it lasts as long as the page.
import { useSyncExternalStore } from 'react';
import { createListeners } from '../live/listeners.ts';

const changed = createListeners<[]>();
const unstored = new Map<string, string>();

export function stored(name: string): string | null {
  try {
    return unstored.get(name) ?? localStorage.getItem(`standfast.${name}`);
  } catch {
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(`standfast.${name}`, value);
    unstored.delete(name);
  } catch {
    unstored.set(name, value);
  }
  changed.emit();
}

/** What `read` makes of it, followed; the same for the same stored text. */
export const useStored = <T>(read: () => T): T => useSyncExternalStore(changed.add, read);
