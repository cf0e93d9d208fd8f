import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { UsageError } from '../usage-error.ts';
import { type ConfigFlags, loadConfig } from './config.ts';

let home: string;
let base: string;
let cwd: string;

beforeEach(() => {
  home = testDir();
  base = join(home, '.croft');
  cwd = join(home, 'here');
  mkdirSync(base);
  mkdirSync(cwd);
});

const load = (flags: ConfigFlags = {}, env: NodeJS.ProcessEnv = {}, agentDirs: string[] = []) =>
  loadConfig(flags, { env: { HOME: home, ...env }, agentDirs });
const inBase = (text: string) => writeFileSync(join(base, 'croft.config.yaml'), text);

describe('the source of a value', () => {
  it('is the default if nothing is set', async () => {
    const { values, sources, file } = await load();
    expect(values).toMatchObject({ baseDir: base, autoLogin: true, host: '127.0.0.1', port: 7860, logLevel: 'info' });
    expect(new Set(Object.values(sources).map(({ kind }) => kind))).toEqual(new Set(['default']));
    expect(file).toBeUndefined();
  });

  const layers = [
    { says: 'the file over the default', env: {}, flags: {}, port: 3, kind: 'file' },
    { says: 'the environment over the file', env: { CROFT_PORT: '2' }, flags: {}, port: 2, kind: 'environment' },
    { says: 'a flag over the environment', env: { CROFT_PORT: '2' }, flags: { port: 1 }, port: 1, kind: 'flag' },
    { says: 'the file where the variable is blank', env: { CROFT_PORT: '  ' }, flags: {}, port: 3, kind: 'file' },
  ];
  for (const { says, env, flags, port, kind } of layers) {
    it(`takes ${says}`, async () => {
      inBase('# comment\n\nport: 3\n');
      const { values, sources } = await load(flags, env);
      expect(values.port).toBe(port);
      expect(sources.port.kind).toBe(kind);
      if (sources.port.kind === 'file')
        expect(sources.port).toEqual({ kind: 'file', path: join(base, 'croft.config.yaml'), line: 3 });
    });
  }

  it('never reads the current directory, where an agent may have left a file', async () => {
    writeFileSync(join(cwd, 'croft.config.yaml'), 'host: 0.0.0.0\nport: 5\n');
    const before = process.cwd();
    try {
      process.chdir(cwd);
      const { values, file } = await load();
      expect(values).toMatchObject({ host: '127.0.0.1', port: 7860 });
      expect(file).toBeUndefined();
    } finally {
      process.chdir(before);
    }
  });

  it('is the file in the base directory of the flag or the environment', async () => {
    const other = join(home, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'croft.config.yaml'), 'port: 9\n');
    expect((await load({}, { CROFT_BASE_DIR: other })).values).toMatchObject({ baseDir: other, port: 9 });
    expect((await load({ baseDir: other })).sources.baseDir).toEqual({ kind: 'flag', name: '--base-dir' });
  });

  it('returns the values as environment variables, so that namespaces use the values of the file', async () => {
    inBase('auto_login: no\n');
    const { environment } = await load();
    expect(environment).toMatchObject({ CROFT_AUTO_LOGIN: 'false', CROFT_BASE_DIR: base, CROFT_PORT: '7860' });
  });
});

describe('accepted values', () => {
  for (const [text, meant] of [
    ['off', false],
    ['FALSE', false],
    ['0', false],
    ['yes', true],
    ['1', true],
  ] as const) {
    it(`reads CROFT_AUTO_LOGIN=${text} as ${meant}`, async () => {
      expect((await load({}, { CROFT_AUTO_LOGIN: text })).values.autoLogin).toBe(meant);
    });
  }

  it('ignores an empty file, a comment and a key without a value', async () => {
    for (const text of ['', '# nothing\n', 'port:\n', '\uFEFFport: 7860\n']) {
      inBase(text);
      expect((await load()).values.port).toBe(7860);
    }
  });
});

describe('settings of the server', () => {
  it('reads lists from the environment and from the file', async () => {
    inBase('trusted_proxies: [10.0.0.0/8, "::1"]\n');
    const { values } = await load({}, { CROFT_ALLOWED_ORIGINS: 'https://a.example, https://b.example:8443' });
    expect(values.trustedProxies).toEqual(['10.0.0.0/8', '::1']);
    expect(values.allowedOrigins).toEqual(['https://a.example', 'https://b.example:8443']);
  });

  it.each([
    ['500', 500],
    ['10K', 10_240],
    ['2G', 2_147_483_648],
  ])('reads a quota of %s as %i bytes', async (written, bytes) => {
    expect((await load({}, { CROFT_USER_QUOTA_BYTES: written })).values.userQuotaBytes).toBe(bytes);
  });

  it.each([
    ['CROFT_USER_QUOTA_BYTES', 'much'],
    ['CROFT_PUBLIC_URL', 'croft.example'],
    ['CROFT_PUBLIC_URL', 'https://a.example/?x=1'],
    ['CROFT_TRUSTED_PROXIES', 'proxy'],
    ['CROFT_ALLOWED_ORIGINS', 'https://a.example/path'],
    ['DATABASE_URL', 'mysql://x'],
    ['CROFT_SECRET_KEY', 'short'],
    ['CROFT_SUPERUSER_PASSWORD', 'seven77'],
    ['CROFT_LOG_LEVEL', 'loud'],
  ])('refuses %s=%s, naming the variable', async (name, value) => {
    await expect(load({}, { [name]: value })).rejects.toThrow(new RegExp(`^${name} must be`));
  });

  it('has no secret in a message', async () => {
    const problem = await load({}, { CROFT_SUPERUSER_PASSWORD: 'hunter2' }).catch((error: Error) => error);
    expect((problem as Error).message).not.toContain('hunter2');
  });
});

describe('an invalid configuration', () => {
  const broken: [string, string][] = [
    ['host: a\nport: many\n', ':2: port must be a whole number from 0 to 65535, not "many"'],
    ['port: 70000\n', ':1: port must be a whole number from 0 to 65535, not 70000'],
    ['port: 1.5\n', ':1: port must be'],
    ['port: [1]\n', ':1: port must be'],
    ['\n\nauto_login: maybe\n', ':3: auto_login must be true or false, not "maybe"'],
    ['host: http://x\n', ':1: host must be one address'],
    ['host: 7\n', ':1: host must be one address'],
    ['host: a\nprot: 1\n', ':2: prot is not a key Croft knows; it knows auto_login, host, port, public_url'],
    ['base_dir: /x\n', ':1: base_dir cannot be set in a file'],
    ['port: 1\nport: 2\n', ':2: '],
    ['port: 1\nhost: "a\n', ':'],
    ['- port\n', ':1: must be a list of'],
  ];
  for (const [text, message] of broken) {
    it(`is refused: ${JSON.stringify(text)}`, async () => {
      inBase(text);
      const problem = await load().catch((error: unknown) => error);
      expect(problem).toBeInstanceOf(UsageError);
      expect((problem as Error).message).toContain(join(base, 'croft.config.yaml') + message);
      expect((problem as Error).message).not.toContain('\n');
    });
  }

  it('is reported with the variable or the flag', async () => {
    await expect(load({}, { CROFT_PORT: '-1' })).rejects.toThrow('CROFT_PORT must be a whole number');
    await expect(load({}, { CROFT_AUTO_LOGIN: 'flase' })).rejects.toThrow('CROFT_AUTO_LOGIN must be true or false');
    await expect(load({ port: 65_536 })).rejects.toThrow('--port must be a whole number from 0 to 65535, not 65536');
  });

  it('is refused if the file cannot be read, is a directory, or is too large', async () => {
    mkdirSync(join(base, 'croft.config.yaml'));
    await expect(load()).rejects.toThrow('cannot be read');
    rmSync(join(base, 'croft.config.yaml'), { recursive: true });
    inBase('#'.repeat(70_000));
    await expect(load()).rejects.toThrow('is larger than 65536 bytes');
  });

  it('is refused in a directory that an agent can write to, also behind a link', async () => {
    writeFileSync(join(cwd, 'croft.config.yaml'), 'host: 0.0.0.0\n');
    symlinkSync(join(cwd, 'croft.config.yaml'), join(base, 'croft.config.yaml'));
    await expect(load({}, {}, [cwd])).rejects.toThrow('agents can write to');
    const alias = join(home, 'alias');
    symlinkSync(cwd, alias);
    await expect(load({}, {}, [alias])).rejects.toThrow('agents can write to');
    await expect(load({}, {}, [home])).rejects.toThrow('agents can write to');
    expect((await load({}, {}, [join(home, 'her')])).values.host).toBe('0.0.0.0');
    rmSync(join(base, 'croft.config.yaml'));
    inBase('host: 10.0.0.2\n');
    expect((await load({}, {}, [home])).values.host).toBe('10.0.0.2');
  });
});

it('reads the environment of the process where nothing is given', async () => {
  vi.stubEnv('HOME', home);
  vi.stubEnv('CROFT_BASE_DIR', base);
  vi.stubEnv('CROFT_PORT', '4321');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { values } = await loadConfig();
  expect([values.port, values.baseDir]).toEqual([4_321, base]);
});
