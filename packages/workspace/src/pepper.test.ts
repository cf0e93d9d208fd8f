import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../tests/support/temp-dir.ts';
import { findNamespace, readIsolationConfig, resolveNamespace } from './namespace.ts';
import { loadOrCreatePepper, userNamespace } from './pepper.ts';
import { failureOf } from './testing.ts';

let base: string;
beforeEach(() => void (base = join(testDir(), 'croft')));
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
