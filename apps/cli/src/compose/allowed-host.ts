import { isIP } from 'node:net';
import { UsageError } from '../usage-error.ts';

/**
 * A further name that requests may give for this machine, as `--allowed-host` takes it: a name or an address, spelled as
 * `URL` spells it. A page's whole address is none: what is compared has no scheme, no port and no path.
 *
 * @throws UsageError
 */
export function parseHost(text: string): string {
  const bare = text.trim().replace(/^\[(.*)\]$/, '$1');
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(bare) && isIP(bare) === 0)
    throw new UsageError(`--allowed-host ${text}: give a name without a scheme and a port, such as guard.example.org`);
  return asInUrl(bare);
}

/** A name or an address, spelled as `URL` spells it, to be compared with what a request says. */
export function asInUrl(host: string): string {
  try {
    return new URL(`http://${host.includes(':') ? `[${host}]` : host}`).hostname;
  } catch {
    return host.toLowerCase();
  }
}
