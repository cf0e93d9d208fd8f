import { FRAME_LIMITS, PATHS, PREFIXES } from '../frames.ts';
import type { CookieEndpoint, KeyEndpoint } from './endpoint.ts';
import { init } from './init-endpoint.ts';
import { alive, disconnect, events, response, tree } from './machine-endpoints.ts';
import { createLink, disconnectSession, status, toggle } from './page-endpoints.ts';

/** The endpoint of a request. */
export type Route = { readonly name: string; readonly method: 'GET' | 'POST'; readonly rest: string } & (
  | { readonly kind: 'key'; readonly run: KeyEndpoint }
  | { readonly kind: 'cookie'; readonly run: CookieEndpoint }
);

const POST = { method: 'POST', rest: '' } as const;
const GET = { method: 'GET', rest: '' } as const;

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  [PATHS.createLink, { ...POST, name: 'create-link', kind: 'cookie', run: createLink }],
  [PATHS.status, { ...GET, name: 'status', kind: 'cookie', run: status }],
  [PATHS.disconnectSession, { ...POST, name: 'disconnect-session', kind: 'cookie', run: disconnectSession }],
  [PATHS.toggle, { ...POST, name: 'toggle', kind: 'cookie', run: toggle }],
  [PATHS.init, { ...POST, name: 'init', kind: 'key', run: init }],
  [PATHS.events, { ...GET, name: 'events', kind: 'key', run: events }],
  [PATHS.tree, { ...POST, name: 'tree', kind: 'key', run: tree }],
  [PATHS.alive, { ...POST, name: 'alive', kind: 'key', run: alive }],
  [PATHS.disconnect, { ...POST, name: 'disconnect', kind: 'key', run: disconnect }],
]);

const RESPONSE: Route = { ...POST, name: 'response', kind: 'key', run: response };
const REQUEST_ID = new RegExp(`^[\\w-]{1,${FRAME_LIMITS.maxRequestIdChars}}$`);

/** The endpoint of a path without its query; `undefined` if the path is not the gateway's. */
export function findRoute(path: string): Route | undefined {
  const prefix = PREFIXES.find((one) => path.startsWith(`${one}/`));
  if (prefix === undefined) return undefined;
  const below = path.slice(prefix.length);
  const known = ROUTES.get(below);
  if (known || !below.startsWith(`${PATHS.response}/`)) return known;
  const requestId = below.slice(PATHS.response.length + 1);
  // Text that cannot be an id matches no request.
  return { ...RESPONSE, rest: REQUEST_ID.test(requestId) ? requestId : '' };
}
