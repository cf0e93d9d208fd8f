import {
  createGuardedFetch,
  type Credential,
  type GuardedFetchOptions,
  originOf,
  type Services,
} from '@croft/components';
import { UsageError } from '../usage-error.ts';
import { environmentProxy } from './environment-proxy.ts';

/** The network of a run, and the secrets that no event may show. */
export interface RunNetwork {
  readonly services: Required<Pick<Services, 'fetch' | 'credential'>>;
  readonly secrets: readonly string[];
}

/**
 * The network of `croft run`: public addresses, the private hosts of `--allow-host`, the proxies and the credentials of
 * `--credential NAME=HOST` from the environment.
 *
 * @throws UsageError where a flag has another form, or a variable is not set
 */
export function runNetwork(allowHost: readonly string[], bindings: readonly string[]): RunNetwork {
  const credentials = new Map<string, Credential>();
  for (const binding of bindings) {
    const [, name, host] = /^([A-Za-z_]\w*)=(.+)$/.exec(binding) ?? [];
    if (name === undefined || host === undefined || originOf(host) === undefined)
      throw new UsageError(
        `--credential: write it as NAME=HOST, such as API_TOKEN=api.example.com; for plain http NAME=http://HOST:PORT`,
      );
    const value = process.env[name] ?? '';
    if (value === '') throw new UsageError(`--credential: the variable ${name} is not set`);
    credentials.set(name, { value, hosts: [...(credentials.get(name)?.hosts ?? []), host] });
  }
  return {
    services: { fetch: guardedFetch(allowHost), credential: (name) => credentials.get(name) },
    secrets: [...credentials.values()].map(({ value }) => value),
  };
}

function guardedFetch(allow: readonly string[]): typeof globalThis.fetch {
  createOr('--allow-host', { allow });
  return createOr('HTTPS_PROXY or HTTP_PROXY', { allow, proxy: environmentProxy() });
}

/**
 * The network of models: the environment names their addresses, which may be private. Undefined without a proxy.
 *
 * @throws UsageError where the proxy cannot be used
 */
export function modelFetch(): typeof globalThis.fetch | undefined {
  const proxy = environmentProxy();
  return proxy && createOr('HTTPS_PROXY or HTTP_PROXY', { allow: ['0.0.0.0/0', '::/0'], proxy });
}

function createOr(setting: string, options: GuardedFetchOptions): typeof globalThis.fetch {
  try {
    return createGuardedFetch(options);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${setting}: ${error.message}`);
    throw error;
  }
}
