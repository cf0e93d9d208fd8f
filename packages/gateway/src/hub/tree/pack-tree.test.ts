import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TreeEntryFrame } from '../../frames.ts';
import { isWindowsPath, type PackedEntry, packing, packTree, readPacked } from './pack-tree.ts';
import { TreeStore } from './tree-store.ts';

const dir = (path: string): TreeEntryFrame => ({ path, type: 'directory' });
const file = (path: string, sizeBytes?: number): TreeEntryFrame => ({
  path,
  type: 'file',
  ...(sizeBytes !== undefined && { sizeBytes }),
});
const ALL = { maxDepth: 256, maxEntries: 100_000 };
const read = (entries: TreeEntryFrame[], parts: string[] = [], limits = ALL) => {
  const found = readPacked(packTree(entries, false), parts, limits);
  return found.kind === 'directory' ? found.entries : found.kind;
};
const drawn = (entries: readonly PackedEntry[] | string) =>
  typeof entries === 'string' ? entries : entries.map(({ path, type }) => `${path}${type === 'directory' ? '/' : ''}`);

describe('a packed tree', () => {
  it('puts children under their own parent, directories first, each group by name, whatever order they came in', () => {
    const entries = [
      dir('src'),
      dir('docs'),
      file('z.md'),
      file('A.md'),
      dir('src/b'),
      file('src/x.ts', 7),
      file('docs/a.md'),
      file('src/b/y.ts'),
    ];
    expect(drawn(read(entries))).toEqual([
      'docs/',
      'docs/a.md',
      'src/',
      'src/b/',
      'src/b/y.ts',
      'src/x.ts',
      'A.md',
      'z.md',
    ]);
    expect(drawn(read(entries.toReversed()))).toEqual(drawn(read(entries)));
    expect(read(entries, ['src'])).toEqual([
      { name: 'b', path: 'b', type: 'directory', depth: 1 },
      { name: 'y.ts', path: 'b/y.ts', type: 'file', depth: 2 },
      { name: 'x.ts', path: 'x.ts', type: 'file', depth: 1, sizeBytes: 7 },
    ]);
    expect(read(entries, ['src', 'x.ts'])).toBe('file');
    for (const parts of [['none'], ['src', 'none'], ['src', 'x.ts', 'y'], ['b'], ['sr'], ['srcs']])
      expect([parts, read(entries, parts)]).toEqual([parts, 'absent']);
  });

  it('keeps to the depth and the count asked for, and says that there is more', () => {
    const entries = [dir('a'), dir('a/b'), file('a/b/c'), file('d')];
    expect(drawn(read(entries, [], { maxDepth: 1, maxEntries: 10 }))).toEqual(['a/', 'd']);
    const packed = packTree(entries, false);
    expect(readPacked(packed, [], { maxDepth: 9, maxEntries: 3 })).toMatchObject({ more: true });
    expect(readPacked(packed, [], { maxDepth: 9, maxEntries: 4 })).toMatchObject({ more: false });
  });

  it('leaves out what climbs, is absolute or empty, and counts repetitions once', () => {
    const entries = [
      file('../x'),
      file('/etc/passwd'),
      file('a/../../b'),
      file(''),
      file('.'),
      file('nul\0byte'),
      file('a/b', 1),
      file('a//b', 2),
      dir('a'),
      file('a'),
      dir('a/'),
    ];
    expect(drawn(read(entries))).toEqual(['a/', 'a/b']);
  });

  it('keeps at most 10,000 entries, says so, and knows down to which level it is complete', () => {
    const entries = Array.from({ length: 10_001 }, (_, n) => file(n < 5_000 ? `top${n}` : `d/n${n}`));
    const packed = packTree(entries, false);
    expect(packed.truncated).toBe(true);
    expect(packed.completeDepth).toBe(1);
    expect(packTree(entries.slice(0, 100), false).completeDepth).toBe(Number.POSITIVE_INFINITY);
  });

  it('is one line of text for each entry, with the size in base 36', () => {
    const packed = packTree([dir('b'), file('b/x', 36), file('a'), file('b/c/d', 0)], false);
    expect(packed).toEqual({
      bytes: Buffer.from('!d/b\0"d/c\0#f0/d\0"f10/x\0!f/a'),
      isAscii: true,
      truncated: false,
      completeDepth: Number.POSITIVE_INFINITY,
    });
    expect(packTree([file('ü')], true)).toEqual({
      bytes: Buffer.from('!f/ü'),
      isAscii: false,
      truncated: true,
      completeDepth: 0,
    });
    expect(packTree([], true)).toEqual({ bytes: Buffer.of(), isAscii: true, truncated: true, completeDepth: 0 });
    expect(packTree([dir('a'), file('a/b/c')], true).completeDepth).toBe(2);
  });

  it('has names with a backslash, but separates names there for a Windows path', () => {
    const entries = [file('a\\b'), file('c\\..\\d')];
    const names = (rootPath: string) => {
      const found = readPacked(packTree(entries, false, rootPath), [], ALL);
      return found.kind === 'directory' ? drawn(found.entries) : found.kind;
    };
    expect([names('/home'), names('C:\\x'), names('\\\\server')]).toEqual([
      ['a\\b', 'c\\..\\d'],
      ['a/', 'a/b'],
      ['a/', 'a/b'],
    ]);
    expect(['c:/x', 'C:', '/C:/', 'CC:/', '\\x', ''].map(isWindowsPath)).toEqual([true, ...Array(5).fill(false)]);
  });

  it('has 64 levels at most, and keeps exactly 10,000 entries without a mark', () => {
    const deep = (levels: number) => file(Array(levels).fill('d').join('/'));
    expect(drawn(read([deep(65), file('a')]))).toEqual(['a']);
    expect((read([deep(64)]) as PackedEntry[]).at(-1)?.depth).toBe(64);
    const many = Array.from({ length: 10_000 }, (_, n) => file(`n${n}`));
    const packed = [many, [...many, file('')], [...many, file('more')]].map((entries) => packTree(entries, false));
    expect(packed.map(({ truncated }) => truncated)).toEqual([false, false, true]);
    expect(read(many, [], { maxDepth: 1, maxEntries: 20_000 })).toHaveLength(10_000);
  });

  it('yields after each 256 entries, and for each directory', () => {
    const pauses = (count: number, name: (n: number) => string) => {
      const work = packing(
        Array.from({ length: count }, (_, n) => file(name(n))),
        false,
        '',
      );
      let steps = 0;
      while (!work.next().done) steps++;
      return steps;
    };
    expect([pauses(255, (n) => `${n}`), pauses(256, (n) => `${n}`), pauses(3, (n) => `d${n}/x`)]).toEqual([1, 2, 4]);
  });

  it('gives every entry back, whatever it is called', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
      .filter((one) => !/[/\0]|^\.{1,2}$/.test(one));
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 40 }), (paths) => {
        const dirs = new Set(paths.flatMap((one) => one.split('/').map((_, n, parts) => parts.slice(0, n).join('/'))));
        const files = paths.filter((one) => !dirs.has(one));
        const found = read(files.map((one) => file(one, one.length)));
        const got = typeof found === 'string' ? [] : found.filter(({ type }) => type === 'file');
        expect(got.map((one) => [one.path, one.sizeBytes]).sort()).toEqual(
          files.map((one) => [one, one.length]).sort(),
        );
      }),
    );
  });

  it('of 200 entries takes a few kilobytes, outside the heap', () => {
    const entries = Array.from({ length: 200 }, (_, n) =>
      file(`packages/module-${n % 10}/src/file-number-${n}.ts`, n * 1_000),
    );
    const { bytes } = packTree(entries, false);
    expect(bytes.length).toBeLessThan(6_000);
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });
});

describe('the store of trees', () => {
  it('lets the least used leave when it is full', () => {
    const store = new TreeStore(3_000);
    const tree = packTree([file('x'.repeat(500))], false);
    const [a, b, c, d] = [{}, {}, {}, {}];
    for (const owner of [a, b, c]) store.put(owner, tree);
    expect(store.get(a)).toBeDefined();
    store.put(d, tree);
    expect([a, b, c, d].map((owner) => store.get(owner) !== undefined)).toEqual([true, false, true, true]);
    expect(store.bytes).toBeLessThanOrEqual(3_000);
    for (const owner of [a, b, c, d]) store.remove(owner);
    expect(store.bytes).toBe(0);
    store.put(a, packTree([file('y'.repeat(4_000))], false));
    expect(store.get(a)).toBeUndefined();
    expect(store.bytes).toBe(0);
  });
});
