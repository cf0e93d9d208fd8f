import { describe, expect, it } from 'vitest';
import { codeOf } from '../../packages/workspace/src/testing.ts';
import { textOf, withWorkspace } from './refusal.ts';

describe('the rules on names', () => {
  it('refuses a NUL byte before the kernel can cut the path there', () =>
    withWorkspace(['f.txt'], async (workspace) => {
      expect(await codeOf(() => workspace.readText('f.txt\0.png'))).toBe('invalid');
      expect(await codeOf(() => workspace.write('f.txt\0.png', 'x'))).toBe('invalid');
      expect(await textOf(workspace, 'f.txt')).toBe('f.txt');
    }));

  it('refuses device names with any extension', () =>
    withWorkspace([], async (workspace) => {
      for (const name of ['CON', 'nul.txt', 'sub/com1.log', 'lpt9'])
        expect(await codeOf(() => workspace.write(name, 'x')), name).toBe('invalid');
    }));

  it('refuses characters that other systems forbid', () =>
    withWorkspace([], async (workspace) => {
      for (const name of ['a<b', 'a>b', 'a"b', 'a|b', 'a?b', 'a*b'])
        expect(await codeOf(() => workspace.write(name, 'x')), name).toBe('invalid');
    }));

  it('refuses a trailing dot or space', () =>
    withWorkspace([], async (workspace) => {
      for (const name of ['a.', 'a ', 'dir./f'])
        expect(await codeOf(() => workspace.write(name, 'x')), name).toBe('invalid');
    }));

  it('refuses ~ as a home directory', () =>
    withWorkspace([], async (workspace) => {
      expect(await codeOf(() => workspace.write('~/x', 'x'))).toBe('invalid');
    }));

  it('refuses reserved segments', () =>
    withWorkspace(['.lfsig/key', '.components/c.ts'], async (workspace) => {
      for (const path of ['.lfsig/key', '.components/c.ts'])
        expect(await codeOf(() => workspace.readText(path)), path).toBe('denied');
    }));

  it('refuses reserved segments in any case', () =>
    withWorkspace([], async (workspace) => {
      for (const path of ['.LFSIG/x', 'a/.Components/y'])
        expect(await codeOf(() => workspace.write(path, 'x')), path).toBe('denied');
    }));
});

describe('the credential deny-list', () => {
  it('refuses a protected name before it looks at the disk', () =>
    withWorkspace([], async (workspace) => {
      // None of these exists: `not_found` would reveal that, and prove a look at the disk.
      for (const path of ['.env', 'deep/id_rsa', '.ssh/config', 'a.pem'])
        expect(await codeOf(() => workspace.readText(path)), path).toBe('denied');
    }));

  it('refuses a protected name by every name that NTFS has for it', () =>
    withWorkspace([], async (workspace) => {
      for (const path of ['.git::$INDEX_ALLOCATION/config', '.env::$DATA', 'GIT~1/config', 'a/env~1'])
        expect(await codeOf(() => workspace.write(path, 'x')), path).toBe('denied');
    }));

  it('refuses an innocent link to a protected file', () =>
    withWorkspace(['.env = KEY=1', 'notes.txt => .env', '.ssh/key', 'keys => .ssh'], async (workspace) => {
      expect(await codeOf(() => workspace.readText('notes.txt'))).toBe('denied');
      expect(await codeOf(() => workspace.readText('keys/key'))).toBe('denied');
    }));

  it('refuses an innocent link to a protected directory also where nothing is below it', () =>
    withWorkspace(['.ssh/key', 'keys => .ssh'], async (workspace) => {
      expect(await codeOf(() => workspace.readText('keys/none/key'))).toBe('denied');
      expect(workspace.locate('keys/none/key')).toMatchObject({ inside: false, error: { code: 'denied' } });
    }));

  it('refuses names that an operator added, and everything below them', () =>
    withWorkspace(
      ['.env.local', 'private/a.txt', 'door => private'],
      async (workspace) => {
        for (const path of ['.env.local', 'private/a.txt', 'PRIVATE', 'door/a.txt', 'not/there/.env.x'])
          expect(await codeOf(() => workspace.readText(path)), path).toBe('denied');
        expect(workspace.list('.').total).toBe(1);
      },
      { denyList: ['.env.*', 'private'] },
    ));

  it('judges where a linked directory leads, also where the kernel could follow it', () =>
    withWorkspace(
      ['.ssh/plain', 'keys => .ssh'],
      async (workspace) => {
        expect(await codeOf(() => workspace.readText('keys/plain'))).toBe('denied');
        expect(await codeOf(() => workspace.write('keys/new', 'x'))).toBe('denied');
      },
      { resolver: 'openat2' },
    ));
});
