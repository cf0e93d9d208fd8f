import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeSearchWorkers } from './search/worker-pool.ts';
import { codeOf, makeScratch, memoryDir, type Scratch } from './testing.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts';

let scratch: Scratch;
let workspace: Workspace;
afterEach(() => {
  workspace.close();
  // Node's own removal does not take a tree deeper than the longest path.
  execFileSync('rm', ['-rf', scratch.base]);
});
afterAll(closeSearchWorkers);

// Ten thousand directories take a disk half a minute, and memory a moment.
const makeLarge = (lines: readonly string[]) => makeScratch(lines, undefined, memoryDir());

function setUp(lines: readonly string[] = [], options: WorkspaceOptions = {}): void {
  scratch = makeLarge(lines);
  workspace = openWorkspace(scratch.workspace, options);
}

describe('a directory of 100,000 entries', () => {
  it('is listed by pages, walked, searched and refused or deleted in bounds', async () => {
    setUp();
    const many = join(scratch.workspace, 'many');
    mkdirSync(many);
    for (let i = 0; i < 100_000; i++) symlinkSync('x', join(many, `e${i}`));
    writeFileSync(join(many, 'zz.txt'), 'needle');
    expect(workspace.list('many', { offset: 99_999, limit: 10 })).toMatchObject({
      total: 100_001,
      entries: [{ name: 'e99999' }, { name: 'zz.txt' }],
    });
    expect(workspace.tree('.', { maxDepth: 3, maxEntries: 200 })).toMatchObject({
      truncated: true,
      entries: { length: 200 },
    });
    expect(await workspace.glob('many/*')).toMatchObject({ truncated: true, matches: { length: 100 } });
    expect((await workspace.grep({ pattern: 'needle' })).matches).toEqual([{ path: 'many/zz.txt' }]);
    expect(await codeOf(() => workspace.delete('many', { recursive: true }))).toBe('too_large');
    unlinkSync(join(many, 'e0'));
    expect((await workspace.delete('many', { recursive: true })).entries).toBe(100_000);
    expect(existsSync(many)).toBe(false);
  });
});

/** A chain of 10,000 directories: far longer than any path can be. Made from the bottom up, a hundred at a time. */
function makeDeep(): void {
  const chain = Array.from({ length: 99 }, () => 'd').join('/');
  const deep = join(scratch.workspace, 'deep');
  const longer = join(scratch.workspace, 'longer');
  mkdirSync(join(deep, chain), { recursive: true });
  writeFileSync(join(deep, chain, 'bottom.txt'), 'bottom');
  for (let i = 1; i < 100; i++) {
    mkdirSync(join(longer, chain), { recursive: true });
    renameSync(deep, join(longer, chain, 'd'));
    renameSync(longer, deep);
  }
}

describe('a tree 10,000 directories deep', () => {
  it.each([
    ['without a trash', false],
    ['with a trash', true],
  ])(
    'brings nothing down, %s',
    async (_, hasTrash) => {
      scratch = makeLarge(['top.txt = bottom']);
      workspace = openWorkspace(scratch.workspace, hasTrash ? { trashDir: join(scratch.base, 'trash') } : {});
      makeDeep();
      const tree = workspace.tree('.', { maxDepth: 1_000_000, maxEntries: 1_000_000 });
      expect(tree.truncated).toBe(true);
      expect(tree.entries.length).toBeGreaterThan(200);
      const found = await workspace.glob('**/*.txt');
      expect(found.matches).toEqual(['top.txt']);
      expect(found.truncated).toBe(true);
      expect(await workspace.grep({ pattern: 'bottom' })).toMatchObject({
        matches: [{ path: 'top.txt' }],
        truncated: true,
      });
      expect((await workspace.usage()).files).toBeGreaterThan(0);
      const copied = await workspace.copy('deep', 'copied');
      expect(copied.skipped).toBeGreaterThan(0);
      // An entry below the depth limit might be protected, so only a person may delete it, not an agent.
      expect(await codeOf(() => workspace.delete('deep', { recursive: true }))).toBe('too_large');
      expect(workspace.move('deep', 'moved').changes).toHaveLength(1);
      expect(workspace.locate('moved')).toMatchObject({ exists: true });
      const long = `moved/${'d/'.repeat(253)}d`;
      expect(workspace.info(long).type).toBe('directory');
      expect(await codeOf(() => workspace.write(`${long}/x`, 'y'))).toBe('done');
      expect(await codeOf(() => workspace.write(`${long}/d/x`, 'y'))).toBe('invalid');
      for (const depth of [1_900, 9_000])
        expect(await codeOf(() => workspace.info(`moved/${'d/'.repeat(depth)}d`))).toBe('invalid');
    },
    60_000,
  );

  it('is pruned from the trash in spite of its depth', async () => {
    setUp();
    makeDeep();
    const { openTrash } = await import('./trash.ts');
    const trash = openTrash(join(scratch.base, 'trash'), undefined, 'descriptor');
    trash.drop(trash.take(join(scratch.workspace, 'deep'), 1));
    await trash.settled();
    expect(readdirSync(join(scratch.base, 'trash'))).toEqual([]);
  });
});

describe('names that are not UTF-8', () => {
  it('are shown, cannot be opened by what is shown, and are deleted with their directory', async () => {
    for (const trashDir of [undefined, 'trash']) {
      scratch = makeScratch(['d/ok.txt = needle']);
      workspace = openWorkspace(scratch.workspace, trashDir ? { trashDir: join(scratch.base, trashDir) } : {});
      const raw = (text: string) =>
        Buffer.concat([Buffer.from(`${scratch.workspace}/d/`), Buffer.from(text, 'latin1')]);
      writeFileSync(raw('caf\xe9.txt'), 'needle');
      mkdirSync(raw('dir\xff'));
      writeFileSync(raw('dir\xff/in.txt'), 'needle');
      expect(workspace.list('d').entries.map((entry) => entry.name)).toEqual(['dir\ufffd', 'caf\ufffd.txt', 'ok.txt']);
      expect(await codeOf(() => workspace.readText('d/caf\ufffd.txt'))).toBe('not_found');
      expect((await workspace.grep({ pattern: 'needle' })).matches).toEqual([{ path: 'd/ok.txt' }]);
      expect((await workspace.glob('d/*.txt')).matches).toContain('d/ok.txt');
      expect(await workspace.copy('d', 'copy')).toMatchObject({ files: 1, skipped: 2 });
      expect((await workspace.delete('d', { recursive: true })).type).toBe('directory');
      expect(existsSync(join(scratch.workspace, 'd'))).toBe(false);
      workspace.close();
      scratch.remove();
    }
  });
});

describe('what vanishes', () => {
  it('is an error of its own or left out, never a crash', async () => {
    setUp(['a.txt', 'd/b.txt']);
    const file = workspace.open('a.txt');
    unlinkSync(join(scratch.workspace, 'a.txt'));
    expect(readFileSync(file.fd, 'utf8')).toBe('a.txt');
    const { closeSync } = await import('node:fs');
    closeSync(file.fd);
    for (const act of [
      () => workspace.readText('a.txt'),
      () => workspace.edit('a.txt', [{ oldString: 'a', newString: 'b' }]),
      () => workspace.delete('a.txt'),
      () => workspace.move('a.txt', 'x'),
      () => workspace.copy('a.txt', 'x'),
      () => workspace.info('a.txt'),
    ]) {
      expect(await codeOf(act)).toBe('not_found');
    }
    rmSync(join(scratch.workspace, 'd'), { recursive: true });
    expect(await codeOf(() => workspace.list('d'))).toBe('not_found');
    expect(await codeOf(() => workspace.grep({ pattern: 'x', path: 'd' }))).toBe('not_found');
  });
  it('may be the whole workspace, under a search too', async () => {
    setUp(['a.txt']);
    renameSync(scratch.workspace, `${scratch.workspace}.gone`);
    rmSync(`${scratch.workspace}.gone`, { recursive: true });
    for (const act of [
      () => workspace.readText('a.txt'),
      () => workspace.write('a.txt', ''),
      () => workspace.glob('*'),
      () => workspace.grep({ pattern: 'x' }),
      () => workspace.list('.'),
    ]) {
      expect(await codeOf(act)).toBe('unavailable');
    }
  });
});

describe('a full disk', () => {
  it('fails a write, an edit, an append and a copy with nothing half-written', async (context) => {
    setUp();
    if (process.getuid?.() !== 0) return context.skip('mounting a small file system takes root');
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,nr_inodes=64', 'tmpfs', scratch.workspace], {
      encoding: 'utf8',
    });
    if (mounted.status !== 0) return context.skip(`no tmpfs can be mounted here: ${mounted.stderr.trim()}`);
    const full = openWorkspace(scratch.workspace, { trashDir: join(scratch.base, 'trash') });
    try {
      full.write('keep.txt', 'precious '.repeat(10_000));
      full.write('d/x', 'y');
      const before = full.tree('.', { maxDepth: 9, maxEntries: 99 }).entries;
      const big = 'z'.repeat(300_000);
      const acts = [
        () => full.write('new.txt', big),
        () => full.write('n/e/w.txt', big),
        () => full.write('keep.txt', big),
        () => full.append('keep.txt', big),
        () => full.edit('keep.txt', [{ oldString: 'precious', newString: 'p'.repeat(30), replaceAll: true }]),
      ];
      for (const act of acts) {
        const error = await (async (): Promise<unknown> => act())().catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ code: 'io', message: 'Cannot write file: No space left on device' });
      }
      full.write('half.txt', 'h'.repeat(90_000));
      expect(await codeOf(() => full.copy('keep.txt', 'c/copy.txt'))).toBe('io');
      await full.delete('half.txt');
      full.write('d/big', 'h'.repeat(90_000));
      expect(await codeOf(() => full.copy('d', 'tree'))).toBe('io');
      await full.delete('d/big');
      expect(full.tree('.', { maxDepth: 9, maxEntries: 99 }).entries).toEqual(before);
      expect((await full.readBytes('keep.txt')).bytes.toString()).toBe('precious '.repeat(10_000));
      expect(readdirSync(scratch.workspace).sort()).toEqual(['d', 'keep.txt']);
    } finally {
      full.close();
      spawnSync('umount', ['-l', scratch.workspace]);
    }
  });
});

describe('an odd path', () => {
  it.each([
    '',
    '.',
    './',
    './/.',
    '\ud800',
    'a\nb',
    '\u202e',
    ' lead',
    '~',
    '~/x',
    '%2e%2e/x',
    '..%2fx',
    '\uff0e\uff0e/x',
    '...',
    '....//',
    'C:',
    'C:\\x',
    '\\\\server\\share',
    'file:///etc/passwd',
    '-rf',
    '$HOME',
    '`id`',
    'x'.repeat(255),
    'é'.repeat(127),
  ])('%j stays inside', async (path) => {
    setUp();
    const outcome = await codeOf(() => workspace.write(path, 'x'));
    expect(['done', 'is_directory', 'invalid', 'outside']).toContain(outcome);
    expect(readdirSync(scratch.base).sort()).toEqual(['outside', 'workspace']);
    expect(readdirSync(scratch.outside)).toEqual(['secret.txt']);
  });
});
