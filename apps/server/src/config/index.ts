// The parts of the configuration that the CLI uses, without the server itself.
export { ConfigError, configName, isSecretSetting, loadConfig } from './load-config.ts';
export type { ConfigFlags, ConfigSource, ConfigSurroundings, LoadedConfig } from './load-config.ts';
export type { SettingName, Settings } from './settings.ts';
export { LOCAL_USER_ID } from '../local-user.ts';
export { readSharedMode, type SharedMode } from '../files/shared-mount.ts';
