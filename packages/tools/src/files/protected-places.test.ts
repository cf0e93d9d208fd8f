// Langflow's test_filesystem_deny_list.py, …_reserved_segment_case.py and …_toctou_symlink.py, by their names.
import { existsSync, readFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeSearchWorkers } from '@croft/workspace';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Bench, makeBench } from '../testing.ts';
import type { ToolsetName } from '../toolset-names.ts';

let bench: Bench;
afterEach(() => bench.close());
afterAll(() => closeSearchWorkers());
const setUp = (lines: readonly string[] = [], toolset: 'files' | 'full' | 'explore' | 'basic' = 'files') => {
  bench = makeBench(toolset, lines);
  return bench.call;
};
const host = (path: string) => join(bench.scratch.workspace, path);

const DENIED = [
  ...'.env .ENV .netrc .pgpass .htpasswd authorized_keys id_rsa ID_RSA.pub id_ed25519 credentials'.split(' '),
  ...'Credentials.json server.pem a/tls.KEY x.pfx y.p12'.split(' '),
];
const DENIED_DIRECTORIES = ['.ssh', '.aws', '.gnupg', '.docker', '.kube', '.git', 'nested/.aws', '.SSH'];

describe('the deny-list', () => {
  it('should deny read per pattern, before any I/O, for existing and missing files', async () => {
    const call = setUp([...DENIED.slice(0, 8).map((name) => `${name} = SECRET`), 'nested/.aws/credentials = SECRET']);
    for (const path of DENIED) {
      const name = path.split('/').at(-1) as string;
      expect((await call('read_file', { path })).data).toEqual({
        error: `Access to '${name}' is denied: filename matches a protected credential pattern`,
        path,
      });
    }
    for (const path of DENIED_DIRECTORIES) {
      const name = path.split('/').at(-1) as string;
      expect((await call('read_file', { path })).data.error).toBe(
        `Access to '${name}' is denied: name matches a protected directory`,
      );
      const inside = `${path}/file`;
      expect((await call('read_file', { path: inside })).data.error).toBe(
        `Access to '${inside}' is denied: path contains protected directory '${name.toLowerCase()}'`,
      );
    }
  });

  it('should let an ordinary file and .env.local pass', async () => {
    const call = setUp(['.env.local', 'environment.txt', 'key.txt', 'my.pem.txt']);
    for (const path of ['.env.local', 'environment.txt', 'key.txt', 'my.pem.txt'])
      expect((await call('read_file', { path })).ok, path).toBe(true);
  });

  it('should deny write and edit without a side effect', async () => {
    const call = setUp(['.env = A=1']);
    for (const path of ['.env', '.ssh/config', 'new.pem']) {
      expect((await call('write_file', { path, content: 'x' })).ok).toBe(false);
      expect((await call('edit_file', { path, old_string: 'A', new_string: 'B' })).ok).toBe(false);
    }
    expect(readFileSync(host('.env'), 'utf8')).toBe('A=1');
    expect([existsSync(host('.ssh')), existsSync(host('new.pem'))]).toEqual([false, false]);
  });

  it('should deny a symlink alias to a denied file and allow one to an allowed file', async () => {
    const call = setUp([
      '.env = SECRET',
      'safe.txt => .env',
      '.git/config = x',
      'g => .git',
      'ok.txt',
      'alias.txt => ok.txt',
    ]);
    for (const path of ['safe.txt', 'g/config'])
      expect((await call('read_file', { path })).data.error, path).toMatch(/ is denied: /);
    expect((await call('read_file', { path: 'alias.txt' })).ok).toBe(true);
  });

  it('is on in every toolset', async () => {
    for (const toolset of ['full', 'explore', 'basic'] as const) {
      const call = setUp(['.env = HIDDEN-WORD', 'b.txt', '.git/config = HIDDEN-WORD'], toolset);
      const calls: [string, object][] =
        toolset === 'explore'
          ? [
              ['read-file', { filePath: '.env' }],
              ['list-files', { dirPath: '.' }],
              ['get-file-tree', { dirPath: '.' }],
              ['search-files', { dirPath: '.', query: 'HIDDEN' }],
            ]
          : [
              ['read_file', { path: '.env' }],
              ['list_dir', {}],
            ];
      if (toolset === 'full')
        calls.push(
          ['read_many', { paths: ['.env'] }],
          ['get_file_tree', {}],
          ['file_info', { path: '.env' }],
          ['copy_path', { source: '.env', destination: 'c.txt' }],
          ['move_path', { source: '.env', destination: 'c.txt' }],
          ['delete_path', { path: '.env' }],
          ['append_file', { path: '.env', content: 'x' }],
          ['read_media', { path: '.env' }],
        );
      for (const [name, input] of calls) {
        const { ok, data } = await call(name, input);
        const said = JSON.stringify(data);
        expect(said, name).not.toContain('HIDDEN-WORD');
        if (ok && name !== 'read_many') expect(said.includes('.env') || said.includes('.git'), name).toBe(false);
      }
      expect(readFileSync(host('.env'), 'utf8')).toBe('HIDDEN-WORD');
      if (toolset !== 'basic') bench.close();
    }
  });
});

describe('names an operator added to the deny-list', () => {
  const OWN = ['.env.*', 'private', '*.vault'];
  const FILES = [
    'a/.env.local = HIDDEN-WORD',
    'private/deep/a.txt = HIDDEN-WORD',
    'keys.VAULT = HIDDEN-WORD',
    '.env = HIDDEN-WORD',
    'plain.txt => keys.VAULT',
    'door => private',
    'open.txt = HIDDEN-FROM-NOBODY',
  ];
  const own = (toolset: ToolsetName) => {
    bench = makeBench(toolset, FILES, { workspace: { denyList: OWN } });
    return bench.call;
  };
  const unharmed = () =>
    ['a/.env.local', 'private/deep/a.txt', 'keys.VAULT'].map((path) => readFileSync(host(path), 'utf8'));

  it('are refused with the same text, before any I/O, under every name', async () => {
    const call = own('full');
    const last = (name: string) => `Access to '${name}' is denied: a rule of this server denies this name`;
    const rows: [string, string][] = [
      ['a/.env.local', last('.env.local')],
      ['not/there/.ENV.prod', last('.ENV.prod')],
      ['private', last('private')],
      ['Private/x', "Access to 'Private/x' is denied: a rule of this server denies 'Private'"],
      ['keys.VAULT', last('keys.VAULT')],
      ['plain.txt', last('keys.VAULT')],
      ['door/deep/a.txt', "Access to 'door/deep/a.txt' is denied: a rule of this server denies 'private'"],
      ['.env', "Access to '.env' is denied: filename matches a protected credential pattern"],
    ];
    for (const [path, error] of rows) {
      for (const [name, input] of [
        ['read_file', {}],
        ['write_file', { content: 'x' }],
        ['append_file', { content: 'x' }],
        ['edit_file', { old_string: 'HIDDEN', new_string: 'x' }],
        ['list_dir', {}],
        ['get_file_tree', {}],
        ['file_info', {}],
        ['read_media', {}],
        ['create_dir', {}],
        ['delete_path', { recursive: true }],
        ['grep_search', { pattern: 'HIDDEN' }],
        ['glob_search', { pattern: '**' }],
      ] as const) {
        // The link itself is not protected, only its target.
        if (name === 'delete_path' && path === 'plain.txt') continue;
        expect((await call(name, { path, ...input })).data.error, `${name} ${path}`).toBe(error);
      }
      for (const input of [
        { source: path, destination: 'c.txt' },
        { source: 'open.txt', destination: path },
      ])
        expect((await call('copy_path', input)).ok, path).toBe(false);
    }
    expect(unharmed()).toEqual(['HIDDEN-WORD', 'HIDDEN-WORD', 'HIDDEN-WORD']);
  });

  it('are left out of lists, trees, searches and copies, and are not deleted with their directory', async () => {
    const call = own('full');
    for (const [name, input] of [
      ['list_dir', { path: 'a' }],
      ['list_dir', {}],
      ['get_file_tree', {}],
      ['glob_search', { pattern: '**/*', include_ignored: true }],
      ['glob_search', { pattern: '**/.env.local' }],
      ['grep_search', { pattern: 'HIDDEN-WORD', output_mode: 'content' }],
      ['grep_search', { pattern: 'HIDDEN-WORD', path: 'a' }],
    ] as const) {
      const { ok, data } = await call(name, input);
      const said = JSON.stringify({ ...data, pattern: '' });
      expect([ok, /\.env|private|vault|HIDDEN-WORD/i.test(said)], `${name} ${said}`).toEqual([true, false]);
    }
    expect((await call('grep_search', { pattern: 'HIDDEN' })).data.matches).toEqual(['open.txt']);
    expect((await call('delete_path', { path: 'a', recursive: true })).data.error).toBe(
      "Refusing to delete a: it contains protected '.env.local'",
    );
    expect((await call('copy_path', { source: 'a', destination: 'b' })).ok).toBe(true);
    expect(existsSync(host('b/.env.local'))).toBe(false);
    expect(unharmed()).toEqual(['HIDDEN-WORD', 'HIDDEN-WORD', 'HIDDEN-WORD']);
  });

  it.each([
    ['files', 'read_file', { path: 'a/.env.local' }],
    ['basic', 'read_file', { path: 'a/.env.local' }],
    ['explore', 'read-file', { filePath: 'a/.env.local' }],
    ['explore', 'list-files', { dirPath: 'a' }],
    ['explore', 'search-files', { dirPath: '.', query: 'HIDDEN-WOR.' }],
  ] as const)('hold in %s: %s', async (toolset, name, input) => {
    expect(JSON.stringify((await own(toolset)(name, input)).data)).not.toMatch(/HIDDEN-WORD|"\.env/);
  });
});

describe('a symlink dropped between validation and use', () => {
  it('write → outside file untouched; read → secret not returned', async () => {
    const call = setUp(['dir/a.txt = INSIDE']);
    const outside = join(bench.scratch.outside, 'secret.txt');
    writeFileSync(join(bench.scratch.outside, 'a.txt'), 'SECRET');
    let leaked = 0;
    // Swaps two real directories between calls and while reads wait for the thread pool; tests/attack does it continuously.
    for (let i = 0; i < 100; i++) {
      const reading = call('read_file', { path: 'dir/a.txt' });
      renameSync(host('dir'), host('kept'));
      symlinkSync(bench.scratch.outside, host('dir'));
      if (String((await reading).data.content).includes('SECRET')) leaked++;
      const { ok, data } = await call('read_file', { path: 'dir/a.txt' });
      if (ok || String(data.content).includes('SECRET')) leaked++;
      await call('write_file', { path: 'dir/secret.txt', content: 'OVERWRITTEN' });
      await call('edit_file', { path: 'dir/a.txt', old_string: 'SECRET', new_string: 'x' });
      unlinkSync(host('dir'));
      renameSync(host('kept'), host('dir'));
    }
    expect(leaked).toBe(0);
    expect(readFileSync(outside, 'utf8')).toBe('SECRET');
  });
});
