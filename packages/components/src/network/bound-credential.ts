import { ComponentError, type Services } from '../services.ts';

/**
 * The value of a credential for a request to this address.
 *
 * @throws ComponentError if no credential has this name, or if it is bound to other hosts
 */
export function credentialFor(services: Pick<Services, 'credential'>, name: string, url: string): string {
  const credential = name.trim() === '' ? undefined : services.credential?.(name.trim());
  if (credential === undefined)
    throw new ComponentError(
      name.trim() === '' ? 'The name of a credential is missing.' : `There is no credential '${name}'.`,
      'Set the variable and bind it to a host: croft run FLOW --credential NAME=HOST; on a server, with the hosts of the variable.',
    );
  if (isBound(url, credential.hosts)) return credential.value;
  throw new ComponentError(
    `The credential '${name}' is not sent to '${targetOf(url)}'.`,
    `Use an address of ${credential.hosts.map((each) => originOf(each) ?? each).join(', ')}, or bind the credential to this one.`,
  );
}

/** Whether the origin of an address is one of those that the entries name; see {@link originOf}. */
export function isBound(url: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { origin } = new URL(url);
  return hosts.some((each) => originOf(each) === origin);
}

/**
 * The origin that `HOST`, `HOST:PORT`, `https://HOST` or `http://HOST:PORT` names: https on port 443 unless the entry says
 * otherwise. Others on the network can read plain http. Undefined for other texts.
 */
export function originOf(entry: string): string | undefined {
  if (!/^(https?:\/\/)?[^\s/?#@\\]+$/i.test(entry)) return undefined;
  const address = /^https?:\/\//i.test(entry) ? entry : `https://${entry}`;
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** Scheme, host and port of an address, as a refusal names it. */
export function targetOf(url: string): string {
  if (!URL.canParse(url)) return url.slice(0, 100);
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
