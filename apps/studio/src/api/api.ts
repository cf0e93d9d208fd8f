import type { ApiRequest, ApiResponse, RouteKey } from '@croft/server/contract';
import { queryOptions } from '@tanstack/react-query';
import { type RequestOptions, apiUrl, request } from './request.ts';

interface Abortable {
  readonly signal?: AbortSignal;
}

/** The argument of a request; optional where its route requires nothing. */
type Sent<K extends RouteKey> =
  Record<never, never> extends ApiRequest<K> ? [sent?: ApiRequest<K> & Abortable] : [sent: ApiRequest<K> & Abortable];

interface AnySent extends Abortable {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/**
 * Sends a request to a route of the server, with the types of its definition there: `api('GET /api/v1/keys')`.
 *
 * @throws ApiError
 */
export function api<K extends RouteKey>(route: K, ...sent: Sent<K>): Promise<ApiResponse<K>> {
  return sendTo<K>(route, sentOf(sent));
}

/** The same as a query, which views share: its key is the route with what was sent. */
export function apiQuery<K extends RouteKey>(route: K, ...sent: Sent<K>) {
  return queryOptions({
    queryKey: [route, ...sent],
    queryFn: ({ signal }) => sendTo<K>(route, { ...sentOf(sent), signal }),
  });
}

/** The address of a route, for what the browser itself opens. */
export function routeUrl<K extends RouteKey>(route: K, ...sent: Sent<K>): string {
  return addressOf(route, sentOf(sent))[1];
}

/** One type for the requests of all routes: their union is too large for the compiler. */
function sentOf(sent: readonly unknown[]): AnySent {
  return (sent[0] ?? {}) as AnySent;
}

function sendTo<K extends RouteKey>(route: K, sent: AnySent): Promise<ApiResponse<K>> {
  const [method, url] = addressOf(route, sent);
  return request(url, { method, json: sent.body, signal: sent.signal });
}

function addressOf(route: RouteKey, { params = {}, query }: AnySent): [RequestOptions['method'], string] {
  const [method, path] = route.split(' ') as [RequestOptions['method'], string];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return [method, apiUrl(filled.slice(1), query)];
}
