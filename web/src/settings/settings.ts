// Choices of this browser: theme, row height, notifications. Kept where it allows; else they last as long as the page.
import { useSyncExternalStore } from 'react';
import { createListeners } from '../app/listeners.ts';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'normal' | 'compact';

const changed = createListeners<[]>();
const memory = new Map<string, string>();

function stored(name: string): string | null {
  try {
    return localStorage.getItem(`holdpoint.${name}`);
  } catch {
    return memory.get(name) ?? null;
  }
}

function store(name: string, value: string): void {
  memory.set(name, value);
  try {
    localStorage.setItem(`holdpoint.${name}`, value);
  } catch {
    // The choice lasts as long as the page.
  }
  changed.tell();
}

export function themeNow(): Theme {
  const theme = stored('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export const densityNow = (): Density => (stored('density') === 'compact' ? 'compact' : 'normal');
export const wantsNotices = (): boolean => stored('notices') === 'on';

/** Puts the choices on the document; also at the start, because only the theme is known before the first paint. */
export function applyLooks(): void {
  const { dataset } = document.documentElement;
  const theme = themeNow();
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  if (densityNow() === 'compact') dataset['density'] = 'compact';
  else delete dataset['density'];
}

export function chooseTheme(theme: Theme): void {
  store('theme', theme);
  applyLooks();
}

export function chooseDensity(density: Density): void {
  store('density', density);
  applyLooks();
}

export const chooseNotices = (isOn: boolean): void => store('notices', isOn ? 'on' : 'off');

export const useTheme = (): Theme => useSyncExternalStore(changed.add, themeNow);
export const useDensity = (): Density => useSyncExternalStore(changed.add, densityNow);
export const useWantsNotices = (): boolean => useSyncExternalStore(changed.add, wantsNotices);
