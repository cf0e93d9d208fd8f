// The scenarios of Langflow's user isolation, each with its name, and Langflow's
// test_filesystem_isolation*.py, test_filesystem_tool_binding.py, …_l2_binding_atomicity.py and …_force_isolation.py.
// The workspace package tests the namespace and pepper vectors (test_filesystem_namespace.py).
// test_filesystem_headless.py does not apply: Croft generates no identities, the host gives the user id. Langflow deleted
// test_filesystem_audit.py.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { closeSearchWorkers, openWorkspace, type Workspace } from '@croft/workspace';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../../scripts/prepare.mjs';
import { bundleProgram } from '../../../tests/support/bundle-program.ts';
import { testDir } from '../../../tests/support/temp-dir.ts';
import { type Call, checkedCall } from './testing.ts';
import { makeToolset } from './toolsets.ts';
import {
  boundWorkspace,
  describeNamespace,
  fixedWorkspace,
  type Identity,
  type WorkspaceSource,
} from './workspace-source.ts';

const FIVE: [string, object][] = [
  ['read_file', { path: 'a.txt' }],
  ['glob_search', { pattern: '*' }],
  ['grep_search', { pattern: 'x' }],
  ['write_file', { path: 'a.txt', content: 'x' }],
  ['edit_file', { path: 'a.txt', old_string: 'x', new_string: 'y' }],
];
const MISMATCH = {
  error: 'tool/user-id mismatch: this tool was bound to a different user session and cannot be reused',
};

let base: string;
let user: string | null | undefined;
beforeEach(() => {
  base = testDir();
  user = undefined;
});
afterAll(() => closeSearchWorkers());

const env = (autoLogin: boolean) => ({ CROFT_BASE_DIR: base, CROFT_AUTO_LOGIN: String(autoLogin) });
const identity = (autoLogin: boolean, more: Partial<Identity> = {}): Identity => ({
  userId: () => user,
  env: env(autoLogin),
  ...more,
});
const callsOf = (source: WorkspaceSource, toolset: 'files' | 'full' = 'files'): Call =>
  checkedCall({ tools: makeToolset(toolset, source) }, [base]);
const sharedTools = (more: Partial<Identity> = {}) => callsOf(boundWorkspace(identity(true, more)));
const toolsOf = (who: string | null | undefined, more: Partial<Identity> = {}) => {
  user = who;
  return callsOf(boundWorkspace(identity(false, more)));
};
const under = (path: string) => join(base, 'workspaces', path);
const namespaces = () => readdirSync(under('users'));

describe('shared mode', () => {
  it('shared write: the file is in shared/ and no users/ is created', async () => {
    user = 'alice';
    const call = sharedTools();
    expect((await call('write_file', { path: 'dog.md', content: 'woof' })).data).toEqual({
      status: 'created',
      path: 'dog.md',
      bytes_written: 4,
    });
    expect(readFileSync(under('shared/dog.md'), 'utf8')).toBe('woof');
    expect(readdirSync(under(''))).toEqual(['shared']);
    const metadata = describeNamespace(identity(true), ['read_file']);
    expect(metadata).toEqual({
      root_path: '',
      read_only: false,
      tools_registered: ['read_file'],
      auto_login: true,
      mode: 'shared',
      effective_root: under('shared'),
      resolution_error: null,
    });
  });

  it('should serve anonymous callers, and treat root_path as a subpath created on first use', async () => {
    const call = sharedTools({ subPath: 'team/a' });
    await call('write_file', { path: 'x.txt', content: 'x' });
    expect(existsSync(under('shared/team/a/x.txt'))).toBe(true);
    expect((await call('read_file', { path: '../../x.txt' })).data.error).toBe(
      'Path escapes workspace boundary: ../../x.txt',
    );
  });

  it('traversal: ../../etc/passwd is refused and nothing outside is read', async () => {
    const call = sharedTools();
    expect((await call('read_file', { path: '../../etc/passwd' })).data).toEqual({
      error: 'Path escapes workspace boundary: ../../etc/passwd',
      path: '../../etc/passwd',
    });
    expect((await call('read_file', { path: '/etc/passwd' })).data.error).toBe(
      'Path escapes workspace boundary: /etc/passwd',
    );
  });

  it('symlink leak: a link in the workspace to a file outside is refused', async () => {
    const call = sharedTools();
    await call('write_file', { path: 'a.txt', content: 'x' });
    symlinkSync('/etc/passwd', under('shared/leak.txt'));
    expect((await call('read_file', { path: 'leak.txt' })).data).toEqual({
      error: 'Path escapes workspace boundary: leak.txt',
      path: 'leak.txt',
    });
  });

  it('a tool binding is a no-op in shared mode: a changed user changes nothing', async () => {
    user = 'alice';
    const call = sharedTools();
    user = 'bob';
    for (const [name, input] of FIVE)
      expect(JSON.stringify((await call(name, input)).data), name).not.toContain('mismatch');
    expect(existsSync(under('shared/a.txt'))).toBe(true);
  });

  it('empty sub-path is never the working directory', async () => {
    const cwd = readdirSync(process.cwd());
    for (const subPath of ['', '   ', null, undefined, '/', '.', './', '\\']) {
      const call = sharedTools(subPath === undefined ? {} : { subPath });
      const file = `file-${JSON.stringify(subPath)?.length ?? 0}.txt`;
      expect((await call('write_file', { path: file, content: 'x' })).ok, String(subPath)).toBe(true);
      expect(existsSync(under(`shared/${file}`)), String(subPath)).toBe(true);
      expect(describeNamespace(identity(true, subPath === undefined ? {} : { subPath }), []).effective_root).toBe(
        under('shared'),
      );
    }
    expect(readdirSync(process.cwd())).toEqual(cwd);
  });

  it('a sub-path that climbs out is refused, one that looks absolute is pinned', async () => {
    const call = sharedTools({ subPath: '../users' });
    expect((await call('read_file', { path: 'x' })).data.error).toBe("sub_path '../users' escapes shared workspace");
    await sharedTools({ subPath: '/etc' })('write_file', { path: 'x', content: 'x' });
    expect(existsSync(under('shared/etc/x'))).toBe(true);
    symlinkSync('/tmp', under('shared/out'));
    expect((await sharedTools({ subPath: 'out' })('glob_search', { pattern: '*' })).data.error).toBe(
      "sub_path 'out' escapes shared workspace",
    );
    expect(describeNamespace(identity(true, { subPath: 'out' }), [])).toMatchObject({
      effective_root: null,
      mode: 'shared',
    });
  });
});

describe('isolated mode', () => {
  it('isolated write: the file is in users/<hash>/ with a 32-character hash', async () => {
    const call = toolsOf('alice');
    await call('write_file', { path: 'notes.md', content: 'n' });
    const [hash] = namespaces() as [string];
    expect(hash).toMatch(/^[0-9a-f]{32}$/);
    expect(existsSync(under(`users/${hash}/notes.md`))).toBe(true);
    expect(existsSync(under('shared'))).toBe(false);
    expect(describeNamespace(identity(false), ['read_file'])).toMatchObject({
      mode: 'isolated',
      auto_login: false,
      effective_root: under(`users/${hash}`),
    });
  });

  it('cross-user read: bob can neither read nor list a file of alice', async () => {
    await toolsOf('alice')('write_file', { path: 'secret.txt', content: 'S' });
    const call = toolsOf('bob');
    expect((await call('read_file', { path: 'secret.txt' })).data).toEqual({
      error: 'File not found: secret.txt',
      path: 'secret.txt',
    });
    expect((await call('glob_search', { pattern: '**/*' })).data.matches).toEqual([]);
    expect((await call('grep_search', { pattern: 'S' })).data.matches).toEqual([]);
    expect(namespaces()).toHaveLength(2);
  });

  it("`..` into another user's hash is refused, absolute too", async () => {
    await toolsOf('alice')('write_file', { path: 'secret.txt', content: 'S' });
    const [hash] = namespaces() as [string];
    const call = toolsOf('bob');
    for (const path of [`../../${hash}/secret.txt`, `../${hash}/secret.txt`, under(`users/${hash}/secret.txt`)]) {
      for (const [name, input] of FIVE)
        expect((await call(name, { ...input, path })).data.error, name).toBe(
          `Path escapes workspace boundary: ${path}`,
        );
    }
    expect(readFileSync(under(`users/${hash}/secret.txt`), 'utf8')).toBe('S');
  });

  it('a sub-path is inside the namespace', async () => {
    await toolsOf('alice', { subPath: 'work' })('write_file', { path: 'x', content: 'x' });
    expect(existsSync(under(`users/${namespaces()[0]}/work/x`))).toBe(true);
    expect((await toolsOf('alice', { subPath: '../x' })('read_file', { path: 'x' })).data.error).toBe(
      "sub_path '../x' escapes user namespace",
    );
  });

  it('anonymous is refused without I/O, by all five tools', async () => {
    for (const nobody of [undefined, null, '', '  ', 'None', 'null', 'NULL']) {
      const call = toolsOf(nobody);
      for (const [name, input] of FIVE) {
        expect((await call(name, input)).data.error, name).toBe(
          'FileSystemTool requires an authenticated user when AUTO_LOGIN=False',
        );
      }
    }
    expect((await toolsOf('')('read_file', { path: 'a.txt' })).data.path).toBe('a.txt');
    expect(describeNamespace(identity(false), [])).toMatchObject({
      mode: 'refused',
      effective_root: null,
      resolution_error: 'FileSystemTool requires an authenticated user when AUTO_LOGIN=False',
    });
    expect(readdirSync(base)).toEqual([]);
  });

  it('a namespace that is removed while the process runs is created again', async () => {
    const call = toolsOf('alice', { subPath: 'work' });
    await call('write_file', { path: 'x', content: 'x' });
    rmSync(under(`users/${namespaces()[0]}`), { recursive: true });
    expect((await call('read_file', { path: 'x' })).data.error).toBe('File not found: x');
    expect((await call('write_file', { path: 'x', content: 'y' })).data.status).toBe('created');
  });
});

describe('the binding to a user', () => {
  it('binding mismatch: each of the five tools refuses after the user changed, in an envelope without path', async () => {
    const call = toolsOf('alice');
    await call('write_file', { path: 'a.txt', content: 'x' });
    for (const other of ['bob', '', null, 'Alice']) {
      user = other;
      for (const [name, input] of FIVE) expect((await call(name, input)).data, name).toEqual(MISMATCH);
    }
    user = ' alice ';
    expect((await call('read_file', { path: 'a.txt' })).ok).toBe(true);
    expect(namespaces()).toHaveLength(1);
  });

  it('tools created without a user do not serve a later user', async () => {
    const call = toolsOf(undefined);
    user = 'alice';
    expect((await call('read_file', { path: 'a.txt' })).data).toEqual(MISMATCH);
  });

  it('checks the user once per call, so a change during the call cannot redirect it', async () => {
    user = 'alice';
    let looks = 0;
    // A second check would see bob.
    const source = boundWorkspace(identity(false, { userId: () => (looks++ === 0 || looks === 2 ? 'alice' : 'bob') }));
    const call = callsOf(source, 'full');
    expect((await call('write_file', { path: 'a.txt', content: 'of alice' })).data.status).toBe('created');
    expect(namespaces()).toHaveLength(1);
    expect((await call('read_file', { path: 'a.txt' })).data).toEqual(MISMATCH);
  });

  it('applies to a call that reads many files while the mode changes', async () => {
    const changing = env(true);
    user = 'alice';
    const source = boundWorkspace(identity(true, { env: changing }));
    const call = callsOf(source, 'full');
    for (const path of ['a', 'b']) await call('write_file', { path, content: 'shared' });
    const running = call('read_many', { paths: ['a', 'b'] });
    changing.CROFT_AUTO_LOGIN = 'false';
    expect(((await running).data.files as { content: string }[]).map(({ content }) => content)).toEqual([
      '     1→shared',
      '     1→shared',
    ]);
    expect((await call('read_many', { paths: ['a'] })).data.files).toEqual([{ path: 'a', error: 'File not found: a' }]);
  });

  it('reads the environment at every call', async () => {
    const changing: NodeJS.ProcessEnv = env(true);
    const call = callsOf(boundWorkspace(identity(true, { env: changing })));
    await call('write_file', { path: 'a.txt', content: 'x' });
    changing.CROFT_BASE_DIR = join(base, 'other');
    expect((await call('read_file', { path: 'a.txt' })).data.error).toBe('File not found: a.txt');
    expect(existsSync(join(base, 'other/workspaces/shared'))).toBe(true);
  });
});

describe('force isolation under auto-login', () => {
  const forced = (who: string) => {
    user = who;
    return callsOf(boundWorkspace(identity(true, { forceIsolation: true })));
  };

  it('gives each user a separate root', async () => {
    await forced('alice')('write_file', { path: 'a.txt', content: 'A' });
    expect((await forced('bob')('read_file', { path: 'a.txt' })).data.error).toBe('File not found: a.txt');
    expect(namespaces()).toHaveLength(2);
    expect(existsSync(under('shared'))).toBe(false);
    expect(describeNamespace(identity(true, { forceIsolation: true }), [])).toMatchObject({
      auto_login: true,
      mode: 'isolated',
    });
  });

  it('is refused without a user, and binds', async () => {
    const none = forced('');
    expect((await none('read_file', { path: 'a' })).data.error).toBe(
      'FileSystemTool requires an authenticated user when _force_isolation is set',
    );
    const call = forced('alice');
    user = 'bob';
    expect((await call('read_file', { path: 'a' })).data).toEqual(MISMATCH);
    user = '';
    expect((await call('read_file', { path: 'a' })).data).toEqual(MISMATCH);
    expect(readdirSync(base)).toEqual([]);
  });
});

describe('.lfsig', () => {
  const SPELLINGS = [
    '.lfsig',
    '.LFSIG',
    '.LfSiG',
    '.lfSIG',
    '.lfsig/anything.json',
    'ok/.lfsig/x',
    'ok/.LFSIG',
    './.lfsig/x',
    '.components',
    '.Components/x',
    'a/../.lfsig',
  ];

  it('is refused in every spelling, shared and isolated, and never created', async () => {
    for (const call of [sharedTools(), toolsOf('alice')]) {
      for (const path of SPELLINGS) {
        const reserved = /components/i.test(path) ? '.components' : '.lfsig';
        for (const [name, input] of FIVE) {
          expect((await call(name, { ...input, path })).data.error, `${name} ${path}`).toBe(
            `Path component '${reserved}' is reserved`,
          );
        }
      }
    }
    expect(readdirSync(under('shared'))).toEqual([]);
    expect(readdirSync(under(`users/${namespaces()[0]}`))).toEqual([]);
  });
});

describe('a pepper or base that cannot be used', () => {
  it('is an envelope without host paths; the metadata has them for the operator', async () => {
    mkdirSync(under(''), { recursive: true });
    writeFileSync(under('.fs_pepper'), 'short');
    const call = toolsOf('alice');
    expect((await call('read_file', { path: 'a' })).data).toEqual({
      error:
        'pepper is too short (5 bytes); expected at least 32. Check that CROFT_BASE_DIR is the right directory, or restore the file from a backup.',
      path: 'a',
    });
    expect(describeNamespace(identity(false), []).resolution_error).toBe(
      `pepper at ${under('.fs_pepper')} is too short (5 bytes); expected at least 32. Check that CROFT_BASE_DIR is the right directory, or restore the file from a backup.`,
    );
    rmSync(under(''), { recursive: true });
    writeFileSync(under(''), 'a file where the directory should be');
    const failed = (await call('read_file', { path: 'a' })).data.error;
    expect(failed).toMatch(/^Cannot access pepper file: .*CROFT_BASE_DIR/);
    expect((await sharedTools()('read_file', { path: 'a' })).data.error).toMatch(
      /^Cannot create shared workspace: .*\. Check that CROFT_BASE_DIR is writable by the Croft process user\.$/,
    );
  });

  it('unwritable base: a sentence for the model, host paths only for the operator', () => {
    const locked = join(base, 'locked');
    mkdirSync(locked, { mode: 0o555 });
    chmodSync(base, 0o755);
    const program = bundleProgram(`
      import { boundWorkspace, callTool, describeNamespace, makeToolset } from './packages/tools/src/index.ts';
      const told = [];
      for (const auto of ['true', 'false']) {
        const identity = { userId: () => 'alice', env: { CROFT_BASE_DIR: ${JSON.stringify(locked)}, CROFT_AUTO_LOGIN: auto } };
        const tools = makeToolset('files', boundWorkspace(identity));
        const result = await callTool({ tools }, { name: 'write_file', input: { path: 'a', content: 'x' } });
        told.push({ data: result.data, metadata: describeNamespace(identity, []) });
      }
      console.log(JSON.stringify(told));`);
    const isRoot = process.getuid?.() === 0;
    const child = spawnSync(process.execPath, ['--input-type=module', '-'], {
      cwd: root,
      encoding: 'utf8',
      input: program,
      // Root can write anywhere.
      ...(isRoot && { uid: 65_534, gid: 65_534 }),
    });
    expect(child.stderr).toBe('');
    const [shared, isolated] = JSON.parse(child.stdout);
    expect(shared.data).toEqual({
      error:
        'Cannot create shared workspace: Permission denied. Check that CROFT_BASE_DIR is writable by the Croft process user.',
      path: 'a',
    });
    expect(shared.metadata.resolution_error).toBe(
      `Cannot create shared workspace at ${locked}/workspaces/shared: Permission denied. Check that CROFT_BASE_DIR (${locked}) is writable by the Croft process user.`,
    );
    expect(isolated.data.error).toMatch(/^Cannot access pepper file: Permission denied\. Check that CROFT_BASE_DIR/);
    expect(isolated.data.error).not.toContain(locked);
    expect(isolated.metadata).toMatchObject({
      mode: 'isolated',
      effective_root: null,
      resolution_error: expect.stringContaining(locked),
    });
    expect(readdirSync(locked)).toEqual([]);
  });

  it('an unwritable users directory names the namespace to the operator only', () => {
    mkdirSync(under(''), { recursive: true });
    writeFileSync(under('.fs_pepper'), 'p'.repeat(32));
    writeFileSync(under('users'), 'in the way');
    const { resolution_error } = describeNamespace(identity(false, { userId: () => 'alice' }), []);
    expect(resolution_error).toMatch(
      new RegExp(
        `^Cannot create user namespace at ${under('users')}/[0-9a-f]{32}: .*\\. Check that CROFT_BASE_DIR \\(${base}\\) is writable by the Croft process user\\.$`,
      ),
    );
  });
});

describe('a workspace directory that vanishes', () => {
  let workspace: Workspace;
  afterEach(() => workspace.close());

  it('is reported without its path, and the process continues', async () => {
    const dir = join(base, 'dir');
    mkdirSync(dir);
    workspace = openWorkspace(dir);
    const call = callsOf(fixedWorkspace(workspace), 'full');
    rmSync(dir, { recursive: true });
    for (const [name, input] of FIVE)
      expect((await call(name, input)).data.error, name).toBe('The workspace directory is missing or cannot be opened');
    mkdirSync(dir);
    expect((await call('write_file', { path: 'a', content: 'x' })).ok).toBe(true);
  });
});
