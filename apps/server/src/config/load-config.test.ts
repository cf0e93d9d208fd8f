import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { type ConfigFlags, ConfigError, configName, isSecretSetting, loadConfig } from './load-config.ts';

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
  expect(sources.port).toEqual({ kind: 'flag', name: expect.stringMatching(/^--/) });
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
  expect(await refusal(load())).toMatch(new RegExp(`^${file()}:2: port .*, not "many"$`));
  expect(await refusal(load({ CROFT_PORT: '70000' }))).toMatch(/^CROFT_PORT .*, not "70000"$/);
  expect(await refusal(load({}, { port: -1 }))).toMatch(/^--/);
});

it('never shows a secret that cannot be used', async () => {
  const message = await refusal(load({ CROFT_SECRET_KEY: 'canary' }));
  expect(message).toMatch(/^CROFT_SECRET_KEY /);
  expect(message).not.toContain('canary');
  expect([isSecretSetting('secretKey'), isSecretSetting('port'), configName('port')]).toEqual([
    true,
    false,
    'CROFT_PORT',
  ]);
});

it('refuses keys that it does not know, and says which there are', async () => {
  write('port: 1\nprot: 2\n');
  expect(await refusal(load())).toMatch(/:2: prot is not a key Croft knows; it knows .*port/);
  write('base_dir: /x\n');
  expect(await refusal(load())).toContain('set CROFT_BASE_DIR instead');
});

it('refuses a file that does not list keys, is broken or too large', async () => {
  write('- a\n- b\n');
  expect(await refusal(load())).toContain(':1: must be a list of "key: value" lines');
  write('port: 1\nhost: "x\n');
  expect(await refusal(load())).toMatch(/croft\.config\.yaml:\d+: /);
  write(`# ${'x'.repeat(64 * 1024)}\n`);
  expect(await refusal(load())).toContain('is larger than 65536 bytes');
});

it('refuses a file that cannot be read, instead of starting with defaults', async () => {
  mkdirSync(file());
  expect(await refusal(load())).toContain('cannot be read');
});

it('refuses a file that an agent can write', async () => {
  const agentDir = testDir();
  writeFileSync(join(agentDir, 'real.yaml'), 'auto_login: true\n');
  symlinkSync(join(agentDir, 'real.yaml'), file());
  expect(await refusal(load({}, {}, [agentDir]))).toContain('agents can write to');
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
});
