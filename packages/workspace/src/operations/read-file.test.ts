import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf, makeScratch, type Scratch } from '../testing.ts';
import { versionOf } from '../text/version.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

let scratch: Scratch;
let workspace: Workspace;
beforeEach(() => {
  scratch = makeScratch(['five.txt = 1\\n2\\n3\\n4\\n5\\n', 'empty.txt = ', 'd/x']);
  workspace = openWorkspace(scratch.workspace);
});
afterEach(() => {
  workspace.close();
  scratch.remove();
});

describe('reading text', () => {
  it.each([
    [{}, 1, ['1', '2', '3', '4', '5']],
    [{ offset: 0 }, 1, ['1', '2', '3', '4', '5']],
    [{ offset: -3, limit: 2 }, 1, ['1', '2']],
    [{ offset: null, limit: null }, 1, ['1', '2', '3', '4', '5']],
    [{ offset: 4 }, 4, ['4', '5']],
    [{ offset: 2, limit: 2 }, 2, ['2', '3']],
    [{ offset: 9 }, 9, []],
    [{ offset: 3, limit: 0 }, 3, []],
    [{ limit: 99 }, 1, ['1', '2', '3', '4', '5']],
  ])('gives the window %j', async (window, startLine, lines) => {
    expect(await workspace.readText('five.txt', window)).toMatchObject({ startLine, lines, totalLines: 5 });
  });
  it.each([
    [{ column: 3 }, ['c→😀']],
    [{ column: 0 }, ['abc→😀']],
    [{ offset: 2, column: 2 }, ['e']],
    [{ offset: 2, column: 9 }, ['']],
    [{ offset: 3, column: 1 }, []],
  ])('begins at a character of one line: %j', async (window, lines) => {
    writeFileSync(join(scratch.workspace, 'two.txt'), 'abc→😀\r\nde\n');
    expect(await workspace.readText('two.txt', window)).toMatchObject({ lines, totalLines: 2 });
    const small = openWorkspace(scratch.workspace, { limits: { maxFileBytes: 4 } });
    expect(await small.readText('two.txt', { ...window, anySize: true })).toMatchObject({ lines, totalLines: 2 });
    small.close();
  });
  it('leaves a small whole file as bytes where that is asked for', async () => {
    const stat = () => statSync(join(scratch.workspace, 'f'));
    const read = async (content: string | Buffer, options: object = {}) => {
      writeFileSync(join(scratch.workspace, 'f'), content);
      const window = await workspace.readText('f', { asBytes: true, ...options });
      return window.utf8?.toString() ?? window.lines;
    };
    expect([
      await read('a\nb'),
      await read('a\nb', { limit: 2 }),
      await read('a\nb', { limit: 1 }),
      await read('a\nb', { offset: 2 }),
      await read('a\nb', { column: 1 }),
      await read('\ufeffa'),
      await read(Buffer.from([0xe9])),
      await read(''),
      await read('a\nb', { asBytes: false }),
    ]).toEqual(['a\nb', 'a\nb', ['a'], ['b'], ['a'], ['a'], ['\ufffd'], '', ['a', 'b']]);
    writeFileSync(join(scratch.workspace, 'f'), 'a\nb\n');
    expect(workspace.readText('f', { asBytes: true })).toEqual({
      lines: [],
      startLine: 1,
      totalLines: 2,
      encoding: 'utf-8',
      version: versionOf(stat()),
      sizeBytes: 4,
      utf8: Buffer.from('a\nb\n'),
    });
    writeFileSync(join(scratch.workspace, 'f'), '\n\n\na');
    expect(workspace.readText('f', { asBytes: true })).toMatchObject({ totalLines: 4, lines: [] });
    writeFileSync(join(scratch.workspace, 'f'), Buffer.from('\ufeffa', 'utf16le'));
    expect(workspace.readText('f', { asBytes: true })).toEqual({
      lines: ['a'],
      startLine: 1,
      totalLines: 1,
      encoding: 'utf-16le',
      version: versionOf(stat()),
      sizeBytes: 4,
    });
  });
  it('reads up to 64 KiB at once, and larger files later', async () => {
    const read = (bytes: number) => {
      writeFileSync(join(scratch.workspace, 'f'), 'x'.repeat(bytes));
      return workspace.readText('f', { asBytes: true });
    };
    expect([read(65_536) instanceof Promise, read(65_537) instanceof Promise]).toEqual([false, true]);
    expect((await read(65_537)).lines).toEqual(['x'.repeat(65_537)]);
    expect((await read(2_500_000)).lines).toEqual(['x'.repeat(2_500_000)]);
  });
  it('gives no lines for an empty file', async () => {
    expect(await workspace.readText('empty.txt')).toMatchObject({ lines: [], totalLines: 0, sizeBytes: 0 });
  });
  it('refuses a missing, binary or too large file and a directory, with the texts of the contract', async () => {
    writeFileSync(join(scratch.workspace, 'bin'), 'a\0b');
    writeFileSync(join(scratch.workspace, 'big'), Buffer.alloc(10_485_761, 97));
    expect((await failureOf(() => workspace.readText('no'))).message).toBe('File not found: no');
    expect((await failureOf(() => workspace.readText('d'))).message).toBe('Path is a directory, not a file: d');
    expect((await failureOf(() => workspace.readText('bin'))).message).toBe('Refusing to read binary file: bin');
    expect((await failureOf(() => workspace.readText('big'))).message).toBe(
      'File size 10485761 exceeds limit of 10485760 bytes',
    );
    expect((await failureOf(() => workspace.readBytes('big'))).code).toBe('too_large');
    expect((await workspace.readBytes('bin')).bytes).toEqual(Buffer.from('a\0b'));
  });
  it('shows invalid UTF-8 with replacement characters, and reports it', async () => {
    writeFileSync(join(scratch.workspace, 'latin'), Buffer.from([0x63, 0xe9, 0x0a]));
    expect(await workspace.readText('latin')).toMatchObject({ lines: ['c\ufffd'], encoding: 'unknown-8bit' });
  });
  it('is cancelled with a code of its own', async () => {
    writeFileSync(join(scratch.workspace, 'mid'), Buffer.alloc(1_000_000, 97));
    expect((await failureOf(() => workspace.readText('mid', { signal: AbortSignal.abort() }))).code).toBe('cancelled');
  });
});

const COUNTS_READS = existsSync('/proc/self/io');
/** Bytes that this process has asked the system for, from the disk or from its cache; 0 where the system does not say. */
const bytesRead = (): number =>
  COUNTS_READS ? Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]) : 0;

describe('a file above the whole-file limit', () => {
  const LINES = 1_000_000;
  const line = (n: number) => `line ${String(n).padStart(8, '0')} ${'é'.repeat(24)}`;
  beforeEach(() => {
    const fd = openSync(join(scratch.workspace, 'huge.txt'), 'w');
    for (let start = 1; start <= LINES; start += 10_000)
      writeSync(fd, Array.from({ length: 10_000 }, (_, i) => `${line(start + i)}\n`).join(''));
    closeSync(fd);
  });
  it('is served by lines from anywhere, the second time without a scan', async () => {
    expect((await failureOf(() => workspace.readText('huge.txt'))).code).toBe('too_large');
    const start = bytesRead();
    for (const offset of [1, 2, 1023, 1024, 1025, 500_000, LINES - 1, LINES]) {
      const window = await workspace.readText('huge.txt', { anySize: true, offset, limit: 3 });
      expect(window.totalLines).toBe(LINES);
      expect(window.lines).toEqual([offset, offset + 1, offset + 2].filter((n) => n <= LINES).map(line));
    }
    const before = bytesRead();
    if (COUNTS_READS) expect(before - start).toBeGreaterThan(60_000_000);
    await workspace.readText('huge.txt', { anySize: true, offset: 700_000, limit: 100 });
    expect(bytesRead() - before).toBeLessThan(2_000_000);
    expect((await workspace.readText('huge.txt', { anySize: true, offset: LINES + 1 })).lines).toEqual([]);
  });
  it('ends a window early at the byte bound', async () => {
    const { lines } = await workspace.readText('huge.txt', { anySize: true, maxBytes: 1_000 });
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThan(20);
  });
  it('is still served to one caller when another, who asked first, gives up', async () => {
    const abort = new AbortController();
    const first = workspace.readText('huge.txt', { anySize: true, signal: abort.signal });
    const second = workspace.readText('huge.txt', { anySize: true, offset: 7, limit: 1 });
    abort.abort();
    expect((await failureOf(() => first)).code).toBe('cancelled');
    expect((await second).lines).toEqual([line(7)]);
  });
  it('is refused as UTF-16, whose lines have no byte of their own, and shown without its UTF-8 mark', async () => {
    const wide = openSync(join(scratch.workspace, 'wide.txt'), 'w');
    writeSync(wide, Buffer.from('\ufeffab\n', 'utf16le'));
    ftruncateSync(wide, 12_000_000);
    closeSync(wide);
    expect((await failureOf(() => workspace.readText('wide.txt', { anySize: true }))).code).toBe('binary');
    writeFileSync(join(scratch.workspace, 'marked.txt'), `\ufefffirst\n${'x\n'.repeat(6_000_000)}`);
    expect((await workspace.readText('marked.txt', { anySize: true, limit: 1 })).lines).toEqual(['first']);
  });
});
