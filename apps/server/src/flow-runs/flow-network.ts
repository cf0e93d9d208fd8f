import { createGuardedFetch, type ProxyOptions } from '@croft/components';
import { ConfigError } from '../config/load-config.ts';
import type { Settings } from '../config/settings.ts';

export type FlowNetworkSettings = Pick<Settings, 'flowHosts' | 'flowProxy' | 'httpProxy' | 'httpsProxy' | 'noProxy'>;

/** The network of flows and models: public addresses and the hosts of `CROFT_FLOW_HOSTS`, through the proxies of the settings. */
export const flowFetch = (settings: FlowNetworkSettings): typeof globalThis.fetch =>
  createGuardedFetch({ allow: settings.flowHosts, proxy: proxyOf(settings) });

/** @throws ConfigError where an entry of `CROFT_FLOW_HOSTS` is not a host, or a proxy cannot be used */
export function refuseFlowNetwork(settings: FlowNetworkSettings): void {
  const check = (options: Parameters<typeof createGuardedFetch>[0], say: (reason: string) => string): void => {
    try {
      createGuardedFetch(options);
    } catch (error) {
      if (error instanceof RangeError) throw new ConfigError(say(error.message));
      throw error;
    }
  };
  check({ allow: settings.flowHosts }, (reason) => `CROFT_FLOW_HOSTS: ${reason}`);
  check(
    { proxy: proxyOf(settings) },
    (reason) => `HTTPS_PROXY or HTTP_PROXY: ${reason} With CROFT_FLOW_PROXY=off, flows use no proxy.`,
  );
}

function proxyOf({ flowProxy, httpProxy, httpsProxy, noProxy }: FlowNetworkSettings): ProxyOptions | undefined {
  if (flowProxy === 'off' || (httpProxy === undefined && httpsProxy === undefined)) return undefined;
  return { httpProxy, httpsProxy, noProxy, asksFor: flowProxy };
}
