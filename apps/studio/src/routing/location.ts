import { useSyncExternalStore } from 'react';

/** A place in the studio: a path without the base path, always beginning with a slash, and its query. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Where the studio lives, by the `<base href>` the server wrote; ends with a slash. */
export function basePath(): string {
  return new URL(document.baseURI).pathname.replace(/[^/]*$/, '');
}

/** The path of a place as the address bar knows it. */
export function hrefOf(to: string, base = basePath()): string {
  return base + to.replace(/^\//, '');
}

/** The place an address means, `/` for one outside of the base path. */
export function placeOf(pathname: string, search: string, base: string): Place {
  const path = pathname.startsWith(base) ? `/${pathname.slice(base.length)}` : '/';
  return { path: path.length > 1 ? path.replace(/\/+$/, '') : path, query: new URLSearchParams(search) };
}

let place: Place | undefined;
let moves = 0;
const listeners = new Set<() => void>();

function here(): Place {
  place ??= placeOf(location.pathname, location.search, basePath());
  return place;
}

function moved() {
  place = undefined;
  for (const listener of listeners) listener();
}

function wentBack() {
  moves += 1;
  moved();
}

/** Goes to a place; `replace` leaves no step to go back to. */
export function navigate(to: string, { replace = false } = {}): void {
  const href = hrefOf(to);
  if (href === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', href);
  else {
    history.pushState(null, '', href);
    moves += 1;
  }
  moved();
}

/** How often somebody went elsewhere since the page was loaded; being led on at once is not counted. */
export function moveCount(): number {
  return moves;
}

/** The place the studio is at; the component renders again when it changes. */
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
