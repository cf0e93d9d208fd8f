import { directFetch } from './direct-fetch.ts';
import type { Fetch } from './fetch-answer.ts';

const PROXY_VARIABLES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'];

/** Whether a host name means this very machine. `URL` has already brought IPv4 into one form. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * The `fetch` for one server: a direct one, or one that goes through the proxy that `HTTP_PROXY`, `HTTPS_PROXY` and
 * `NO_PROXY` name, which is loaded only then. A server on this machine is never asked for through a proxy.
 *
 * @throws Error a sentence, when a proxy variable holds no address
 */
export async function fetchFor(server: URL, env: NodeJS.ProcessEnv): Promise<Fetch> {
  if (isLoopbackHost(server.hostname) || !PROXY_VARIABLES.some((name) => env[name]?.trim())) return directFetch();
  const { proxiedFetch } = await import('./proxied-fetch.ts');
  return proxiedFetch(env);
}
