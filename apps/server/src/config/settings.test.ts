import { loadPolicy } from '@croft/guard';
import { expect, it } from 'vitest';
import { type SettingName, settingsSchema, SPELLINGS } from './settings.ts';

const KEYS = Object.values(SPELLINGS).flatMap(({ file }) => file ?? []);

it.each(KEYS)('the guard accepts the key %s in the configuration file that it shares with the server', (key) => {
  const yaml = { file: '/base/croft.config.yaml', text: `${key}: x\nsandboxing:\n  strict_mode: true\n` };
  expect(loadPolicy({ yaml }).policy.strict).toBe(true);
});

const parse = (given: object) => settingsSchema.parse({ baseDir: '/b', autoLogin: true, host: 'h', port: 1, ...given });
/** The parsed value, or the texts of its refusal. */
function read(name: SettingName, value: unknown): unknown {
  const { data, error } = settingsSchema.safeParse({
    baseDir: '/b',
    autoLogin: true,
    host: 'h',
    port: 1,
    [name]: value,
  });
  return error === undefined ? data[name] : error.issues.map(({ message }) => message).join();
}

it('has these defaults', () => {
  expect(parse({})).toEqual({
    baseDir: '/b',
    autoLogin: true,
    host: 'h',
    port: 1,
    trustedProxies: [],
    allowedOrigins: [],
    previousSecretKeys: [],
    guardUpstreams: [],
    guardKeyRoots: [],
    flowHosts: [],
    flowProxy: 'addresses',
    flowCommands: [],
    runRetentionDays: 30,
    runHistoryBytes: 536_870_912,
    logLevel: 'info',
  });
});

const key = (length: number) => 'k'.repeat(length);
const KEY = 'must be a text of at least 32 characters';
const PASSWORD = 'must be a text of 8 to 128 characters';
const BYTES = 'must be a number of bytes, e.g. 500M';
const PORT = 'must be a whole number from 0 to 65535';
const DAYS = 'must be a number of days from 1 to 3650';
const ADDRESS = 'must be an address such as https://croft.example/, without a query';
const ORIGIN = 'must be origins such as https://app.example, separated by commas';
const RANGES = 'must be addresses or ranges such as 10.0.0.0/8, separated by commas';
const HOSTS = 'must be hosts such as 127.0.0.1:11434 or 10.0.0.0/8, separated by commas';
const DATABASE = 'must be an address such as postgres://user:password@host/name';
const PROXY = 'must be an HTTP proxy such as http://proxy.example:3128; with CROFT_FLOW_PROXY=off it is not used';
const HOST = 'must be one address or host name, such as 127.0.0.1';

it.each<[SettingName, unknown, unknown]>([
  ['baseDir', ' /x ', '/x'],
  ['baseDir', ' ', 'must be a path'],
  ['baseDir', 1, 'must be a path'],
  ...['true', '1', 'Yes', 'on', true].map((value) => ['autoLogin', value, true] as [SettingName, unknown, unknown]),
  ...['false', '0', 'no', 'OFF', false].map((value) => ['autoLogin', value, false] as [SettingName, unknown, unknown]),
  ['autoLogin', 'fals', 'must be true or false'],
  ['host', '::1', '::1'],
  ['host', 'a b', HOST],
  ['host', 'a/b', HOST],
  ['host', undefined, HOST],
  ['port', '0', 0],
  ['port', 65_535, 65_535],
  ['port', '65536', PORT],
  ['port', -1, PORT],
  ['port', 1.5, PORT],
  ['port', '1x', PORT],
  ['publicUrl', 'http://a/b', 'http://a/b'],
  ['publicUrl', 'https://a/?q', ADDRESS],
  ['publicUrl', 'https://a/#h', ADDRESS],
  ['publicUrl', 'https://me@a/', ADDRESS],
  ['publicUrl', 'ftp://a/', ADDRESS],
  ['publicUrl', 'a', ADDRESS],
  ['trustedProxies', '10.0.0.0/8, ::1,', ['10.0.0.0/8', '::1']],
  ['trustedProxies', 'example.org', RANGES],
  ['trustedProxies', 'abc', RANGES],
  ['trustedProxies', 1, RANGES],
  ['allowedOrigins', ['https://A.example/'], ['https://A.example/']],
  ['allowedOrigins', 'https://a.example/x', ORIGIN],
  ['allowedOrigins', 'file://a', ORIGIN],
  ['allowedOrigins', 'a', ORIGIN],
  ['secretKey', key(32), key(32)],
  ['secretKey', key(31), KEY],
  ['previousSecretKeys', `${key(32)},${key(33)}`, [key(32), key(33)]],
  ['previousSecretKeys', [key(32), key(31)], 'must be texts of at least 32 characters, separated by commas'],
  ['superuser', '', 'must be a name or an e-mail address'],
  ['superuserPassword', key(8), key(8)],
  ['superuserPassword', key(128), key(128)],
  ['superuserPassword', key(7), PASSWORD],
  ['superuserPassword', key(129), PASSWORD],
  ['superuserPassword', 1, PASSWORD],
  ['databaseUrl', 'postgresql://h/n', 'postgresql://h/n'],
  ['databaseUrl', 'postgres://h/n', 'postgres://h/n'],
  ['databaseUrl', 'mysql://h/n', DATABASE],
  ['databaseUrl', 1, DATABASE],
  ['filesystemPath', '', 'must be the path of a directory'],
  ['userQuotaBytes', '10k', 10_240],
  ['userQuotaBytes', ' 2M ', 2_097_152],
  ['userQuotaBytes', '2G', 2_147_483_648],
  ['userQuotaBytes', 1, 1],
  ['userQuotaBytes', '500', 500],
  ['userQuotaBytes', 0, BYTES],
  ['userQuotaBytes', '2T', BYTES],
  ['trashBytes', '1', 1],
  ['trashBytes', 0, BYTES],
  ['trashBytes', null, BYTES],
  ['gatewayApiKey', key(32), key(32)],
  ['gatewayApiKey', key(31), KEY],
  ['gatewayApiKeyUser', '', 'must be the id or the e-mail address of a user'],
  ['guardUpstreams', 'a, b', ['a', 'b']],
  ['guardUpstreams', 1, 'must be addresses of models, separated by commas'],
  ['guardRoot', '', 'must be the path of a directory'],
  ['guardRootsBelow', '', 'must be the path of a directory'],
  ['guardKeyRoots', 'a=b', ['a=b']],
  ['guardKeyRoots', 1, 'must be DIGEST=DIR, separated by commas'],
  ['guardPass', '', 'must be a regular expression'],
  [
    'flowHosts',
    '[::1]:80,10.0.0.0/8,a-b.example:443,fe80::1',
    ['[::1]:80', '10.0.0.0/8', 'a-b.example:443', 'fe80::1'],
  ],
  ['flowHosts', 'http://a', HOSTS],
  ['httpsProxy', '', PROXY],
  ['httpProxy', '', PROXY],
  ['noProxy', '', 'must be hosts, separated by commas'],
  ['flowProxy', 'names', 'names'],
  ['flowProxy', 'off', 'off'],
  ['flowProxy', 'on', 'must be one of addresses, names, off'],
  ['flowCommands', 'a b, c', ['a b', 'c']],
  ['flowCommands', 1, 'must be commands, separated by commas'],
  ['runRetentionDays', '1', 1],
  ['runRetentionDays', 3_650, 3_650],
  ['runRetentionDays', 0, DAYS],
  ['runRetentionDays', 3_651, DAYS],
  ['runRetentionDays', 'a', DAYS],
  ['runHistoryBytes', '1M', 1_048_576],
  ['runHistoryBytes', 1_048_575, 'must be at least 1 MiB'],
  ['runHistoryBytes', 1_048_577.5, BYTES],
  ...['fatal', 'error', 'warn', 'info', 'debug', 'silent'].map(
    (value) => ['logLevel', value, value] as [SettingName, unknown, unknown],
  ),
  ['logLevel', 'trace', 'must be one of fatal, error, warn, info, debug, silent'],
])('reads %s from %j as %j', (name, value, expected) => {
  expect(read(name, value)).toEqual(expected);
});

it('spells each value as a flag, in the environment and in a file', () => {
  expect(
    Object.values(SPELLINGS).map(({ flag, env, file, secret }) =>
      [flag, env, file, secret && 'secret'].join(' ').trimEnd(),
    ),
  ).toEqual([
    '--base-dir CROFT_BASE_DIR',
    '--auto-login CROFT_AUTO_LOGIN auto_login',
    '--host CROFT_HOST host',
    '--port CROFT_PORT port',
    '--public-url CROFT_PUBLIC_URL public_url',
    '--trusted-proxies CROFT_TRUSTED_PROXIES trusted_proxies',
    '--allowed-origins CROFT_ALLOWED_ORIGINS allowed_origins',
    '--secret-key CROFT_SECRET_KEY secret_key secret',
    '--secret-key-previous CROFT_SECRET_KEY_PREVIOUS secret_key_previous secret',
    '--superuser CROFT_SUPERUSER superuser',
    '--superuser-password CROFT_SUPERUSER_PASSWORD superuser_password secret',
    '--database-url DATABASE_URL database_url secret',
    '--filesystem-path CROFT_FILESYSTEM_PATH filesystem_path',
    '--user-quota-bytes CROFT_USER_QUOTA_BYTES user_quota_bytes',
    '--trash-bytes CROFT_TRASH_BYTES trash_bytes',
    '--gateway-api-key CROFT_GATEWAY_API_KEY gateway_api_key secret',
    '--gateway-api-key-user CROFT_GATEWAY_API_KEY_USER gateway_api_key_user',
    '--guard-upstream CROFT_GUARD_UPSTREAM guard_upstream',
    '--guard-root CROFT_GUARD_ROOT guard_root',
    '--guard-roots-below CROFT_GUARD_ROOTS_BELOW guard_roots_below',
    '--guard-key-root CROFT_GUARD_KEY_ROOT guard_key_root',
    '--guard-pass CROFT_GUARD_PASS guard_pass',
    '--flow-hosts CROFT_FLOW_HOSTS flow_hosts',
    '--https-proxy HTTPS_PROXY https_proxy secret',
    '--http-proxy HTTP_PROXY http_proxy secret',
    '--no-proxy NO_PROXY no_proxy',
    '--flow-proxy CROFT_FLOW_PROXY flow_proxy',
    '--flow-commands CROFT_FLOW_COMMANDS flow_commands',
    '--run-retention-days CROFT_RUN_RETENTION_DAYS run_retention_days',
    '--run-history-bytes CROFT_RUN_HISTORY_BYTES run_history_bytes',
    '--log-level CROFT_LOG_LEVEL log_level',
  ]);
});
