import { EnvHttpProxyAgent, fetch } from 'undici';
import type { Fetch } from './fetch-answer.ts';

/**
 * Creates a `fetch` through the proxies of an environment. In a file of its own, because the library is larger than the
 * daemon and most machines never need it.
 *
 * @throws Error with a sentence, if a proxy variable does not contain an address
 */
export function proxiedFetch(env: NodeJS.ProcessEnv): Fetch {
  const httpProxy = chosen(env, 'http_proxy', 'HTTP_PROXY');
  const httpsProxy = chosen(env, 'https_proxy', 'HTTPS_PROXY');
  const noProxy = env.no_proxy ?? env.NO_PROXY;
  const dispatcher = new EnvHttpProxyAgent({
    ...(httpProxy !== undefined && { httpProxy }),
    ...(httpsProxy !== undefined && { httpsProxy }),
    ...(noProxy !== undefined && { noProxy }),
  });
  return (url, init) => fetch(url, { ...init, redirect: 'manual', dispatcher });
}

function chosen(env: NodeJS.ProcessEnv, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = env[name]?.trim();
    if (!value) continue;
    // `proxy.example:3128` is a common spelling.
    const url = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new Error(`${name} is not the address of an HTTP proxy; write it as http://host:port, or unset it`);
    return url;
  }
  return undefined;
}
