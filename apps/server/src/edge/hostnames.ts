/** Names under which a server bound to `host` is reached. */
export function hostnamesFor(host: string, publicUrl?: string): string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  const bare = host.replace(/^\[|\]$/g, '');
  // In the spelling of URLs, because one address has many.
  if (bare !== '0.0.0.0' && bare !== '::')
    names.push(hostnameOf(`http://${bare.includes(':') ? `[${bare}]` : bare}`) ?? bare);
  const outside = publicUrl === undefined ? undefined : hostnameOf(publicUrl);
  if (outside !== undefined) names.push(outside);
  return [...new Set(names)];
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

function hostnameOf(url: string): string | undefined {
  return parseUrl(url)?.hostname || undefined;
}

function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
