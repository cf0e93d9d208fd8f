/**
 * The given fetch without redirects. An API does not redirect, and fetch removes only `Authorization` when it follows a
 * redirect to another origin: keys in `x-api-key` and `x-goog-api-key` would go there.
 */
export const withoutRedirects =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) =>
    fetch(input, { ...init, redirect: 'error' });
