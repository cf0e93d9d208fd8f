import { useSyncExternalStore } from 'react';
import { createListeners } from '../listeners.ts';

/** Light, dark, or as the system has it. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'croft.theme';
const { subscribe, notify } = createListeners();

/** The choice made in this browser; `system` until one was made. */
export function currentTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Applies a choice and remembers it in this browser, where storage is allowed. `theme.js` applies it on the next load. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // It lasts until the page is closed.
  }
  notify();
}

/** The choice; the component renders again when it changes. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}
