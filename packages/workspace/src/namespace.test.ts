import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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
import { loadOrCreatePepper, userNamespace } from './pepper.ts';
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

describe('a user namespace', () => {
  const pepper = Buffer.from('pepper-bytes-32-len-aaaaaaaaaaaa');
  it.each([
    ['user-abc', '467ca3e88d82c9702d8fc608aa81ccc5'],
    ['user-A', '01c8f95f3e438690f0368c2ad05b46f3'],
    ['alice', '5a9eb5f4550fb464c1e73e253b5b0765'],
    ['bob', 'bcd65d116aad418911980acaadc9e652'],
  ])('of %s is the one that Langflow computes', (user, hash) => {
    expect(userNamespace(pepper, user)).toBe(`users/${hash}`);
  });
  it('differs by pepper, is empty without a user, and refuses an empty pepper', async () => {
    expect(userNamespace(Buffer.alloc(32, 1), 'alice')).not.toBe(userNamespace(pepper, 'alice'));
    expect(userNamespace(pepper, '')).toBe('');
    expect((await failureOf(() => userNamespace(Buffer.alloc(0), 'alice'))).message).toBe('pepper must not be empty');
  });
});

describe('the pepper', () => {
  it('is made with its parents, 32 bytes, mode 0600, and stays the same', () => {
    const path = join(base, 'a/b/.fs_pepper');
    const first = loadOrCreatePepper(path);
    expect(first).toHaveLength(32);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(loadOrCreatePepper(path)).toEqual(first);
    expect(readdirSync(dirname(path))).toEqual(['.fs_pepper']);
  });
  it('is used whole when it is longer', () => {
    mkdirSync(base);
    writeFileSync(join(base, 'p'), Buffer.alloc(50, 7));
    expect(loadOrCreatePepper(join(base, 'p'))).toHaveLength(50);
  });
  it('is not replaced if it is missing beside namespaces', async () => {
    const { root, config } = resolveNamespace({ userId: 'alice', env: isolated() });
    writeFileSync(join(root, 'f'), 'x');
    renameSync(config.pepperPath, join(base, 'backup'));
    const advice = 'Restore the file from a backup, or move the directory of namespaces away to start without them.';
    for (const find of [resolveNamespace, findNamespace]) {
      const error = await failureOf(() => find({ userId: 'alice', env: isolated() }));
      expect(error.message).toBe(`pepper is missing, and users have files already. ${advice}`);
      expect(error.operatorMessage).toBe(
        `pepper at ${config.pepperPath} is missing, and ${dirname(root)} has namespaces that were named with it. ${advice}`,
      );
    }
    expect(existsSync(config.pepperPath)).toBe(false);
    renameSync(join(base, 'backup'), config.pepperPath);
    expect(resolveNamespace({ userId: 'alice', env: isolated() }).root).toBe(root);
  });
  it('is refused when it is too short, and left alone', async () => {
    const path = readIsolationConfig(isolated()).pepperPath;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'short');
    const error = await failureOf(() => resolveNamespace({ userId: 'alice', env: isolated() }));
    const advice = 'Check that CROFT_BASE_DIR is the right directory, or restore the file from a backup.';
    expect(error.message).toBe(`pepper is too short (5 bytes); expected at least 32. ${advice}`);
    expect(error.operatorMessage).toBe(`pepper at ${path} is too short (5 bytes); expected at least 32. ${advice}`);
    expect(readFileSync(path, 'utf8')).toBe('short');
  });
  it('is one for all when eight processes start at the same instant', async () => {
    const path = join(base, '.fs_pepper');
    const program = `
      import { loadOrCreatePepper } from ${JSON.stringify(dist)};
      process.stdout.write('ready');
      process.stdin.once('data', () => { process.stdout.write(loadOrCreatePepper(${JSON.stringify(path)}).toString('hex')); process.exit(); });`;
    const children = Array.from({ length: 8 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const outputs = children.map((child) => {
      let text = '';
      const ready = new Promise<void>((resolve) =>
        child.stdout.on('data', (data) => ((text += data), text.startsWith('ready') && resolve())),
      );
      const done = new Promise<string>((resolve) => child.on('close', () => resolve(text.slice(5))));
      return { ready, done };
    });
    await Promise.all(outputs.map((output) => output.ready));
    for (const child of children) child.stdin.end('go');
    const peppers = await Promise.all(outputs.map((output) => output.done));
    expect(new Set(peppers)).toEqual(new Set([readFileSync(path).toString('hex')]));
    expect(peppers).toHaveLength(8);
    expect(readdirSync(base)).toEqual(['.fs_pepper']);
  });
});

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
