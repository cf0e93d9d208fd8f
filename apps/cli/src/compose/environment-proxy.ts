import type { ProxyOptions } from '@croft/components';
import { UsageError } from '../usage-error.ts';

/**
 * The proxies of the environment, in capitals or small letters; undefined where it names none. `CROFT_FLOW_PROXY` is as on a
 * server.
 *
 * @throws UsageError for another value of `CROFT_FLOW_PROXY`
 */
export function environmentProxy(env: NodeJS.ProcessEnv = process.env): ProxyOptions | undefined {
  const read = (name: string) => env[name]?.trim() || env[name.toLowerCase()]?.trim() || undefined;
  const asksFor = env['CROFT_FLOW_PROXY']?.trim() || 'addresses';
  if (asksFor === 'off') return undefined;
  if (asksFor !== 'addresses' && asksFor !== 'names')
    throw new UsageError('CROFT_FLOW_PROXY must be one of addresses, names, off');
  const [httpProxy, httpsProxy] = [read('HTTP_PROXY'), read('HTTPS_PROXY')];
  if (httpProxy === undefined && httpsProxy === undefined) return undefined;
  return { httpProxy, httpsProxy, noProxy: read('NO_PROXY'), asksFor };
}
