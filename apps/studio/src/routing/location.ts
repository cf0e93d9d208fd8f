import { useSyncExternalStore } from 'react';

/** A location in the studio: a path without the base path, starting with a slash, and its query. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The base path of the studio, from the server's `<base href>`; ends with a slash. */
export function basePath(): string {
  return new URL(document.baseURI).pathname.replace(/[^/]*$/, '');
}

/** The path of a location with the base path. */
export function hrefOf(to: string, base = basePath()): string {
  return base + to.replace(/^\//, '');
}

/** The location of a URL; `/` for one outside of the base path. */
export function placeOf(pathname: string, search: string, base: string): Place {
  const path = pathname.startsWith(base) ? `/${pathname.slice(base.length)}` : '/';
  return { path: path.length > 1 ? path.replace(/\/+$/, '') : path, query: new URLSearchParams(search) };
}

let shown: { readonly href: string; readonly place: Place } | undefined;
let moves = 0;
const listeners = new Set<() => void>();

/** The same object for the same address. Reads the address itself: it may change while no component listens. */
function here(): Place {
  const { href } = location;
  if (shown?.href !== href) shown = { href, place: placeOf(location.pathname, location.search, basePath()) };
  return shown.place;
}

function moved() {
  for (const listener of listeners) listener();
}

function wentBack() {
  moves += 1;
  moved();
}

/** Navigates to a location; `replace` adds no history entry. Another page begins at its top; the browser restores the place after Back. */
export function navigate(to: string, { replace = false } = {}): void {
  const href = hrefOf(to);
  const { pathname } = location;
  if (href === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', href);
  else {
    history.pushState(null, '', href);
    moves += 1;
  }
  moved();
  if (location.pathname !== pathname) scrollTo(0, 0);
}

/** Number of navigations since the page was loaded, without redirects. */
export function moveCount(): number {
  return moves;
}

/** The current location; the component renders again when it changes. */
export function usePlace(): Place {
  return useSyncExternalStore((listener) => {
    if (listeners.size === 0) addEventListener('popstate', wentBack);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) removeEventListener('popstate', wentBack);
    };
  }, here);
}
