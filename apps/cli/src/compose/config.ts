import {
  ConfigError,
  type ConfigFlags,
  type ConfigSurroundings,
  type LoadedConfig,
  loadConfig as load,
} from '@croft/server/config';
import { UsageError } from '../usage-error.ts';

export { configName, isSecretSetting } from '@croft/server/config';
export type { ConfigFlags, ConfigSource, LoadedConfig, SettingName } from '@croft/server/config';

/**
 * Reads the configuration with the same rules as the server.
 *
 * @throws UsageError that names the flag, the variable, or the file, line and key of an invalid value
 */
export async function loadConfig(
  flags: ConfigFlags = {},
  surroundings: ConfigSurroundings = {},
): Promise<LoadedConfig> {
  try {
    return await load(flags, surroundings);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}
