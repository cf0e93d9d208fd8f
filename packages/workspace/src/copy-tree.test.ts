import fs, {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { copyAcross, copyTree } from './copy-tree.ts';
import { createPace } from './pace.ts';
import { openDir } from './resolve/dir.ts';
import { codeOf, makeScratch, type Scratch, withReplaced } from './testing.ts';

let scratch: Scratch;
afterEach(() => scratch.remove());
const at = (name: string) => join(scratch.workspace, name);
const LINES = ['from/a/b/f = text', 'from/.env = KEY', 'from/.croft-tmp-1', 'from/link => a', 'from/g', 'from/empty/'];
const below = (path: string) => (readdirSync(path, { recursive: true }) as string[]).sort();

describe.each(['by path', 'by descriptor'])('a copied directory, %s', (how) => {
  const copy = async (options: Partial<Parameters<typeof copyTree>[2]> = {}) => {
    const dir = openDir(scratch.workspace, how === 'by path' ? 'path' : 'descriptor');
    try {
      return await copyTree(dir.at('from'), dir.at('to'), { pace: createPace(), denyList: true, ...options });
    } finally {
      dir.close();
    }
  };

  it('has the files and directories with their modes, without links and protected names, which are counted', async () => {
    scratch = makeScratch(LINES);
    chmodSync(at('from/a/b/f'), 0o640);
    chmodSync(at('from/a'), 0o2750);
    chmodSync(at('from'), 0o500);
    expect(await copy()).toEqual({ files: 2, directories: 4, bytes: 10, skipped: 2 });
    expect(below(at('to'))).toEqual(['a', 'a/b', 'a/b/f', 'empty', 'g']);
    const modes = ['to', 'to/a', 'to/a/b/f'].map((name) => lstatSync(at(name)).mode & 0o7777);
    expect([modes, readFileSync(at('to/a/b/f'), 'utf8')]).toEqual([[0o500, 0o750, 0o640], 'text']);
  });

  it('has everything with its time where the copy is exact', async () => {
    scratch = makeScratch(LINES);
    utimesSync(at('from/g'), 1, 5);
    chmodSync(at('from/a'), 0o3775);
    const { skipped } = await copy({ denyList: false, exact: true });
    expect(lstatSync(at('to/a')).mode & 0o7777).toBe(0o3775);
    expect([skipped, below(at('to'))]).toEqual([0, below(at('from'))]);
    expect([readlinkSync(at('to/link')), lstatSync(at('to/g')).mtimeMs]).toEqual(['a', 5_000]);
  });

  it('leaves out what the caller names, by its path, and counts it', async () => {
    scratch = makeScratch(LINES);
    expect((await copy({ leaveOut: (path) => path === 'a/b' || path === 'g' })).skipped).toBe(4);
    expect(below(at('to'))).toEqual(['a', 'empty']);
  });

  it('leaves no directory open', async () => {
    scratch = makeScratch(LINES);
    const count = () => readdirSync('/proc/self/fd').length;
    const before = count();
    await copy();
    await expect(copy()).rejects.toThrow('EEXIST');
    // Other work of this process may close descriptors meanwhile.
    expect(count()).toBeLessThanOrEqual(before);
  });

  it('takes no name that is in use, and ends when it is cancelled', async () => {
    scratch = makeScratch([...LINES, 'to/']);
    await expect(copy()).rejects.toThrow('EEXIST');
    scratch.remove();
    scratch = makeScratch(LINES);
    expect(await codeOf(() => copy({ pace: createPace([AbortSignal.abort()]) }))).toBe('cancelled');
  });
});

it('counts no temporary name as left out where protected names are copied', async () => {
  scratch = makeScratch(LINES);
  const done = await copyTree(at('from'), at('to'), { pace: createPace(), denyList: false });
  expect([done.skipped, below(at('to')).includes('.env'), below(at('to')).includes('.croft-tmp-1')]).toEqual([
    1,
    true,
    false,
  ]);
});

it('ends when it is cancelled in the middle of a file', async () => {
  scratch = makeScratch(['from/']);
  writeFileSync(at('from/large'), Buffer.alloc(2 ** 21, 1));
  // Set-id bits keep it from being cloned where the file system could.
  chmodSync(at('from/large'), 0o4644);
  const ending = new AbortController();
  const leaveOut = () => {
    ending.abort();
    return false;
  };
  const copying = () => copyTree(at('from'), at('to'), { pace: createPace([ending.signal]), denyList: true, leaveOut });
  expect(await codeOf(copying)).toBe('cancelled');
  expect(readdirSync(at('to'))).toEqual([]);
});

it('leaves out a file that vanishes meanwhile', async () => {
  scratch = makeScratch(['from/f', 'from/d/f']);
  const leaveOut = (path: string) => {
    rmSync(at(`from/${path}`), { recursive: true });
    return false;
  };
  const gone = await copyTree(at('from'), at('to'), { pace: createPace(), denyList: true, leaveOut });
  expect([gone, readdirSync(at('to'))]).toEqual([{ files: 0, directories: 1, bytes: 0, skipped: 2 }, []]);
});

describe.each(['EACCES', 'EIO'])('an entry whose opening fails with %s', (code) => {
  const failing = (path: string) => {
    const open = fs.openSync;
    const openSync = ((name: string, ...rest: [number]) => {
      if (name.endsWith(path) && !name.includes('/to')) throw Object.assign(new Error(code), { code });
      return open(name, ...rest);
    }) as typeof fs.openSync;
    return withReplaced(fs, { openSync }, () =>
      copyTree(at('from'), at('to'), { pace: createPace(), denyList: true, written: 'from' }).then(
        () => 'copied',
        (error: Error) => error.message,
      ),
    );
  };

  it.each(['a/b', 'a/b/f', 'g'])('ends the copy with its path: %s', async (path) => {
    scratch = makeScratch(LINES);
    expect(await failing(path)).toBe(`Cannot copy from/${path}: ${code}`);
  });

  it('is not complete in the trash', async () => {
    scratch = makeScratch(LINES);
    const open = fs.openSync;
    const openSync = ((name: string, ...rest: [number]) => {
      if (name.endsWith('from/g')) throw Object.assign(new Error(code), { code });
      return open(name, ...rest);
    }) as typeof fs.openSync;
    const kept = withReplaced(fs, { openSync }, () => copyAcross(at('from'), at('kept'), createPace()));
    expect(await kept).toBe(false);
  });
});

it('ends where a directory cannot be listed', async () => {
  scratch = makeScratch(LINES);
  const readdir = fs.readdirSync;
  const failing = ((path: string, options: object) => {
    if (path.endsWith('/a/b')) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'scandir' });
    return readdir(path, options);
  }) as typeof readdirSync;
  const copying = withReplaced(fs, { readdirSync: failing }, () =>
    copyTree(at('from'), at('to'), { pace: createPace(), denyList: true }),
  );
  await expect(copying).rejects.toThrow('Cannot copy a/b: EIO');
});

describe('a copy to another file system', () => {
  const across = (from: string) => copyAcross(at(from), at('copy'), createPace());

  it('has files with their time, links as links, and directories with all of their content', async () => {
    scratch = makeScratch(['f = text', 'link => $OUT/secret.txt', 'd/.env', 'd/x/y']);
    utimesSync(at('f'), 1, 5);
    expect(await across('f')).toBe(true);
    expect([readFileSync(at('copy'), 'utf8'), lstatSync(at('copy')).mtimeMs]).toEqual(['text', 5_000]);
    expect(await copyAcross(at('link'), at('link-copy'), createPace())).toBe(true);
    expect(readlinkSync(at('link-copy'))).toBe(`${scratch.outside}/secret.txt`);
    expect(await copyAcross(at('d'), at('d-copy'), createPace())).toBe(true);
    expect(below(at('d-copy'))).toEqual(['.env', 'x', 'x/y']);
  });

  it('is not complete where something cannot be copied', async () => {
    scratch = makeScratch(['d/f', 'taken']);
    const server = createServer().listen(at('d/socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      expect(await across('d/socket')).toBe(false);
      expect(await across('d')).toBe(false);
      writeFileSync(at('taken'), 'here');
      expect(await copyAcross(at('d/f'), at('taken'), createPace())).toBe(false);
      expect(readFileSync(at('taken'), 'utf8')).toBe('here');
    } finally {
      server.close();
    }
  });

  it('passes on that it was cancelled', async () => {
    scratch = makeScratch(['d/f']);
    expect(await codeOf(() => copyAcross(at('d'), at('copy'), createPace([AbortSignal.abort()])))).toBe('cancelled');
    expect(existsSync(at('copy/f'))).toBe(false);
  });
});
