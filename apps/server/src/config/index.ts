// What the CLI takes of the configuration, without the server itself.
export { ConfigError, configName, isSecretSetting, loadConfig } from './load-config.ts';
export type { ConfigFlags, ConfigSource, ConfigSurroundings, LoadedConfig } from './load-config.ts';
export type { SettingName, Settings } from './settings.ts';
