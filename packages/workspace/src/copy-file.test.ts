import {
  closeSync,
  constants,
  existsSync,
  chmodSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { copyNow, copyOpened, copyRegular, dataOf } from './copy-file.ts';
import { createPace } from './pace.ts';
import { loadNative } from './resolve/native.ts';
import { codeOf, makeScratch, memoryDir, type Scratch } from './testing.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
let scratch: Scratch;
afterEach(() => scratch.remove());
const at = (name: string) => join(scratch.workspace, name);
const errnoOfCopy = (from: string, to: string) =>
  copyRegular(from, to, createPace()).then(
    () => 'copied',
    (error: NodeJS.ErrnoException) => error.code,
  );

describe.each([
  ['small', 100],
  ['of the largest size that is copied at once', 64 * KIB],
  ['large', 64 * KIB + 1],
  ['of several chunks', 2 * MIB + 7],
])('a copy of a file that is %s', (_, size) => {
  it('has the content and the mode, without set-id bits, and the time only where that is asked for', async () => {
    scratch = makeScratch([]);
    const content = Buffer.alloc(size, 'x1');
    writeFileSync(at('f'), content);
    chmodSync(at('f'), 0o4751);
    utimesSync(at('f'), 1_000, 2_000.000_25);
    const { source, made } = await copyRegular(at('f'), at('copy'), createPace());
    expect(readFileSync(at('copy')).equals(content)).toBe(true);
    expect([source.size, made.size, made.mode & 0o7777]).toEqual([size, size, 0o751]);
    expect(made.mtimeMs).not.toBe(source.mtimeMs);
    const { made: exact } = await copyRegular(at('f'), at('exact'), createPace(), true);
    expect(Math.round(exact.mtimeMs * 1_000)).toBe(2_000_000_250);
  });

  it('takes no name that is in use, also not that of a link', async () => {
    scratch = makeScratch(['taken = here', 'link => $OUT/new']);
    writeFileSync(at('f'), Buffer.alloc(size));
    expect(await errnoOfCopy(at('f'), at('taken'))).toBe('EEXIST');
    expect(await errnoOfCopy(at('f'), at('link'))).toBe('EEXIST');
    expect([readFileSync(at('taken'), 'utf8'), existsSync(join(scratch.outside, 'new'))]).toEqual(['here', false]);
  });
});

it('reads only regular files, and never through a link', async () => {
  scratch = makeScratch(['f', 'link => f']);
  mkdirSync(at('dir'));
  expect(await errnoOfCopy(at('link'), at('copy'))).toBe('ELOOP');
  expect(await codeOf(() => copyRegular(at('dir'), at('copy'), createPace()))).toBe('not_regular');
  expect(existsSync(at('copy'))).toBe(false);
});

it('leaves nothing of a copy that is cancelled', async () => {
  scratch = makeScratch([], undefined, memoryDir());
  writeFileSync(at('f'), Buffer.alloc(2 * MIB, 1));
  const signal = AbortSignal.abort();
  // Set-id bits keep it from being cloned where the file system could.
  chmodSync(at('f'), 0o4644);
  expect(await codeOf(() => copyRegular(at('f'), at('copy'), createPace([signal])))).toBe('cancelled');
  expect(existsSync(at('copy'))).toBe(false);
});

it('copies at once only what is small', () => {
  scratch = makeScratch(['small = text']);
  writeFileSync(at('large'), Buffer.alloc(64 * KIB + 1));
  utimesSync(at('small'), 1, 3);
  const copied = ['small', 'large', '.'].map((name) => {
    const fd = openSync(at(name), constants.O_RDONLY);
    try {
      return copyNow(fd, at(`${name}-copy`));
    } finally {
      closeSync(fd);
    }
  });
  expect(copied).toEqual([true, false, false]);
  expect([readFileSync(at('small-copy'), 'utf8'), statSync(at('small-copy')).mtimeMs]).toEqual(['text', 3_000]);
  expect(existsSync(at('large-copy'))).toBe(false);
});

describe('a file with holes', () => {
  /** 3 MiB, of which only a block in the middle and one at the end hold data. */
  function makeSparse(): number {
    const fd = openSync(at('sparse'), 'w+');
    writeSync(fd, Buffer.alloc(4 * KIB, 'm'), 0, 4 * KIB, MIB);
    writeSync(fd, 'end', 3 * MIB - 3);
    ftruncateSync(fd, 3 * MIB);
    return fd;
  }

  it('keeps them in the copy', async () => {
    scratch = makeScratch([]);
    const fd = makeSparse();
    chmodSync(at('sparse'), 0o4644);
    const { source, made } = await copyOpened(fd, at('copy'), createPace());
    closeSync(fd);
    expect(readFileSync(at('copy')).equals(readFileSync(at('sparse')))).toBe(true);
    expect(made.blocks).toBeLessThanOrEqual(source.blocks);
    expect(made.blocks * 512).toBeLessThan(MIB);
  });

  it('becomes smaller where its zeros take space', async () => {
    scratch = makeScratch([]);
    const fd = openSync(at('sparse'), 'w+');
    writeSync(fd, Buffer.alloc(MIB), 0, MIB, 2 * MIB);
    chmodSync(at('sparse'), 0o4644);
    const { source, made } = await copyOpened(fd, at('copy'), createPace());
    closeSync(fd);
    expect([source.size, made.size, readFileSync(at('copy')).equals(Buffer.alloc(3 * MIB))]).toEqual([
      3 * MIB,
      3 * MIB,
      true,
    ]);
    if (source.blocks > 0) expect(made.blocks).toBeLessThan(source.blocks);
  });

  it('is read only where it holds data, and as a whole where the system does not tell', () => {
    scratch = makeScratch([]);
    const fd = makeSparse();
    const stat = statSync(at('sparse'));
    const parts = [...dataOf(fd, stat)];
    expect(parts.some(([start, end]) => start <= MIB && end >= MIB + 4 * KIB && end < 2 * MIB)).toBe(true);
    expect(parts.at(-1)?.[1]).toBe(3 * MIB);
    expect([...dataOf(fd, stat, null)]).toEqual([[0, 3 * MIB]]);
    const native = loadNative();
    if (native) expect([...dataOf(fd, stat, { ...native, seek: () => -22 })]).toEqual([[0, 3 * MIB]]);
    if (native) expect([...dataOf(fd, stat, { ...native, seek: () => -6 })]).toEqual([]);
    const empty = openSync(at('empty'), 'w+');
    ftruncateSync(empty, MIB);
    const holes = statSync(at('empty'));
    if (holes.blocks === 0) expect([[...dataOf(empty, holes)], [...dataOf(empty, holes, null)]]).toEqual([[], []]);
    closeSync(empty);
    closeSync(fd);
  });
});
