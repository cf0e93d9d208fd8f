import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { type ConfigFlags, ConfigError, configName, isSecretSetting, loadConfig } from './load-config.ts';
import { SPELLINGS } from './settings.ts';

let baseDir: string;
beforeEach(() => {
  baseDir = testDir();
});

const file = () => join(baseDir, 'croft.config.yaml');
const write = (text: string) => writeFileSync(file(), text);
const load = (env: NodeJS.ProcessEnv = {}, flags: ConfigFlags = {}, agentDirs: string[] = []) =>
  loadConfig({ baseDir, ...flags }, { env, agentDirs });
const refusal = async (loading: Promise<unknown>): Promise<string> => {
  const error = await loading.catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).message;
};

it('takes flags over the environment, the environment over the file, and the file over defaults', async () => {
  write('# comment\nport: 1000\nhost: file.test\nauto_login: false\n');
  const { values, sources } = await load({ CROFT_PORT: '2000', CROFT_HOST: ' ' }, { port: 3000 });
  expect(values).toMatchObject({ port: 3000, host: 'file.test', autoLogin: false, baseDir });
  expect(sources.port).toEqual({ kind: 'flag', name: '--port' });
  expect(sources.baseDir).toEqual({ kind: 'flag', name: '--base-dir' });
  expect(sources.host).toEqual({ kind: 'file', path: file(), line: 3 });
  const second = await load({ CROFT_PORT: '2000' });
  expect([second.values.port, second.sources.port]).toEqual([2000, { kind: 'environment', name: 'CROFT_PORT' }]);
});

it('has defaults where nothing is set', async () => {
  const { values, sources, file: read, environment } = await load();
  expect(values).toMatchObject({ port: 7860, host: '127.0.0.1', autoLogin: true });
  expect([sources.port, read]).toEqual([{ kind: 'default' }, undefined]);
  expect(environment).toEqual({
    CROFT_BASE_DIR: baseDir,
    CROFT_AUTO_LOGIN: 'true',
    CROFT_HOST: '127.0.0.1',
    CROFT_PORT: '7860',
  });
});

it('counts a key without a value as not set, and leaves the part of the guard to the guard', async () => {
  write('port:\nsandboxing:\n  strict_mode: true\n');
  expect((await load()).values.port).toBe(7860);
  write('');
  expect((await load()).values.port).toBe(7860);
});

it('names the place of a value that cannot be used', async () => {
  write('host: x\nport: many\n');
  const rule = 'must be a whole number from 0 to 65535';
  expect(await refusal(load())).toBe(`${file()}:2: port ${rule}, not "many"`);
  expect(await refusal(load({ CROFT_PORT: '70000' }))).toBe(`CROFT_PORT ${rule}, not "70000"`);
  expect(await refusal(load({}, { port: -1 }))).toBe(`--port ${rule}, not -1`);
});

it('never shows a secret that cannot be used', async () => {
  const message = await refusal(load({ CROFT_SECRET_KEY: 'canary' }));
  expect(message).toBe('CROFT_SECRET_KEY must be a text of at least 32 characters');
  expect([isSecretSetting('secretKey'), isSecretSetting('port'), configName('port')]).toEqual([
    true,
    false,
    'CROFT_PORT',
  ]);
});

it('refuses keys that it does not know, and says which there are', async () => {
  write('port: 1\nprot: 2\n');
  const known = Object.values(SPELLINGS).flatMap(({ file: name }) => name ?? []);
  expect(await refusal(load())).toBe(`${file()}:2: prot is not a key Croft knows; it knows ${known.join(', ')}`);
  write('? [a, b]\n: 1\n');
  expect(await refusal(load())).toContain(':1: ["a","b"] is not a key Croft knows; it knows auto_login, ');
  write('\n\nbase_dir: /x\n');
  expect(await refusal(load())).toBe(
    `${file()}:3: base_dir cannot be set in a file, because croft mcp, log and undo do not read that file; set CROFT_BASE_DIR instead`,
  );
});

it('refuses a file that does not list keys, is broken or too large', async () => {
  write('- a\n- b\n');
  expect(await refusal(load())).toBe(`${file()}:1: must be a list of "key: value" lines`);
  write('port: 1\nhost: "x\n');
  expect(await refusal(load())).toBe(`${file()}:3: Missing closing "quote`);
  write(`# ${'x'.repeat(64 * 1024 - 2)}`);
  expect((await load()).file).toBe(file());
  write(`# ${'x'.repeat(64 * 1024 - 1)}`);
  expect(await refusal(load())).toBe(`${file()} is larger than 65536 bytes`);
});

it('refuses a file that cannot be read, instead of starting with defaults', async () => {
  mkdirSync(file());
  expect(await refusal(load())).toBe(`${file()} cannot be read: Illegal operation on a directory`);
  const below = join(baseDir, 'file');
  writeFileSync(below, '');
  expect(await refusal(load({}, { baseDir: below }))).toBe(
    `${join(below, 'croft.config.yaml')} cannot be read: Not a directory`,
  );
});

it('refuses a file that an agent can write', async () => {
  const agentDir = testDir();
  writeFileSync(join(agentDir, 'real.yaml'), 'auto_login: true\n');
  symlinkSync(join(agentDir, 'real.yaml'), file());
  expect(await refusal(load({}, {}, [agentDir]))).toBe(
    `${file()} is in a directory that agents can write to, so Croft does not use it as configuration; put the file itself at ${file()}`,
  );
  expect((await load({}, {}, ['/no/such/dir'])).file).toBe(file());
  const inside = join(baseDir, 'workspaces');
  mkdirSync(inside);
  writeFileSync(join(inside, 'real.yaml'), 'port: 1\n');
  const link = join(baseDir, 'link.yaml');
  symlinkSync(join(inside, 'real.yaml'), link);
  renameSync(link, file());
  expect(await refusal(load())).toContain('agents can write to');
});

it('takes the file of the base directory, also where its parent is served to agents', async () => {
  write('port: 1000\n');
  expect((await load({}, {}, [join(baseDir, '..')])).values.port).toBe(1000);
});

it('reads proxies in capitals and small letters', async () => {
  expect((await load({ https_proxy: 'http://p.test:1' })).values.httpsProxy).toBe('http://p.test:1');
  expect((await load({ HTTPS_PROXY: 'http://q.test:1', https_proxy: 'http://p.test:1' })).values.httpsProxy).toBe(
    'http://q.test:1',
  );
  expect((await load({ NO_PROXY: ' ', no_proxy: ' a.test ' })).values.noProxy).toBe('a.test');
  expect((await load({ croft_port: '1' })).values.port).toBe(7860);
});

it('reads the base directory of the environment, and lists of a file', async () => {
  write('allowed_origins: [https://a.test, https://b.test]\nflow_hosts: a.test, b.test\n');
  const { values, file: read } = await loadConfig({}, { env: { CROFT_BASE_DIR: baseDir } });
  expect([values.baseDir, read]).toEqual([baseDir, file()]);
  expect([values.allowedOrigins, values.flowHosts]).toEqual([
    ['https://a.test', 'https://b.test'],
    ['a.test', 'b.test'],
  ]);
});
