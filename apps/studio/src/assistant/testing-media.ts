import { vi } from 'vitest';

const widths = new Map<string, EventTarget & { matches: boolean }>();

/** Whether a window has a width, which tests set. */
export const media = (query: string) => {
  const found = widths.get(query) ?? Object.assign(new EventTarget(), { matches: true });
  widths.set(query, found);
  return found;
};

// The module reads the window when it is loaded, and test files share loaded modules.
vi.stubGlobal('matchMedia', media);
export const { useDocking } = await import('./use-docking.ts');
vi.unstubAllGlobals();
