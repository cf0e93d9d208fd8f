import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dataOf } from '../copy-file.ts';
import { whenReady } from '../errors.ts';
import { codeOf, makeScratch, memoryDir, type Scratch, withTurns } from '../testing.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../workspace.ts';

const MIB = 1024 * 1024;
const FILES = 20_000;
const DIRECTORIES = 100;

describe(`a tree of ${FILES} files`, () => {
  let scratch: Scratch;
  let workspace: Workspace;
  const entries = (path: string) => readdirSync(join(scratch.workspace, path), { recursive: true }).length;

  beforeAll(() => {
    scratch = makeScratch([], [], memoryDir());
    // Small directories: each is read in one call, so that without slices nothing would wait at all.
    for (let d = 0; d < DIRECTORIES; d++) {
      const directory = join(scratch.workspace, `tree/${d}`);
      mkdirSync(directory, { recursive: true });
      for (let i = 0; i < FILES / DIRECTORIES; i++) writeFileSync(join(directory, `${i}`), 'x');
    }
    writeFileSync(join(scratch.workspace, 'other.txt'), 'o'.repeat(2_000));
    workspace = openWorkspace(scratch.workspace, {
      trashDir: join(scratch.base, 'trash'),
      quota: { maxBytes: 10 * MIB },
    });
  });
  afterAll(() => {
    workspace.close();
    scratch.remove();
  });

  // Without slices, other callers get one turn. How many entries a slice handles depends on the machine's speed.
  const MIN_TURNS = 10;

  it('is copied, moved to the trash, taken back and counted while other calls run', async () => {
    const results: [string, number][] = [];
    let deleted: Awaited<ReturnType<Workspace['delete']>> | undefined;
    const acts: [string, () => Promise<unknown>][] = [
      ['copy', () => workspace.copy('tree', 'copy')],
      ['delete', async () => (deleted = await workspace.delete('copy', { recursive: true }))],
      ['undo', () => workspace.undo(deleted?.changes[0] as never)],
      ['usage', () => workspace.usage()],
      ['digest', () => workspace.digest('tree')],
    ];
    for (const [name, act] of acts) results.push([name, (await withTurns(act)).turns]);
    expect(results.filter(([, turns]) => turns < MIN_TURNS)).toEqual([]);
    expect(entries('copy')).toBe(entries('tree'));
  });

  it('is counted for a quota in slices before the first write', async () => {
    const fresh = openWorkspace(scratch.workspace, { quota: { maxFiles: 3 * FILES } });
    try {
      expect(await codeOf(() => fresh.write('new.txt', 'x'))).toBe('busy');
      const { turns } = await withTurns(() => whenReady(() => fresh.write('new.txt', 'x')));
      expect(turns).toBeGreaterThan(MIN_TURNS);
      expect(fresh.write('again.txt', 'x').status).toBe('created');
    } finally {
      fresh.close();
    }
  });

  it('leaves nothing when its copy is cancelled, and stays when its deletion is', async () => {
    const before = readdirSync(scratch.workspace);
    for (const act of [
      (signal: AbortSignal) => workspace.copy('tree', 'cancelled', { signal }),
      (signal: AbortSignal) => workspace.delete('tree', { recursive: true, signal }),
    ]) {
      const abort = new AbortController();
      const running = codeOf(() => act(abort.signal));
      for (let i = 0; i < 20; i++) await nextTurn();
      abort.abort();
      expect(await running).toBe('cancelled');
      expect(readdirSync(scratch.workspace)).toEqual(before);
    }
    expect(entries('tree')).toBe(FILES + DIRECTORIES);
  });

  it('is removed from a full trash while other calls run', async () => {
    const small = openWorkspace(scratch.workspace, {
      trashDir: join(scratch.base, 'small'),
      trashLimits: { maxBytes: FILES },
    });
    try {
      await small.delete('copy', { recursive: true });
      await small.settled();
      const { turns } = await withTurns(async () => {
        await small.delete('other.txt');
        await small.settled();
      });
      expect(turns).toBeGreaterThan(MIN_TURNS);
      expect(readdirSync(join(scratch.base, 'small'))).toHaveLength(1);
    } finally {
      small.close();
    }
  });
});

/** Whether this process may make a mount namespace of its own. */
function mayMount(): boolean {
  return spawnSync('unshare', ['-rm', 'true']).status === 0;
}

describe('a copy', () => {
  let scratch: Scratch;
  let workspace: Workspace;
  afterEach(() => {
    workspace.close();
    scratch.remove();
  });
  const setUp = (lines: readonly string[], options: WorkspaceOptions = {}) => {
    scratch = makeScratch(lines);
    workspace = openWorkspace(scratch.workspace, options);
  };
  const at = (name: string) => join(scratch.workspace, name);

  /**
   * Runs statements in a workspace on a disk of its own (`limits` as for mount(8)), as a process that ends with it.
   *
   * @returns what the statements put into `outcomes`; `attempt` puts `done`, or the refusal
   */
  function onSmallDisk(limits: string, statements: string): unknown {
    const script = `
      import { mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
      import { openWorkspace } from ${JSON.stringify(fileURLToPath(new URL('../../dist/index.js', import.meta.url)))};
      process.chdir(${JSON.stringify(at('disk'))});
      const workspace = openWorkspace('.');
      const outcomes = [];
      const attempt = async (act) => {
        try { await act(); outcomes.push('done'); } catch (error) { outcomes.push(error.code + ': ' + error.message); }
      };
      ${statements}
      process.stdout.write(JSON.stringify(outcomes));`;
    const mount = `mount -t tmpfs -o ${limits} tmpfs "$1" && exec "$2" --input-type=module -e "$3"`;
    const args = ['-rm', 'sh', '-c', mount, 'sh', at('disk'), process.execPath, script];
    return JSON.parse(execFileSync('unshare', args, { encoding: 'utf8' }));
  }

  /** 64 MiB with 4 bytes of data in the middle and 4 at the end. */
  function makeSparse(name: string): void {
    const fd = openSync(at(name), 'w');
    writeSync(fd, 'data', 32 * MIB);
    writeSync(fd, 'last', 64 * MIB - 4);
    closeSync(fd);
  }

  it('keeps the holes of a file, and its content', async () => {
    setUp(['d/']);
    makeSparse('d/sparse');
    await workspace.copy('d/sparse', 'one');
    await workspace.copy('d', 'tree');
    const content = readFileSync(at('d/sparse'));
    for (const name of ['one', 'tree/sparse']) {
      expect(statSync(at(name)).blocks * 512, name).toBeLessThan(2 * MIB);
      expect(readFileSync(at(name)).equals(content), name).toBe(true);
    }
  });

  it('keeps holes without the native calls too', async () => {
    setUp([]);
    makeSparse('sparse');
    const fd = openSync(at('sparse'), 'r');
    // The whole file counts as data, and runs of zeros are left out.
    expect([...dataOf(fd, statSync(at('sparse')), null)]).toEqual([[0, 64 * MIB]]);
    closeSync(fd);
    const script = `
      import { openWorkspace } from ${JSON.stringify(fileURLToPath(new URL('../../dist/index.js', import.meta.url)))};
      await openWorkspace(${JSON.stringify(scratch.workspace)}).copy('sparse', 'copy');`;
    const env = { ...process.env, CROFT_NO_NATIVE: '1' };
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { env });
    expect(statSync(at('copy')).blocks * 512).toBeLessThan(4 * MIB);
    expect(readFileSync(at('copy')).equals(readFileSync(at('sparse')))).toBe(true);
  });

  it('of one large file can be cancelled', async () => {
    setUp([]);
    writeFileSync(at('large'), Buffer.alloc(64 * MIB, 'x'));
    const abort = new AbortController();
    const running = codeOf(() => workspace.copy('large', 'copy', { signal: abort.signal }));
    for (let i = 0; i < 5; i++) await nextTurn();
    abort.abort();
    expect(await running).toBe('cancelled');
    expect(readdirSync(scratch.workspace)).toEqual(['large']);
  });

  it('is cancelled when the workspace is closed', async () => {
    setUp([]);
    writeFileSync(at('large'), Buffer.alloc(64 * MIB, 'x'));
    const running = codeOf(() => workspace.copy('large', 'copy'));
    await nextTurn();
    workspace.close();
    expect(await running).toBe('cancelled');
    expect(readdirSync(scratch.workspace)).toEqual(['large']);
  });

  it('of holes needs no space on the disk', async () => {
    setUp(['d/f']);
    const { bavail, bsize } = statfsSync(scratch.workspace);
    truncateSync(at('d/f'), Math.min(bavail * bsize * 2, 8 * 1024 ** 4));
    expect(await codeOf(() => workspace.copy('d', 'holes'))).toBe('done');
    expect(statSync(at('holes/f')).size).toBe(statSync(at('d/f')).size);
  });

  it.skipIf(!mayMount())('is refused before it starts where the disk has not enough space, and leaves nothing', () => {
    setUp(['disk/']);
    const outcomes = onSmallDisk(
      'size=4m',
      `
      mkdirSync('tree/d', { recursive: true });
      for (const name of ['tree/a', 'tree/d/b', 'tree/d/c']) writeFileSync(name, Buffer.alloc(${MIB} - 4096, 'x'));
      const before = readdirSync('.', { recursive: true });
      const blocks = () => statfsSync('.').bfree;
      const free = blocks();
      await attempt(() => workspace.copy('tree', 'copied'));
      await attempt(() => workspace.copy('tree/a', 'fits'));
      await attempt(() => workspace.copy('tree/a', 'too-much'));
      await workspace.delete('fits');
      outcomes.push(String(blocks() === free), String(readdirSync('.', { recursive: true }).join() === before.join()));`,
    );
    const refused = expect.stringMatching(/^io: Cannot copy: the disk has \d+ bytes left, and this needs \d+$/);
    expect(outcomes).toEqual([refused, 'done', refused, 'true', 'true']);
  });

  it.skipIf(!mayMount())('that fills the disk all the same leaves nothing', () => {
    setUp(['disk/']);
    // The number of files is limited, which nothing foresees.
    const outcomes = onSmallDisk(
      'size=1m,nr_inodes=100',
      `
      mkdirSync('tree');
      for (let i = 0; i < 60; i++) writeFileSync('tree/' + i, '');
      const before = readdirSync('.', { recursive: true }).length;
      await attempt(() => workspace.copy('tree', 'copied'));
      outcomes.push(String(readdirSync('.', { recursive: true }).length - before));`,
    );
    expect(outcomes).toEqual([expect.stringMatching(/^io: Cannot copy: /), '0']);
  });

  it('is held to the quota before it starts', async () => {
    setUp(['d/f = 123456'], { quota: { maxBytes: 10 } });
    expect(await codeOf(() => workspace.copy('d', 'e'))).toBe('quota');
    expect(readdirSync(scratch.workspace)).toEqual(['d']);
  });
});
