import { spawn } from 'node:child_process';
import fs, {
  appendFileSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { LIST, loadNative } from '../resolve/native.ts';
import type { ResolverKind } from '../resolve/root.ts';
import { LOCK_NAME } from '../temp-name.ts';
import { codeOf, makeScratch, type Scratch } from '../testing.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

const dist = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
const native = loadNative();
const RESOLVERS: ResolverKind[] = native ? ['openat2', 'walk'] : ['walk'];
const CALLS = 60;

let scratch: Scratch;
let workspace: Workspace | undefined;
const real = { lstatSync: fs.lstatSync, renameSync: fs.renameSync, writeSync: fs.writeSync };
afterEach(() => {
  Object.assign(fs, real);
  syncBuiltinESMExports();
  workspace?.close();
  workspace = undefined;
  scratch.remove();
});

/** Counts, appends and edits a line of its own, over and over, as one of several callers. */
const contender = (root: string, trash: string, resolver: ResolverKind, own: string) => `
  const { openWorkspace } = await import(${JSON.stringify(dist)});
  const workspace = openWorkspace(${JSON.stringify(root)}, { trashDir: ${JSON.stringify(trash)}, resolver: '${resolver}' });
  const code = (act) => { try { act(); return 'ok'; } catch (error) { return error.code ?? String(error); } };
  const nap = new Int32Array(new SharedArrayBuffer(4));
  for (let i = 0; i < ${CALLS}; i++) {
    for (;;) {
      const { text, version } = await workspace.readWhole('counter.txt');
      const done = code(() => workspace.write('counter.txt', String(Number(text) + 1), { expectedVersion: version }));
      if (done === 'ok') break;
      if (done !== 'changed' && done !== 'busy') throw new Error(done);
      Atomics.wait(nap, 0, 0, Math.random() * 2);
    }
    workspace.append('log.txt', '${own}' + i + '\\n');
    workspace.edit('edited.txt', [{ oldString: '${own}' + i + ';', newString: '${own}' + (i + 1) + ';' }]);
  }
  workspace.close();`;

function runProcess(script: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))));
  });
}

function runThread(script: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(`(async () => {${script}})()`, { eval: true, trackUnmanagedFds: false });
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))));
  });
}

describe.each(RESOLVERS)('changes of one directory by several callers at once, resolver %s', (resolver) => {
  it.each([
    ['processes', runProcess],
    ['threads', runThread],
  ] as const)('are all there when they are %s: counted, appended and edited', async (_, run) => {
    scratch = makeScratch(['counter.txt = 0', 'log.txt = ', 'edited.txt = a0; b0;']);
    const trash = join(scratch.base, 'trash');
    await Promise.all(['a', 'b'].map((own) => run(contender(scratch.workspace, trash, resolver, own))));
    const text = (name: string) => readFileSync(join(scratch.workspace, name), 'utf8');
    expect(text('counter.txt')).toBe(String(2 * CALLS));
    expect(text('edited.txt')).toBe(`a${CALLS}; b${CALLS};`);
    const lines = text('log.txt').trim().split('\n');
    expect(lines.toSorted()).toEqual(
      ['a', 'b'].flatMap((own) => Array.from({ length: CALLS }, (_, i) => own + i)).toSorted(),
    );
    // Nothing is left over: no temporary file, no lock file.
    expect(readdirSync(scratch.workspace).toSorted()).toEqual(['counter.txt', 'edited.txt', 'log.txt']);
  });
});

it.each(RESOLVERS)(
  'a change that another caller makes before the lock is taken is not lost, resolver %s',
  async (resolver) => {
    scratch = makeScratch(['f = text']);
    workspace = openWorkspace(scratch.workspace, { resolver });
    const { version } = workspace.info('f', {}) as { version: string };
    /** Makes a change when the next new content is written, which is before its call takes the lock. */
    const beforeLock = (change: () => void) => {
      const writeSync = (...args: Parameters<typeof real.writeSync>) => {
        Object.assign(fs, real);
        syncBuiltinESMExports();
        change();
        return real.writeSync(...args);
      };
      Object.assign(fs, { writeSync });
      syncBuiltinESMExports();
    };
    const other = openWorkspace(scratch.workspace, { resolver });
    try {
      beforeLock(() => other.write('f', 'by another caller'));
      expect(await codeOf(() => workspace?.write('f', 'mine', { expectedVersion: version }))).toBe('changed');
      expect(readFileSync(join(scratch.workspace, 'f'), 'utf8')).toBe('by another caller');
      beforeLock(() => other.write('f', 'by another caller, again'));
      workspace.edit('f', [{ oldString: 'another', newString: 'this' }]);
      expect(readFileSync(join(scratch.workspace, 'f'), 'utf8')).toBe('by this caller, again');
    } finally {
      other.close();
    }
  },
);

describe('a directory that another caller keeps locked', () => {
  it.skipIf(!native)('makes every change busy after a bounded wait, and changes nothing', async () => {
    scratch = makeScratch(['d/f = text', 'd/g', 'd/empty/', 'other/']);
    workspace = openWorkspace(scratch.workspace, { resolver: 'openat2', trashDir: join(scratch.base, 'trash') });
    const { write, append, edit, move, copy, createDir, undo } = workspace;
    const remove = workspace.delete;
    const { changes } = write('d/f', 'new');
    const fd = openSync(join(scratch.workspace, 'd'), LIST);
    expect(native?.tryLock(fd)).toBe(0);
    const before = readdirSync(scratch.workspace, { recursive: true });
    try {
      // The wait is 2 s a call: a clock that jumps spares the test from it.
      const { now } = performance;
      let ahead = 0;
      performance.now = () => now.call(performance) + (ahead += 500);
      try {
        for (const act of [
          () => write('d/f', 'x'),
          () => write('d/new', 'x'),
          () => append('d/f', 'x'),
          () => edit('d/f', [{ oldString: 'new', newString: 'x' }]),
          () => move('d/f', 'other/f'),
          () => move('other', 'd/other'),
          () => copy('d/f', 'd/copy'),
          () => createDir('d/made'),
          () => remove('d/f'),
          () => undo(changes[0] as never),
        ])
          expect([String(act), await codeOf(act)]).toEqual([String(act), 'busy']);
      } finally {
        performance.now = now;
      }
      expect(readdirSync(scratch.workspace, { recursive: true })).toEqual(before);
      expect(readFileSync(join(scratch.workspace, 'd/f'), 'utf8')).toBe('new');
    } finally {
      closeSync(fd);
    }
    expect(await codeOf(() => write('d/f', 'x'))).toBe('done');
  });

  it('by the lock file of a process that is gone is free again', () => {
    scratch = makeScratch(['f = text']);
    const lock = join(scratch.workspace, LOCK_NAME);
    writeFileSync(lock, '.croft-tmp-4194303-0-00000000-000000000000');
    const past = new Date(Date.now() - 2 * 60 * 60 * 1_000);
    fs.utimesSync(lock, past, past);
    workspace = openWorkspace(scratch.workspace, { resolver: 'walk' });
    workspace.write('f', 'new');
    expect(readdirSync(scratch.workspace)).toEqual(['f']);
  });
});

describe('another program that replaces a file in the last moment', () => {
  /** Runs `act` when the old content of a file was linked into the trash: after every comparison but the last. */
  const atLastMoment = (act: () => void) => {
    let isDone = false;
    Object.assign(fs, {
      lstatSync: (at: string, options: object) => {
        const stat = real.lstatSync(at, options);
        if (!isDone && `${at}`.includes('/trash/')) {
          isDone = true;
          act();
        }
        return stat;
      },
    });
    syncBuiltinESMExports();
  };
  const replaceByOther = () => {
    const other = join(scratch.base, 'other.txt');
    writeFileSync(other, 'by another program');
    real.renameSync(other, join(scratch.workspace, 'f'));
  };

  it.skipIf(!native)(
    'keeps its version: a compare-and-swap is refused and a plain edit finds the new text',
    async () => {
      scratch = makeScratch(['f = text']);
      workspace = openWorkspace(scratch.workspace, { resolver: 'openat2', trashDir: join(scratch.base, 'trash') });
      const { version } = workspace.info('f', {}) as { version: string };
      atLastMoment(replaceByOther);
      expect(await codeOf(() => workspace?.write('f', 'mine', { expectedVersion: version }))).toBe('changed');
      expect(readFileSync(join(scratch.workspace, 'f'), 'utf8')).toBe('by another program');
      atLastMoment(replaceByOther);
      workspace.edit('f', [{ oldString: 'by another', newString: 'by my' }]);
      expect(readFileSync(join(scratch.workspace, 'f'), 'utf8')).toBe('by my program');
      expect(readdirSync(scratch.workspace)).toEqual(['f']);
    },
  );

  it.skipIf(!native)('with a directory loses nothing of it', async () => {
    scratch = makeScratch(['f = text', 'd/inner']);
    workspace = openWorkspace(scratch.workspace, { resolver: 'openat2', trashDir: join(scratch.base, 'trash') });
    atLastMoment(() => {
      real.renameSync(join(scratch.workspace, 'f'), join(scratch.workspace, 'g'));
      real.renameSync(join(scratch.workspace, 'd'), join(scratch.workspace, 'f'));
    });
    expect(await codeOf(() => workspace?.write('f', 'mine'))).toBe('is_directory');
    expect(readdirSync(join(scratch.workspace, 'f'))).toEqual(['inner']);
    expect(readFileSync(join(scratch.workspace, 'g'), 'utf8')).toBe('text');
  });
});

describe('an append', () => {
  const setUp = (lines: readonly string[]) => {
    scratch = makeScratch(lines);
    workspace = openWorkspace(scratch.workspace, { trashDir: join(scratch.base, 'trash') });
    return { workspace, at: join(scratch.workspace, 'f') };
  };

  it('extends the file itself, so that what has it open sees the addition', () => {
    const { workspace, at } = setUp(['f = one ']);
    const { ino } = statSync(at);
    const { changes, version } = workspace.append('f', 'two');
    expect(statSync(at).ino).toBe(ino);
    expect(readFileSync(at, 'utf8')).toBe('one two');
    expect(changes).toMatchObject([{ kind: 'append', path: 'f', length: 4, bytes: 3, after: version }]);
    expect(workspace.info('f', {})).toMatchObject({ version });
  });

  it('replaces a file whose content the trash still names', () => {
    const { workspace, at } = setUp(['f = one ']);
    mkdirSync(join(scratch.base, 'trash'), { recursive: true });
    const kept = join(scratch.base, 'trash', `${'0'.repeat(9)}-${'a'.repeat(10)}-4`);
    linkSync(at, kept);
    workspace.append('f', 'two');
    expect([readFileSync(at, 'utf8'), readFileSync(kept, 'utf8')]).toEqual(['one two', 'one ']);
  });

  it('is not taken back once anything else was added', async () => {
    const { workspace, at } = setUp(['f = one ']);
    const { changes } = workspace.append('f', 'two');
    appendFileSync(at, ' three');
    expect(await codeOf(() => workspace.undo(changes[0] as never))).toBe('changed');
    expect(readFileSync(at, 'utf8')).toBe('one two three');
  });

  /** The disk takes two bytes of the next addition; then `meanwhile` happens, and the disk is full. */
  const fillDisk = (meanwhile: () => void) => {
    let calls = 0;
    const writeSync = (fd: number, bytes: Buffer) => {
      if (calls++ === 0) return real.writeSync(fd, bytes, 0, 2);
      meanwhile();
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    };
    Object.assign(fs, { writeSync });
    syncBuiltinESMExports();
  };

  it('that fails leaves the file and its version as they were', () => {
    const { workspace, at } = setUp(['f = one ']);
    const before = workspace.info('f', {});
    fillDisk(() => undefined);
    expect(() => workspace.append('f', 'two')).toThrow(/^Cannot write file/);
    expect(readFileSync(at, 'utf8')).toBe('one ');
    expect(workspace.info('f', {})).toEqual(before);
  });

  it('that fails does not cut off what another program added meanwhile', () => {
    const { workspace, at } = setUp(['f = one ']);
    fillDisk(() => {
      const fd = openSync(at, 'a');
      real.writeSync(fd, 'other');
      closeSync(fd);
    });
    expect(() => workspace.append('f', 'two')).toThrow(/2 of 3 bytes were added and stay/);
    expect(readFileSync(at, 'utf8')).toBe('one twother');
  });
});

it('a move takes what it looked at and nothing that came there meanwhile', async () => {
  scratch = makeScratch(['f = text', 'd/']);
  workspace = openWorkspace(scratch.workspace);
  const { version } = workspace.info('f', {}) as { version: string };
  expect(existsSync(join(scratch.workspace, 'f'))).toBe(true);
  writeFileSync(join(scratch.workspace, 'g'), 'newer');
  renameSync(join(scratch.workspace, 'g'), join(scratch.workspace, 'f'));
  expect(
    await codeOf(() => workspace?.undo({ kind: 'move', path: 'd/f', to: 'f', before: version, after: version })),
  ).toBe('changed');
  expect(readFileSync(join(scratch.workspace, 'f'), 'utf8')).toBe('newer');
});
