import { z } from 'zod';

const portNumber = 'must be a whole number from 0 to 65535';
const hostName = 'must be one address or host name, such as 127.0.0.1';
const yesOrNo = 'must be true or false';
const byteCount = 'must be a number of bytes, e.g. 500M';
const webAddress = 'must be an address such as https://croft.example/, without a query';
const dayCount = 'must be a number of days from 1 to 3650';
const originList = 'must be origins such as https://app.example, separated by commas';
const proxyAddress =
  'must be an HTTP proxy such as http://proxy.example:3128; with CROFT_FLOW_PROXY=off it is not used';
const addressList = 'must be addresses or ranges such as 10.0.0.0/8, separated by commas';

const text = (what: string) => z.string({ error: what }).trim().min(1);
const list = (what: string, each: (item: string) => boolean) =>
  z
    .union([z.array(z.string()), z.string().transform((all) => all.split(','))], { error: what })
    .transform((items) => items.map((item) => item.trim()).filter((item) => item !== ''))
    .refine((items) => items.every(each), what);

/**
 * Every configuration value. Accepts texts as the environment has them (`"7860"`, `"off"`). Refuses an invalid value
 * instead of using the default: a misspelt `CROFT_AUTO_LOGIN` must not turn off sign-in.
 */
export const settingsSchema = z.object({
  baseDir: text('must be a path'),
  autoLogin: z.union(
    [
      z.boolean(),
      z
        .string()
        .regex(/^(true|1|yes|on|false|0|no|off)$/i)
        .transform((word) => /^(true|1|yes|on)$/i.test(word)),
    ],
    { error: yesOrNo },
  ),
  host: z.string({ error: hostName }).regex(/^[^\s/]+$/),
  port: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error: portNumber })
    .pipe(z.int(portNumber).min(0).max(65_535)),
  publicUrl: text(webAddress).refine(isPublicUrl).optional(),
  trustedProxies: list(addressList, isAddressRange).default([]),
  allowedOrigins: list(originList, isOrigin).default([]),
  secretKey: text('must be a text of at least 32 characters').min(32).optional(),
  previousSecretKeys: list(
    'must be texts of at least 32 characters, separated by commas',
    (key) => key.length >= 32,
  ).default([]),
  superuser: text('must be a name or an e-mail address').optional(),
  superuserPassword: z.string({ error: 'must be a text of 8 to 128 characters' }).min(8).max(128).optional(),
  databaseUrl: text('must be an address such as postgres://user:password@host/name')
    .regex(/^postgres(ql)?:\/\//)
    .optional(),
  filesystemPath: text('must be the path of a directory').optional(),
  userQuotaBytes: z
    .union([z.number(), z.string().transform(parseBytes)], { error: byteCount })
    .pipe(z.int(byteCount).min(1))
    .optional(),
  trashBytes: z
    .union([z.number(), z.string().transform(parseBytes)], { error: byteCount })
    .pipe(z.int(byteCount).min(1))
    .optional(),
  gatewayApiKey: text('must be a text of at least 32 characters').min(32).optional(),
  gatewayApiKeyUser: text('must be the id or the e-mail address of a user').optional(),
  guardUpstreams: list('must be addresses of models, separated by commas', () => true).default([]),
  guardRoot: text('must be the path of a directory').optional(),
  guardRootsBelow: text('must be the path of a directory').optional(),
  guardKeyRoots: list('must be DIGEST=DIR, separated by commas', () => true).default([]),
  guardPass: text('must be a regular expression').optional(),
  flowHosts: list('must be hosts such as 127.0.0.1:11434 or 10.0.0.0/8, separated by commas', isFlowHost).default([]),
  httpsProxy: text(proxyAddress).optional(),
  httpProxy: text(proxyAddress).optional(),
  noProxy: text('must be hosts, separated by commas').optional(),
  flowProxy: z
    .enum(['addresses', 'names', 'off'], { error: 'must be one of addresses, names, off' })
    .default('addresses'),
  flowCommands: list('must be commands, separated by commas', () => true).default([]),
  runRetentionDays: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error: dayCount })
    .pipe(z.int(dayCount).min(1).max(3_650))
    .default(30),
  runHistoryBytes: z
    .union([z.number(), z.string().transform(parseBytes)], { error: byteCount })
    .pipe(z.int(byteCount).min(1_048_576, 'must be at least 1 MiB'))
    .default(512 * 1024 * 1024),
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, silent',
    })
    .default('info'),
});

/** The configuration, parsed. */
export type Settings = z.output<typeof settingsSchema>;
export type SettingName = keyof Settings;

/** How a value is written: as a flag, in the environment, in the file; and whether it may be shown. */
export interface Spelling {
  readonly flag: string;
  readonly env: string;
  /** Absent where a file may not say it. */
  readonly file: string | undefined;
  readonly secret?: true;
}

/** How each value is written. */
export const SPELLINGS: Readonly<Record<SettingName, Spelling>> = {
  // Not in a file: `croft mcp`, `log` and `undo` read none, and would look for the same workspaces elsewhere.
  baseDir: { flag: '--base-dir', env: 'CROFT_BASE_DIR', file: undefined },
  autoLogin: spelled('AUTO_LOGIN'),
  host: spelled('HOST'),
  port: spelled('PORT'),
  publicUrl: spelled('PUBLIC_URL'),
  trustedProxies: spelled('TRUSTED_PROXIES'),
  allowedOrigins: spelled('ALLOWED_ORIGINS'),
  secretKey: { ...spelled('SECRET_KEY'), secret: true },
  previousSecretKeys: { ...spelled('SECRET_KEY_PREVIOUS'), secret: true },
  superuser: spelled('SUPERUSER'),
  superuserPassword: { ...spelled('SUPERUSER_PASSWORD'), secret: true },
  databaseUrl: { flag: '--database-url', env: 'DATABASE_URL', file: 'database_url', secret: true },
  filesystemPath: spelled('FILESYSTEM_PATH'),
  userQuotaBytes: spelled('USER_QUOTA_BYTES'),
  trashBytes: spelled('TRASH_BYTES'),
  gatewayApiKey: { ...spelled('GATEWAY_API_KEY'), secret: true },
  gatewayApiKeyUser: spelled('GATEWAY_API_KEY_USER'),
  guardUpstreams: spelled('GUARD_UPSTREAM'),
  guardRoot: spelled('GUARD_ROOT'),
  guardRootsBelow: spelled('GUARD_ROOTS_BELOW'),
  guardKeyRoots: spelled('GUARD_KEY_ROOT'),
  guardPass: spelled('GUARD_PASS'),
  flowHosts: spelled('FLOW_HOSTS'),
  httpsProxy: { flag: '--https-proxy', env: 'HTTPS_PROXY', file: 'https_proxy', secret: true },
  httpProxy: { flag: '--http-proxy', env: 'HTTP_PROXY', file: 'http_proxy', secret: true },
  noProxy: { flag: '--no-proxy', env: 'NO_PROXY', file: 'no_proxy' },
  flowProxy: spelled('FLOW_PROXY'),
  flowCommands: spelled('FLOW_COMMANDS'),
  runRetentionDays: spelled('RUN_RETENTION_DAYS'),
  runHistoryBytes: spelled('RUN_HISTORY_BYTES'),
  logLevel: spelled('LOG_LEVEL'),
};

function spelled(name: string): Spelling {
  const file = name.toLowerCase();
  return { flag: `--${file.replaceAll('_', '-')}`, env: `CROFT_${name}`, file };
}

function isPublicUrl(value: string): boolean {
  try {
    const url = new URL(value);
    return /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
  } catch {
    return false;
  }
}

function isOrigin(value: string): boolean {
  try {
    const url = new URL(value);
    return /^https?:$/.test(url.protocol) && url.origin === value.replace(/\/$/, '').toLowerCase();
  } catch {
    return false;
  }
}

function isAddressRange(value: string): boolean {
  return /^[0-9a-f.:]+(\/\d{1,3})?$/i.test(value) && /[.:]/.test(value);
}

/** A host, an address or a range, with a port or without. The guarded fetch parses it again. */
function isFlowHost(value: string): boolean {
  return /^(\[[0-9a-f:.]+\]|[\w.-]+|[0-9a-f:]+:[0-9a-f:.]*)(\/\d{1,3})?(:\d{1,5})?$/i.test(value);
}

/** Parses `500`, `10K`, `200M`, `2G` in powers of 1,024. Any other text gives NaN. */
function parseBytes(value: string): number {
  const [, digits, unit = ''] = /^(\d+)([KMG]?)$/i.exec(value.trim()) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * 1024 ** ' KMG'.indexOf(unit.toUpperCase() || ' ');
}
