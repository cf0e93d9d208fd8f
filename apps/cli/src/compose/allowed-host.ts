import { isIP } from 'node:net';
import { UsageError } from '../usage-error.ts';

/**
 * Parses `--allowed-host`: a further host name or address that requests may use for this machine. Returns it as `URL` spells
 * it. Refuses a URL: the comparison has no scheme, port or path.
 *
 * @throws UsageError
 */
export function parseHost(text: string): string {
  const bare = text.trim().replace(/^\[(.*)\]$/, '$1');
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(bare) && isIP(bare) === 0)
    throw new UsageError(`--allowed-host ${text}: give a name without a scheme and a port, such as guard.example.org`);
  return asInUrl(bare);
}

/** Spells a host name or address as `URL` does, for the comparison with the host of a request. */
export function asInUrl(host: string): string {
  try {
    return new URL(`http://${host.includes(':') ? `[${host}]` : host}`).hostname;
  } catch {
    return host.toLowerCase();
  }
}
