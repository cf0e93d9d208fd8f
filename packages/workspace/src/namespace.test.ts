import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  autoLogin,
  croftBaseDir,
  findNamespace,
  namespaceMode,
  presentUser,
  readIsolationConfig,
  resolveNamespace,
} from './namespace.ts';
import { failureOf, makeScratch, type Scratch } from './testing.ts';
import { openWorkspace } from './workspace.ts';

let scratch: Scratch;
let base: string;
beforeEach(() => {
  scratch = makeScratch([]);
  base = join(scratch.base, 'croft');
});
afterEach(() => scratch.remove());

const shared = () => ({ CROFT_BASE_DIR: base });
const isolated = () => ({ CROFT_BASE_DIR: base, CROFT_AUTO_LOGIN: 'false' });
const dist = join(dirname(fileURLToPath(import.meta.url)), '../dist/index.js');

describe('the mode of a call', () => {
  it('is shared for every caller while auto-login is on, unless isolation is forced', () => {
    for (const userId of [undefined, null, '', 'alice'])
      expect(namespaceMode({ userId, env: shared() })).toBe('shared');
    expect(namespaceMode({ userId: 'alice', forceIsolation: true, env: shared() })).toBe('isolated');
    expect(namespaceMode({ forceIsolation: true, env: shared() })).toBe('refused');
    expect(namespaceMode({ userId: 'alice', env: isolated() })).toBe('isolated');
    expect(namespaceMode({ env: isolated() })).toBe('refused');
  });
  it('treats stringified absences as no user', () => {
    for (const nobody of [undefined, null, '', '  ', 'None', 'none', 'NULL', ' null '])
      expect(presentUser(nobody)).toBeUndefined();
    expect(presentUser(' alice ')).toBe('alice');
  });
  it('reads auto-login defensively', () => {
    for (const off of ['false', 'FALSE', '0', 'no', 'off', ' false '])
      expect(autoLogin({ CROFT_AUTO_LOGIN: off })).toBe(false);
    for (const on of [undefined, '', 'true', '1', 'yes', 'nonsense'])
      expect(autoLogin(on === undefined ? {} : { CROFT_AUTO_LOGIN: on })).toBe(true);
  });
});

describe('the configuration', () => {
  it('is read at every call, frozen, with a blank value as unset', () => {
    const env: NodeJS.ProcessEnv = { HOME: scratch.base };
    expect(croftBaseDir(env)).toBe(join(scratch.base, '.croft'));
    env.CROFT_BASE_DIR = '  ';
    expect(croftBaseDir(env)).toBe(join(scratch.base, '.croft'));
    env.CROFT_BASE_DIR = base;
    const config = readIsolationConfig(env);
    expect(config).toEqual({
      baseDir: join(base, 'workspaces'),
      pepperPath: join(base, 'workspaces/.fs_pepper'),
      configured: base,
    });
    expect(Object.isFrozen(config)).toBe(true);
    env.CROFT_BASE_DIR = `${base}2`;
    expect(resolveNamespace({ env }).root).toBe(join(`${base}2`, 'workspaces/shared'));
    expect(config.baseDir).toBe(join(base, 'workspaces'));
  });
});

describe('a namespace', () => {
  it('in shared mode makes no users directory and no pepper', () => {
    const { root, mode } = resolveNamespace({ userId: 'alice', env: shared() });
    expect([root, mode]).toEqual([join(base, 'workspaces/shared'), 'shared']);
    const workspace = openWorkspace(root, { baseDir: base });
    workspace.write('sub/note.txt', 'x');
    workspace.close();
    expect(readdirSync(join(base, 'workspaces'))).toEqual(['shared']);
  });
  it('of one user cannot be reached from that of another', async () => {
    const alice = openWorkspace(resolveNamespace({ userId: 'alice', env: isolated() }).root, { baseDir: base });
    const bobRoot = resolveNamespace({ userId: 'bob', env: isolated() }).root;
    const bob = openWorkspace(bobRoot, { baseDir: base });
    alice.write('secret.txt', 'ALICE');
    const aliceHash = alice.root.split('/').at(-1) as string;
    for (const path of [
      `../${aliceHash}/secret.txt`,
      join(alice.root, 'secret.txt'),
      '../../shared',
      '../../.fs_pepper',
    ]) {
      expect((await failureOf(() => bob.info(path))).code, path).toBe('outside');
    }
    expect((await bob.glob('**/*')).matches).toEqual([]);
    expect(resolveNamespace({ userId: ' alice ', env: isolated() }).root).toBe(alice.root);
    expect(resolveNamespace({ userId: 'alice', forceIsolation: true, env: shared() }).root).toBe(alice.root);
    alice.close();
    bob.close();
  });
  it('is refused to an anonymous caller without any I/O', async () => {
    expect((await failureOf(() => resolveNamespace({ env: isolated() }))).message).toBe(
      'FileSystemTool requires an authenticated user when AUTO_LOGIN=False',
    );
    const forced = await failureOf(() => resolveNamespace({ userId: 'None', forceIsolation: true, env: shared() }));
    expect(forced.message).toBe('FileSystemTool requires an authenticated user when _force_isolation is set');
    expect(forced.code).toBe('no_user');
    expect(existsSync(base)).toBe(false);
  });
  it('is found without being made, once it exists', async () => {
    const find = (env: NodeJS.ProcessEnv, forceIsolation = false) =>
      findNamespace({ userId: 'alice', forceIsolation, env });
    expect(find(shared())).toEqual({ mode: 'shared', root: join(base, 'workspaces/shared'), exists: false });
    expect(find(isolated())).toEqual({ mode: 'isolated', root: undefined, exists: false });
    expect(existsSync(base)).toBe(false);
    const { root } = resolveNamespace({ userId: 'alice', env: isolated() });
    expect(find(isolated())).toEqual({ mode: 'isolated', root, exists: true });
    expect(find(shared(), true)).toEqual({ mode: 'isolated', root, exists: true });
    expect((await failureOf(() => findNamespace({ env: isolated() }))).code).toBe('no_user');
  });
  it('that cannot be made is not found either, with the same words', async () => {
    mkdirSync(base);
    writeFileSync(join(base, 'workspaces'), 'a file');
    for (const env of [shared(), isolated()]) {
      const request = { userId: 'alice', env };
      const error = await failureOf(() => resolveNamespace(request));
      expect(error.message).toContain('CROFT_BASE_DIR');
      expect((await failureOf(() => findNamespace(request))).operatorMessage).toBe(error.operatorMessage);
    }
  });
  it('of another account fails for every call, with the variable to look at', () => {
    const root = resolveNamespace({ env: shared() }).root;
    const program = `
      import { findNamespace, resolveNamespace } from ${JSON.stringify(dist)};
      const out = [];
      for (const use of [resolveNamespace, findNamespace]) {
        try { use({ env: ${JSON.stringify(shared())} }); out.push('opened'); } catch (error) { out.push(error.message); }
      }
      process.stdout.write(JSON.stringify(out));`;
    // Root may read anything, so the call is made by an account without rights.
    const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    for (const dir of [scratch.base, base, dirname(root)]) chmodSync(dir, 0o755);
    chmodSync(root, process.getuid?.() === 0 ? 0o755 : 0o555);
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      ...unprivileged,
    });
    const message =
      'Cannot create shared workspace: Permission denied. Check that CROFT_BASE_DIR is writable by the Croft process user.';
    expect(JSON.parse(stdout)).toEqual([message, message]);
  });
  it('below an unwritable base fails with the variable to look at, and no host path', () => {
    mkdirSync(base);
    chmodSync(base, 0o555);
    const program = `
      import { resolveNamespace } from ${JSON.stringify(dist)};
      const out = [];
      for (const env of ${JSON.stringify([shared(), isolated()])}) {
        try { resolveNamespace({ userId: 'alice', env }); out.push('made'); } catch (error) { out.push([error.code, error.message, error.operatorMessage]); }
      }
      process.stdout.write(JSON.stringify(out));`;
    // Root may write anywhere, so the call runs as an unprivileged user.
    const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    chmodSync(scratch.base, 0o755);
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      ...unprivileged,
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([
      [
        'unavailable',
        'Cannot create shared workspace: Permission denied. Check that CROFT_BASE_DIR is writable by the Croft process user.',
        `Cannot create shared workspace at ${base}/workspaces/shared: Permission denied. Check that CROFT_BASE_DIR (${base}) is writable by the Croft process user.`,
      ],
      [
        'unavailable',
        'Cannot access pepper file: Permission denied. Check that CROFT_BASE_DIR points to a writable location.',
        `Cannot access pepper file at ${base}/workspaces/.fs_pepper: Permission denied. Check that CROFT_BASE_DIR (${base}) points to a writable location.`,
      ],
    ]);
  });
});
