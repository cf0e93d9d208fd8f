import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { whenReady, WorkspaceError, type WorkspaceErrorCode } from './errors.ts';
import { failureOf, makeScratch, type Scratch } from './testing.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts';

let scratch: Scratch;
const opened: Workspace[] = [];
afterEach(() => {
  for (const workspace of opened.splice(0)) workspace.close();
  scratch.remove();
});

function setUp(lines: readonly string[] = ['a.txt'], options: WorkspaceOptions = {}): Workspace {
  scratch = makeScratch(lines);
  const workspace = openWorkspace(scratch.workspace, options);
  opened.push(workspace);
  return workspace;
}

describe('the rules of a path', () => {
  it('are checked in the order of the contract', async () => {
    const workspace = setUp();
    // Each path breaks its own rule and all that come after it.
    const rows: [string, string][] = [
      ['CON\0/.lfsig/.env/../../x', 'Path contains NUL byte'],
      ['CON?. /.lfsig/../../.env', "Path component 'CON?. ' contains forbidden character(s): ['?']"],
      ['CON/.lfsig/../../.env', "Path component 'CON' is a Windows reserved name"],
      ['../../.lfsig/.env', "Path component '.lfsig' is reserved"],
      ['../../.env', "Access to '.env' is denied: filename matches a protected credential pattern"],
      ['../../x', 'Path escapes workspace boundary: ../../x'],
      ['/etc/passwd', 'Path escapes workspace boundary: /etc/passwd'],
      ['/etc/CON', "Path component 'CON' is a Windows reserved name"],
      ['/etc/.ssh/config', "Access to '/etc/.ssh/config' is denied: path contains protected directory '.ssh'"],
    ];
    for (const [path, message] of rows) {
      expect((await failureOf(() => workspace.readText(path))).message, path).toBe(message);
      expect((await failureOf(() => workspace.write(path, 'x'))).message, path).toBe(message);
    }
  });

  it('refuse ~ for a home directory, and allow the name behind ./', async () => {
    const workspace = setUp(['a/~', '~x']);
    for (const path of ['~', '~/x', '~\\x', '~/../a'])
      for (const act of [() => workspace.readText(path), () => workspace.write(path, 'x'), () => workspace.list(path)])
        expect((await failureOf(act)).message, path).toBe(
          'Path begins with ~, and this workspace has no home directory. Give a path relative to the workspace, or ./~ for an entry of that name',
        );
    expect(workspace.list('.').entries.map(({ name }) => name)).toEqual(['a', '~x']);
    expect((await workspace.readText('~x')).lines).toEqual(['~x']);
    expect((await workspace.readText('a/~')).lines).toEqual(['a/~']);
    workspace.write('./~/y', 'y');
    expect((await workspace.readText('./~/y')).lines).toEqual(['y']);
  });

  it('refuse a path longer than the system takes, shortened in the message', async () => {
    const error = await failureOf(() => setUp().readText('a/'.repeat(3000)));
    expect(error.code).toBe('invalid');
    expect(error.message.length).toBeLessThan(400);
  });

  it('refuse invalid text: half of a surrogate pair would become another name on the disk', async () => {
    const workspace = setUp(['a.txt', '\ufffd = other', '😀 = face']);
    for (const path of ['\ud800', '\udc00x', 'new/a\ud83d', '\ude00\ud83d'])
      for (const act of [
        () => workspace.readText(path),
        () => workspace.write(path, 'x'),
        () => workspace.list(path),
      ]) {
        const error = await failureOf(act);
        expect([error.code, error.message], JSON.stringify(path)).toEqual([
          'invalid',
          'Path is not valid Unicode text',
        ]);
      }
    expect(workspace.list('.').total).toBe(3);
    expect(workspace.info('😀').type).toBe('file');
  });

  it('end at as many levels as walks go down, through links too', async () => {
    const levels = (count: number) => Array.from({ length: count }, () => 'd').join('/');
    const workspace = setUp([`${levels(200)}/`, `far => ${levels(200)}`]);
    workspace.write(`${levels(255)}/f`, 'x');
    for (const path of [`${levels(256)}/f`, `far/${levels(56)}/f`])
      for (const act of [() => workspace.write(path, 'x'), () => workspace.createDir(path)]) {
        const error = await failureOf(act);
        expect([error.code, error.message]).toEqual(['invalid', 'Path is too deep (limit 256 levels)']);
      }
    expect((await workspace.delete('d', { recursive: true })).entries).toBe(255);
  });

  it('catch an innocent link to a protected file, file by file and through directories', async () => {
    const workspace = setUp([
      '.env = SECRET',
      '.git/config = SECRET',
      'safe.txt => .env',
      'dir => .git',
      'two => dir',
      'sig => .lfsig',
      '.lfsig/x',
    ]);
    for (const path of ['safe.txt', 'dir/config', 'two/config', 'dir', 'sig/x']) {
      expect((await failureOf(() => workspace.info(path))).code, path).toBe('denied');
    }
    expect(workspace.locate('dir/config')).toMatchObject({ inside: false });
  });

  it('make no directory on the way to a refusal', async () => {
    const workspace = setUp(['.git/HEAD', 'dir => .git']);
    for (const act of [
      () => workspace.write('dir/new/file', 'x'),
      () => workspace.createDir('dir/new/deep'),
      () => workspace.locate('dir/no/thing'),
    ]) {
      const found = await (async (): Promise<unknown> => act())().catch((error: unknown) => error);
      expect(found instanceof WorkspaceError ? found.code : (found as { inside: boolean }).inside).toSatisfy(
        (v: unknown) => v === 'denied' || v === false,
      );
    }
    expect(
      openWorkspace(scratch.workspace, { denyList: false })
        .list('.git')
        .entries.map((e) => e.name),
    ).toEqual(['HEAD']);
  });

  it('let the operator switch the deny-list off, but not the reserved segments', async () => {
    const workspace = setUp(['.env = A', '.lfsig/x'], { denyList: false });
    expect((await workspace.readText('.env')).lines).toEqual(['A']);
    expect((await failureOf(() => workspace.readText('.lfsig/x'))).code).toBe('denied');
  });
});

describe('a workspace', () => {
  it('refuses every mutation when it is read-only', async () => {
    const workspace = setUp(['a.txt', 'd/'], { readOnly: true });
    const acts = [
      () => workspace.write('x', 'y'),
      () => workspace.append('a.txt', 'y'),
      () => workspace.edit('a.txt', [{ oldString: 'a', newString: 'b' }]),
      () => workspace.createDir('e'),
      () => workspace.move('a.txt', 'b'),
      () => workspace.copy('a.txt', 'b'),
      () => workspace.delete('a.txt'),
      () => workspace.undo({ kind: 'mkdir', path: 'd' }),
    ];
    for (const act of acts) expect((await failureOf(act)).code).toBe('read_only');
    expect(workspace.list('.').entries.map((entry) => entry.name)).toEqual(['d', 'a.txt']);
  });

  it('acts on nothing after close, even when its descriptor number belongs to another workspace', async () => {
    const workspace = setUp(['mine.txt']);
    workspace.close();
    const other = openWorkspace(scratch.outside);
    opened.push(other);
    for (const act of [
      () => workspace.readText('secret.txt'),
      () => workspace.list('.'),
      () => workspace.write('x', 'y'),
      () => workspace.grep({ pattern: 'S' }),
    ]) {
      expect((await failureOf(act)).code).toBe('unavailable');
    }
    expect(workspace.locate('secret.txt')).toMatchObject({ inside: false });
  });

  it('says clearly that its directory was removed, and works again when it was made again', async () => {
    for (const resolver of ['openat2', 'walk', 'portable'] as const) {
      const workspace = setUp(['a.txt'], { resolver });
      scratch.remove();
      const error = await failureOf(() => workspace.readText('a.txt'));
      expect(error.code).toBe('unavailable');
      expect(error.message).not.toContain(scratch.base);
      expect(error.operatorMessage).toContain(scratch.workspace);
      mkdirSync(scratch.workspace, { recursive: true });
      expect(workspace.write('b.txt', 'back').status).toBe('created');
      expect((await workspace.readText('b.txt')).lines).toEqual(['back']);
      scratch.remove();
    }
  });

  it('pins a sub-path below its directory and makes it', async () => {
    setUp(['out => $OUT', 'in/']);
    const at = (subPath: string) => {
      const workspace = openWorkspace(scratch.workspace, { subPath });
      opened.push(workspace);
      return workspace.root;
    };
    expect(at('/in')).toBe(join(scratch.workspace, 'in'));
    expect(at('\\\\new/deep')).toBe(join(scratch.workspace, 'new/deep'));
    for (const blank of ['', '   ', '/']) expect(at(blank)).toBe(scratch.workspace);
    for (const bad of ['..', '../x', 'out', 'out/x', 'in/../../x']) {
      expect((await failureOf(() => at(bad))).message, bad).toBe(`Path escapes workspace boundary: ${bad}`);
    }
  });

  it('opens no protected directory as a sub-path, where no rule would know its files', async () => {
    setUp(['.git/hooks/', 'inner => .git/hooks', 'home/.croft/token = SECRET']);
    const open = (subPath: string, options: WorkspaceOptions = {}) => {
      opened.push(openWorkspace(scratch.workspace, { ...options, subPath }));
    };
    for (const subPath of ['.git', '.git/hooks', '.GIT/hooks', 'inner', '.aws', 'new/.ssh'])
      expect((await failureOf(() => open(subPath))).code, subPath).toMatch(/^(denied|not_found)$/);
    const baseDir = join(scratch.workspace, 'home/.croft');
    expect((await failureOf(() => open('home/.croft', { baseDir }))).code).toBe('invalid');
    expect(existsSync(join(scratch.workspace, '.aws'))).toBe(false);
  });

  it('makes no missing sub-path for a read-only workspace', async () => {
    setUp([]);
    const open = () => opened.push(openWorkspace(scratch.workspace, { subPath: 'new/deep', readOnly: true }));
    expect((await failureOf(open)).code).toBe('not_found');
    expect(existsSync(join(scratch.workspace, 'new'))).toBe(false);
  });

  it('hides the base directory inside it from every operation', async () => {
    setUp(['home/.croft/token = SECRET', 'home/x.txt', 'link => home/.croft']);
    const workspace = openWorkspace(scratch.workspace, { baseDir: join(scratch.workspace, 'home/.croft') });
    opened.push(workspace);
    for (const path of ['home/.croft', 'home/.croft/token', 'link/token', 'link', 'home/.croft/new/dir/file']) {
      expect((await failureOf(() => workspace.readText(path))).code, path).toMatch(/^(outside|not_found)$/);
      expect((await failureOf(() => workspace.write(path, 'x'))).code, path).toBe('outside');
    }
    expect(workspace.list('home').entries.map((entry) => entry.name)).toEqual(['x.txt']);
    expect((await workspace.glob('**/*')).matches).toEqual(['home', 'home/x.txt']);
    expect((await workspace.grep({ pattern: 'SECRET' })).matches).toEqual([]);
    expect(workspace.tree('.', { maxDepth: 9, maxEntries: 99 }).entries.map((entry) => entry.path)).toEqual([
      'home',
      'home/x.txt',
      'link',
    ]);
    expect((await workspace.copy('home', 'copy')).files).toBe(1);
    for (const act of [
      () => workspace.delete('home', { recursive: true }),
      () => workspace.move('home', 'h2'),
      () => workspace.move('copy', 'home/.croft/c'),
    ]) {
      expect((await failureOf(act)).code).toBe('outside');
    }
  });

  it('may be a namespace below the base directory, and nothing else of it', async () => {
    setUp(['base/workspaces/shared/a.txt', 'base/workspaces/users/0123/b.txt', 'base/token', 'base/..odd/x']);
    const baseDir = join(scratch.workspace, 'base');
    const inBase = (path: string) => {
      const workspace = openWorkspace(join(baseDir, path), { baseDir });
      opened.push(workspace);
      return workspace;
    };
    expect((await inBase('workspaces/shared').readText('a.txt')).lines).toEqual([
      'workspaces/shared/a.txt'.replace(/^/, 'base/'),
    ]);
    expect(inBase('workspaces/shared').list('.').total).toBe(1);
    expect((await inBase('workspaces/users/0123').glob('*')).matches).toEqual(['b.txt']);
    for (const bad of ['', 'workspaces', 'workspaces/users', '..odd']) {
      const error = await failureOf(() => inBase(bad));
      expect(error.code, bad).toBe('invalid');
      expect(error.message).not.toContain(scratch.base);
    }
  });

  it('goes anywhere by absolute path with restrict: false, names places from itself, and undoes there too', async () => {
    const workspace = setUp(['a.txt = one'], { restrict: false });
    const outside = join(scratch.outside, 'new/deep.txt');
    const made = workspace.write(outside, 'x');
    expect(made.changes.map((change) => change.path)).toEqual([join(scratch.outside, 'new'), outside]);
    expect(workspace.write('b/c.txt', 'y').changes.map((change) => change.path)).toEqual(['b', 'b/c.txt']);
    expect((await workspace.glob('**/*')).matches).toEqual(['a.txt', 'b', 'b/c.txt']);
    expect((await workspace.grep({ pattern: 'SECRET', path: scratch.outside })).matches).toEqual([
      { path: join(scratch.outside, 'secret.txt') },
    ]);
    expect(workspace.locate(outside)).toEqual({ inside: true, path: outside, exists: true });
    for (const change of [...made.changes].reverse()) await workspace.undo(change);
    expect(workspace.locate(outside)).toMatchObject({ exists: false });
    expect((await failureOf(() => workspace.readText('../outside/secret.txt'))).code).toBe('outside');
  });

  it('finds out where a path leads without opening it', () => {
    const workspace = setUp(['a.txt', 'd/', 'l => d', 'out => $OUT']);
    expect(workspace.locate('l/x')).toEqual({ inside: true, path: 'd/x', exists: false });
    expect(workspace.locate('l/no/../no/thing')).toEqual({ inside: true, path: 'd/no/thing', exists: false });
    expect(workspace.locate(join(scratch.workspace, 'a.txt'))).toEqual({ inside: true, path: 'a.txt', exists: true });
    expect(workspace.locate('.')).toEqual({ inside: true, path: '.', exists: true });
    for (const path of ['out/x', '../x', '/etc', 'out', 'x\0', '.env'])
      expect(workspace.locate(path), path).toMatchObject({ inside: false });
  });

  it('says of a file that it has other names, and of nothing else', () => {
    const workspace = setUp(['a.txt', 'd/e/', 'hard.txt == $OUT/secret.txt', 'l => hard.txt']);
    for (const path of ['hard.txt', 'l']) expect(workspace.locate(path)).toMatchObject({ isHardLinked: true });
    for (const path of ['a.txt', 'd', 'new']) expect(workspace.locate(path)).not.toHaveProperty('isHardLinked');
  });

  it('counts .. through names that do not exist, and makes only what is left', async () => {
    for (const resolver of ['openat2', 'walk', 'portable'] as const) {
      const workspace = setUp(['d/'], { resolver });
      workspace.write('new/sub/../file.txt', '1');
      workspace.write('gone/../top.txt', '2');
      workspace.write('d/x/y/../../z.txt', '3');
      const all = workspace.tree('.', { maxDepth: 9, maxEntries: 99 }).entries.map((entry) => entry.path);
      expect(all).toEqual(['d', 'd/z.txt', 'new', 'new/file.txt', 'top.txt']);
      expect((await failureOf(() => workspace.write('no/../../x', '4'))).code).toBe('outside');
      workspace.close();
      scratch.remove();
    }
  });

  it('leaves no directory behind when the act that made it fails', async () => {
    const workspace = setUp(['a.txt', 'd/f'], { quota: { maxFiles: 2 } });
    const long = 'n'.repeat(300);
    const acts = [
      () => workspace.write(`x/y/${long}`, '1'),
      () => workspace.write('x/y/z', '1'),
      () => workspace.createDir(`x/y/${long}`),
      () => workspace.move('d', 'd/x/y/z'),
      () => workspace.copy('d', 'd/x/y'),
      () => workspace.copy('a.txt', 'x/y/z'),
      () => workspace.append('x/y/z', '1'),
      () => workspace.move('a.txt', `x/${long}`),
      () => workspace.write('x/y', '1', { expectedVersion: 'other' }),
    ];
    for (const act of acts) expect((await failureOf(act)).code).toMatch(/^(invalid|quota|changed|io)$/);
    expect(workspace.tree('.', { maxDepth: 9, maxEntries: 99 }).entries.map((entry) => entry.path)).toEqual([
      'd',
      'd/f',
      'a.txt',
    ]);
  });

  it('holds no more descriptors after failures than before', async () => {
    // Sockets of other test files in this process may close meanwhile.
    const open = () =>
      readdirSync('/proc/self/fd')
        .map((fd) => targetOf(`/proc/self/fd/${fd}`))
        .filter((target) => target?.startsWith('/')).length;
    for (const resolver of ['openat2', 'walk'] as const) {
      const workspace = setUp(['d/e/f.txt', 'd/loop => loop', 'out => $OUT', 'd/up => ../..'], { resolver });
      const paths = [`d/${'n'.repeat(300)}`, 'd/e/f.txt/x', 'd/loop', 'out/x', 'd/up', 'd/no/thing', 'd/e', 'd/../..'];
      await workspace.settled();
      const before = open();
      for (const path of paths) {
        for (const act of [
          () => workspace.readBytes(path),
          () => workspace.list(path),
          () => workspace.info(path),
          () => workspace.locate(path),
          () => workspace.createDir(`${path}/q/${'n'.repeat(300)}`),
        ]) {
          await (async (): Promise<unknown> => act())().catch(() => {});
        }
      }
      expect(open()).toBe(before);
      workspace.close();
      scratch.remove();
    }
  });
});

describe('errors', () => {
  it('have a pinned set of codes', () => {
    const codes: Record<WorkspaceErrorCode, true> = {
      outside: true,
      link_outside: true,
      denied: true,
      invalid: true,
      not_found: true,
      is_directory: true,
      not_directory: true,
      not_regular: true,
      not_empty: true,
      exists: true,
      too_large: true,
      binary: true,
      not_text: true,
      hard_linked: true,
      mounted: true,
      not_undoable: true,
      no_match: true,
      ambiguous: true,
      changed: true,
      busy: true,
      read_only: true,
      quota: true,
      cancelled: true,
      deadline: true,
      io: true,
      unavailable: true,
      no_user: true,
    };
    expect(Object.keys(codes)).toHaveLength(27);
  });

  it('never name a host path, whatever fails', async () => {
    const workspace = setUp(
      ['a.txt', 'd/f', 'out => $OUT', 'dang => $OUT/none', 'loop => loop', '.env = x', 'bin = \0'],
      {},
    );
    symlinkSync('/proc/self/root/etc/passwd', join(scratch.workspace, 'magic'));
    writeFileSync(join(scratch.workspace, 'latin'), Buffer.from([0xe9, 0x0a]));
    const names = [
      'a.txt',
      'd',
      'd/f',
      'none',
      'none/x',
      'a.txt/x',
      'out',
      'out/secret.txt',
      'dang',
      'loop',
      '.env',
      'bin',
      'latin',
      'magic',
      '..',
      `${'n'.repeat(300)}`,
      '',
    ];
    const bad = [scratch.base, '/proc/', 'secret', '/tmp'];
    let seen = 0;
    for (const path of names) {
      const acts: (() => unknown)[] = [
        () => workspace.readText(path),
        () => workspace.readBytes(path),
        () => workspace.edit(path, [{ oldString: 'zz', newString: 'y' }]),
        () => workspace.append(path, 'x'),
        () => workspace.list(path),
        () => workspace.tree(path, { maxDepth: 1, maxEntries: 1 }),
        () => workspace.info(path),
        () => workspace.glob('*', { path }),
        () => workspace.grep({ pattern: 'x', path }),
        () => workspace.move(path, 'a.txt'),
        () => workspace.copy(path, 'a.txt'),
        () => workspace.delete(path),
        () => workspace.undo({ kind: 'delete', path, trash: 'x' }),
        () => workspace.undo({ kind: 'update', path }),
      ];
      for (const act of acts) {
        const error = await Promise.resolve()
          .then(act)
          .then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
        if (error === undefined) continue;
        expect(error, path).toBeInstanceOf(WorkspaceError);
        const { message, extra } = error as WorkspaceError;
        for (const part of bad) expect(message.replace(path, '') + JSON.stringify(extra), path).not.toContain(part);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(100);
  });
});

describe('a quota', () => {
  it('takes nothing more where directories are nested too deeply to be counted', async () => {
    const levels = (name: string) => Array.from({ length: 200 }, () => name).join('/');
    const workspace = setUp([`${levels('a')}/`, `${levels('b')}/big = 12345`], { quota: { maxBytes: 8 } });
    workspace.move('b', `${levels('a')}/b`);
    const error = await failureOf(() => workspace.write('more', '12345'));
    expect([error.code, error.message]).toEqual([
      'quota',
      'Quota cannot be counted: directories are nested more than 256 levels. Move or delete inner ones first.',
    ]);
    workspace.move(`${levels('a')}/b`, 'b');
    expect((await failureOf(() => workspace.write('more', '12345'))).message).toContain('5 of 8 bytes');
    await workspace.delete('b', { recursive: true });
    await whenReady(() => workspace.write('more', '12345'));
  });
});

/** The target of a link; `undefined` if it no longer exists. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
