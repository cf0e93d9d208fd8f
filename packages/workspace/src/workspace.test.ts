import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { WorkspaceError, whenReady } from './errors.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { closeSearchWorkers } from './search/worker-pool.ts';
import { failureOf, makeScratch } from './testing.ts';
import { useWorkspaces } from './use-workspaces.ts';
import { openWorkspace } from './workspace.ts';

const open = useWorkspaces();
afterAll(closeSearchWorkers);

describe('a workspace without options', () => {
  it('is enclosed, writable, with the deny-list and the default limits, and keeps nothing for undo', async () => {
    const { workspace, scratch } = open(['f = text', '.env = KEY=1']);
    expect([workspace.root, workspace.readOnly, workspace.restricted, workspace.limits]).toEqual([
      scratch.workspace,
      false,
      true,
      DEFAULT_LIMITS,
    ]);
    expect((await failureOf(() => workspace.readText('.env'))).code).toBe('denied');
    expect((await failureOf(() => workspace.readText(scratch.outside))).code).toBe('outside');
    expect(workspace.trashBytes()).toBeUndefined();
    expect(workspace.write('f', 'new').changes).not.toEqual([]);
    workspace.recount();
  });

  it('does not exist where its directory is missing', async () => {
    const { scratch } = open();
    expect((await failureOf(() => openWorkspace(join(scratch.base, 'no')))).code).toBe('unavailable');
  });
});

describe('an option', () => {
  it('refuses every change, or begins below a sub-path', async () => {
    const { workspace, at } = open(['sub/f', 'f'], { readOnly: true });
    expect(workspace.readOnly).toBe(true);
    expect((await failureOf(() => workspace.write('f', 'x'))).code).toBe('read_only');
    const below = openWorkspace(at('.'), { subPath: 'sub' });
    expect(below.list('.').entries.map(({ name }) => name)).toEqual(['f']);
    below.close();
    expect((await failureOf(() => openWorkspace(at('.'), { subPath: 'new', readOnly: true }))).code).not.toBe('done');
    expect(existsSync(at('new'))).toBe(false);
  });

  it('lifts the boundary and keeps the deny-list', async () => {
    const { workspace, scratch } = open(['.env = KEY=1'], { restrict: false });
    expect(workspace.restricted).toBe(false);
    expect((await workspace.readText(join(scratch.outside, 'secret.txt'))).lines.join()).toContain('SECRET');
    expect((await failureOf(() => workspace.readText('.env'))).code).toBe('denied');
    expect(workspace.locate(scratch.outside)).toEqual({ inside: true, path: scratch.outside, exists: true });
  });

  it('switches the deny-list off, or adds names to it', async () => {
    const off = open(['.env = KEY=1'], { denyList: false }).workspace;
    expect((await off.readText('.env')).lines.join()).toContain('KEY=1');
    const { workspace } = open(['.env = KEY=1', 'mine/f', 'f'], { denyList: ['mine'] });
    expect((await failureOf(() => workspace.readText('mine/f'))).code).toBe('denied');
    expect((await failureOf(() => workspace.readText('.env'))).code).toBe('denied');
    expect((await workspace.readText('f')).lines.join()).toContain('f');
  });

  it('changes single limits, and leaves names out of lists', async () => {
    const { workspace } = open(['a', 'cache/f'], { limits: { maxFileBytes: 3 }, ignoreNames: ['cache'] });
    expect(workspace.limits).toEqual({ ...DEFAULT_LIMITS, maxFileBytes: 3 });
    expect((await failureOf(() => workspace.write('b', '1234'))).code).toBe('too_large');
    expect(workspace.list('.').entries.map(({ name }) => name)).toEqual(['a']);
  });

  it('bounds the files, and keeps old content outside with a bound that is the quota where there is one', async () => {
    const { workspace } = open(['a = 123'], ({ base }) => ({
      quota: { maxBytes: 1_000, maxFiles: 1 },
      trashDir: join(base, 'trash'),
      trashLimits: { maxBytes: 500 },
    }));
    expect((await failureOf(() => workspace.write('b', ''))).code).toBe('quota');
    expect(workspace.trashBytes()).toBe(500);
    const [change] = workspace.write('a', 'new').changes;
    await workspace.undo(change as NonNullable<typeof change>);
    expect((await workspace.readText('a')).lines.join()).toContain('123');
  });

  it('counts again after another program deleted files', async () => {
    const { workspace, at } = open(['a = 123', 'b = 123'], { quota: { maxBytes: 6 } });
    expect((await failureOf(() => workspace.write('c', '1'))).code).toBe('quota');
    writeFileSync(at('a'), '');
    workspace.recount();
    expect((await whenReady(() => workspace.write('c', '1'))).changes).toHaveLength(1);
  });
});

describe("Croft's own base directory", () => {
  const refused = async (dir: string, baseDir: string) => failureOf(() => openWorkspace(dir, { baseDir }));

  it('is refused as a workspace, and so are its parts and the directories of all users', async () => {
    const scratch = makeScratch(['logs/', 'workspaces/users/ann/', 'workspaces/team/', '..more/']);
    const base = scratch.workspace;
    for (const part of ['.', 'logs', 'workspaces', 'workspaces/users', '..more']) {
      const error = await refused(join(base, part), base);
      expect([part, error.code, error.message]).toEqual([
        part,
        'invalid',
        "Croft's own base directory cannot be a workspace; use a directory outside it",
      ]);
      expect(error.operatorMessage).toContain(`${base} or inside it`);
    }
    for (const part of ['workspaces/users/ann', 'workspaces/team'])
      openWorkspace(join(base, part), { baseDir: base }).close();
    scratch.remove();
  });

  it('is hidden in a workspace that holds it', async () => {
    const { workspace } = open(['.croft/token', 'f'], ({ workspace: dir }) => ({ baseDir: join(dir, '.croft') }));
    expect(workspace.list('.').entries.map(({ name }) => name)).toEqual(['f']);
    expect((await failureOf(() => workspace.readText('.croft/token'))).code).toBe('outside');
  });
});

describe('the location of a path', () => {
  it('is inside, with its real path, whether it exists or not', () => {
    const { workspace } = open(['d/f', 'link => d', 'd/g == $ROOT/d/f', 'one']);
    expect(workspace.locate('.')).toEqual({ inside: true, path: '.', exists: true });
    expect(workspace.locate('one')).toEqual({ inside: true, path: 'one', exists: true });
    expect(workspace.locate('link/f')).toEqual({ inside: true, path: 'd/f', exists: true, isHardLinked: true });
    expect(workspace.locate('d')).toEqual({ inside: true, path: 'd', exists: true });
    expect(workspace.locate('d/new')).toEqual({ inside: true, path: 'd/new', exists: false });
    expect(workspace.locate('no/such/f')).toEqual({ inside: true, path: 'no/such/f', exists: false });
  });

  it('is not inside where the workspace would refuse, with the reason', () => {
    const { workspace } = open(['out => $OUT']);
    const reason = (path: string) => {
      const at = workspace.locate(path);
      return at.inside ? 'inside' : at.error.code;
    };
    expect([reason('out/secret.txt'), reason('..'), reason('.ssh/id')]).toEqual(['link_outside', 'outside', 'denied']);
    expect(() => workspace.locate(undefined as never)).toThrow(TypeError);
  });
});

it('tests paths against a glob, and refuses what a search refuses', async () => {
  const { workspace } = open();
  const matches = workspace.matcher('src/**/*.{ts,md}');
  expect([matches('src/a/b.ts'), matches('src/a.md'), matches('src/a.js'), matches('a.ts')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect((await failureOf(() => workspace.matcher('../*'))).code).toBe('invalid');
});

it('counts what it holds, and does not when cancelled', async () => {
  const { workspace } = open(['a = 12345', 'd/b = 123']);
  expect(await workspace.usage()).toEqual({ bytes: 8, files: 2 });
  await expect(workspace.usage(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
});

describe('a start', () => {
  const ABANDONED = '.croft-tmp-1-0-00000000-000000000000';
  const OLD = new Date(Date.now() - 2 * 60 * 60 * 1000);

  it.each([
    ['removes', false],
    ['keeps, where it may not write,', true],
  ])('%s what a killed process left', async (_, readOnly) => {
    const scratch = makeScratch([ABANDONED, '.croft-tmp-mine', 'f']);
    const at = (name: string) => join(scratch.workspace, name);
    utimesSync(at(ABANDONED), OLD, OLD);
    const workspace = openWorkspace(scratch.workspace, { readOnly });
    await workspace.settled();
    expect([existsSync(at(ABANDONED)), existsSync(at('.croft-tmp-mine')), existsSync(at('f'))]).toEqual([
      readOnly,
      true,
      true,
    ]);
    workspace.close();
    scratch.remove();
  });

  it('waits for the trash, too', async () => {
    const { workspace, scratch } = open(['f'], ({ base }) => ({ trashDir: join(base, 'trash') }));
    workspace.write('f', 'new');
    await expect(workspace.settled()).resolves.toBeUndefined();
    expect(existsSync(join(scratch.base, 'trash'))).toBe(true);
  });
});

it('cancels what is under way when it is closed, and answers nothing afterwards', async () => {
  const { workspace, at } = open();
  for (let i = 0; i < 40; i++) {
    mkdirSync(at(`d${i}`));
    for (let file = 0; file < 50; file++) writeFileSync(at(`d${i}/f${file}`), '');
  }
  const usage = workspace.usage().catch((error: unknown) => error);
  workspace.close();
  const ended = await usage;
  expect(ended).toBeInstanceOf(WorkspaceError);
  expect(() => workspace.list('.')).toThrow();
});
