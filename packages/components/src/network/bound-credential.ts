import { ComponentError, type Services } from '../services.ts';

/**
 * The value of a credential for a request to this address.
 *
 * @throws ComponentError where there is none of this name, or where it is bound to other hosts
 */
export function credentialFor(services: Services, name: string, url: string): string {
  const credential = name.trim() === '' ? undefined : services.credential?.(name.trim());
  if (credential === undefined)
    throw new ComponentError(
      name.trim() === '' ? 'The name of a credential is missing.' : `There is no credential '${name}'.`,
      'Set the variable and bind it to a host: croft run FLOW --credential NAME=HOST.',
    );
  if (isBound(url, credential.hosts)) return credential.value;
  throw new ComponentError(
    `The credential '${name}' is not sent to '${hostOf(url)}'.`,
    `Use an address of ${credential.hosts.join(', ')}, or bind the credential to this host.`,
  );
}

/** Whether an address belongs to one of the hosts, each `host` or `host:port`. */
export function isBound(url: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { host, hostname } = new URL(url);
  return hosts.some((each) => each.toLowerCase() === host || each.toLowerCase() === hostname);
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url.slice(0, 100));
