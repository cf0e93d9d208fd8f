import { directFetch } from './direct-fetch.ts';
import type { Fetch } from './fetch-answer.ts';

const PROXY_VARIABLES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'];

/** Whether a host name means this machine. `URL` has already normalised IPv4 addresses. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * The `fetch` for one server: a direct one, or one through the proxy of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`,
 * which is loaded only if needed. Never uses a proxy for a server on this machine.
 *
 * @throws Error with a sentence, if a proxy variable does not contain an address
 */
export async function fetchFor(server: URL, env: NodeJS.ProcessEnv): Promise<Fetch> {
  if (isLoopbackHost(server.hostname) || !PROXY_VARIABLES.some((name) => env[name]?.trim())) return directFetch();
  const { proxiedFetch } = await import('./proxied-fetch.ts');
  return proxiedFetch(env);
}
