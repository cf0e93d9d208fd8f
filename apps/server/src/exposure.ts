import type { Settings } from './config/settings.ts';
import { ConfigError } from './config/load-config.ts';
import { isLoopback } from './edge/hostnames.ts';

/** The address at which other machines reach the server, according to the settings. */
export function openTo({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): string | undefined {
  if (!isLoopback(host)) return host;
  return publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname) ? publicUrl : undefined;
}

/**
 * Refuses a server without sign-in that other machines reach, unless the operator allows it, and settings that
 * contradict each other.
 *
 * @throws ConfigError with what to do
 */
export function refuseExposure(settings: Settings, allowOpenAutoLogin: boolean): void {
  const { autoLogin, superuser, superuserPassword, gatewayApiKey, gatewayApiKeyUser } = settings;
  const reachedAt = openTo(settings);
  if (autoLogin && reachedAt !== undefined && !allowOpenAutoLogin)
    throw new ConfigError(
      `Without sign-in (CROFT_AUTO_LOGIN=true) this server would be reached at ${reachedAt}. Set CROFT_AUTO_LOGIN=false with CROFT_SUPERUSER and CROFT_SUPERUSER_PASSWORD, listen on 127.0.0.1, or pass --allow-open-auto-login to serve without sign-in`,
    );
  if ((superuser === undefined) !== (superuserPassword === undefined))
    throw new ConfigError('CROFT_SUPERUSER and CROFT_SUPERUSER_PASSWORD are needed together');
  if (gatewayApiKey !== undefined && gatewayApiKeyUser === undefined && !autoLogin)
    throw new ConfigError('CROFT_GATEWAY_API_KEY needs CROFT_GATEWAY_API_KEY_USER: whose machine it connects');
}
