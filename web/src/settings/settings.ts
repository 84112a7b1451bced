// Choices of this browser: theme, row height, notifications.
import { store, stored, useStored } from '../base/page/stored.ts';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'normal' | 'compact';

export function themeNow(): Theme {
  const theme = stored('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export const densityNow = (): Density => (stored('density') === 'compact' ? 'compact' : 'normal');
export const wantsNotices = (): boolean => stored('notices') === 'on';

/** Puts the choices on the document; also at the start, because only the theme is known before the first paint. */
export function applyAppearance(): void {
  const { dataset } = document.documentElement;
  const theme = themeNow();
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  if (densityNow() === 'compact') dataset['density'] = 'compact';
  else delete dataset['density'];
}

export function chooseTheme(theme: Theme): void {
  store('theme', theme);
  applyAppearance();
}

export function chooseDensity(density: Density): void {
  store('density', density);
  applyAppearance();
}

export const chooseNotices = (isOn: boolean): void => store('notices', isOn ? 'on' : 'off');

export const useTheme = (): Theme => useStored(themeNow);
export const useDensity = (): Density => useStored(densityNow);
export const useWantsNotices = (): boolean => useStored(wantsNotices);
