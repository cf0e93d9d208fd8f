import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { costOf } from '../../../../tests/support/yardstick.ts';
import { failureOf } from '../testing.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import type { Edit } from './edit-file.ts';

let dir: string;
let workspace: Workspace;
beforeEach(() => {
  dir = testDir();
  workspace = openWorkspace(dir);
});
afterEach(() => workspace.close());

const put = (bytes: string | Uint8Array) => writeFileSync(join(dir, 'f'), bytes);
const bytes = () => readFileSync(join(dir, 'f'));
const edit = (oldString: string, newString: string, replaceAll = false) =>
  workspace.edit('f', [{ oldString, newString, replaceAll }]);
const utf16be = (text: string) => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);

describe('an edit', () => {
  it('replaces the one occurrence, and is refused the second time', async () => {
    put('one two three');
    expect(edit('two', '2')).toMatchObject({ replacements: 1, before: 'one two three', after: 'one 2 three' });
    const error = await failureOf(() => edit('two', '2'));
    expect([error.code, error.message]).toEqual(['no_match', 'old_string not found in file: f']);
    expect(bytes().toString()).toBe('one 2 three');
  });
  it('takes $&, $1 and $$ in the new text literally', () => {
    for (const all of [false, true]) {
      put('a-b');
      edit('-', "$& $1 $$ $` $'", all);
      expect(bytes().toString()).toBe("a$& $1 $$ $` $'b");
    }
  });
  it('searches for a long text in time in proportion to the file, whatever the texts', async () => {
    const text = 'a'.repeat(200_000);
    const wanted = `${'a'.repeat(50_000)}b${'a'.repeat(50_000)}`;
    for (const [content, all] of [
      [text, false],
      [`\r\n${text}`, true],
    ] as const) {
      put(content);
      const search = () => edit(`${all ? '\n' : ''}${wanted}`, 'x', all);
      const run = () => expect(search).toThrow(expect.objectContaining({ code: 'no_match' }));
      // More than 200 with indexOf.
      await expect.poll(() => costOf(run)).toBeLessThan(50);
    }
  });
  it('lists the lines of an ambiguous match and changes nothing', async () => {
    put('x\nfoo\ny foo foo\n\nfoo');
    const error = await failureOf(() => edit('foo', 'bar'));
    expect(error.message).toBe(
      'old_string is ambiguous: 4 multiple matches in f. Pass replace_all=True to replace every occurrence.',
    );
    expect(error.extra).toEqual({ matches: 4, lines: [2, 3, 3, 5] });
    expect(edit('foo', 'bar', true).replacements).toBe(4);
    expect(bytes().toString()).toBe('x\nbar\ny bar bar\n\nbar');
  });
  it('shows the nearest text of a miss with its line', async () => {
    put('function add(a, b) {\n  return a + b;\n}\n');
    expect((await failureOf(() => edit('  return a - b;', 'x'))).extra).toEqual({
      nearest: { line: 2, text: '  return a + b;' },
    });
  });
  it('refuses an empty search, also with replace_all, and leaves the file alone', async () => {
    put('text');
    for (const all of [false, true])
      expect((await failureOf(() => edit('', 'x', all))).message).toBe('old_string must not be empty');
    expect(bytes().toString()).toBe('text');
  });
  it('applies several replacements in order, all or none', async () => {
    put('a b c');
    const edits: Edit[] = [
      { oldString: 'a', newString: 'x' },
      { oldString: 'x b', newString: 'y' },
    ];
    expect(workspace.edit('f', edits)).toMatchObject({ replacements: 2, after: 'y c' });
    expect(
      (
        await failureOf(() =>
          workspace.edit('f', [
            { oldString: 'y', newString: 'z' },
            { oldString: 'none', newString: '' },
          ]),
        )
      ).code,
    ).toBe('no_match');
    expect(bytes().toString()).toBe('y c');
  });
  it('computes and changes nothing as a dry run', () => {
    put('abc');
    expect(workspace.edit('f', [{ oldString: 'b', newString: 'B' }], { dryRun: true })).toMatchObject({
      after: 'aBc',
      changes: [],
    });
    expect(bytes().toString()).toBe('abc');
  });
  it('knows the size in bytes before it builds the text', async () => {
    put('é'.repeat(1_000));
    const error = await failureOf(() => edit('é', 'é'.repeat(10_000), true));
    expect(error.message).toBe('Resulting content size 20000000 would exceed limit of 10485760 bytes');
    put(`\ufeff${'é'}`);
    expect((await failureOf(() => edit('é', 'é'.repeat(6_000_000)))).message).toBe(
      'Resulting content size 12000003 would exceed limit of 10485760 bytes',
    );
    put('a'.repeat(5_000));
    expect((await failureOf(() => edit('a', 'b'.repeat(10_000_000), true))).code).toBe('too_large');
  });
  it('does as many edits as one call may, and refuses more work at once', async () => {
    put(`${'ab\r\n'.repeat(2_600_000)}ZQ`);
    const edits = (count: number): Edit[] =>
      Array.from({ length: count }, () => ({ oldString: 'ZQ', newString: 'ZQ' }));
    const error = await failureOf(() => workspace.edit('f', edits(1_000)));
    expect([error.code, error.message]).toEqual([
      'too_large',
      'These edits are too much work for one call; send fewer at once',
    ]);
    expect(workspace.edit('f', edits(20), { dryRun: true }).replacements).toBe(20);
    // A text that grows on the way is counted as it is by then.
    put('x');
    const growing = [{ oldString: 'x', newString: 'y'.repeat(10_000_000) }, ...edits(999)];
    growing.fill({ oldString: 'y'.repeat(10_000_000), newString: 'y'.repeat(10_000_000) }, 1);
    expect((await failureOf(() => workspace.edit('f', growing))).code).toBe('too_large');
  });
  it('refuses another version than the expected one and tells both', async () => {
    put('abc');
    const { version } = edit('b', 'B');
    utimesSync(join(dir, 'f'), 1, 1);
    const error = await failureOf(() =>
      workspace.edit('f', [{ oldString: 'B', newString: 'b' }], { expectedVersion: version }),
    );
    expect(error.code).toBe('changed');
    expect(error.extra).toEqual({ expected_version: version, actual_version: workspace.info('f').version });
    expect(bytes().toString()).toBe('aBc');
  });
  it('keeps mode and time of creation apart: the mode stays', () => {
    put('abc');
    const before = statSync(join(dir, 'f')).mode;
    edit('b', 'B');
    expect(statSync(join(dir, 'f')).mode).toBe(before);
  });
});

describe('an edit keeps bytes it does not touch', () => {
  it.each([
    ['UTF-8', Buffer.from('é old 名\n'), Buffer.from('é new 名\n')],
    ['UTF-8 with a mark', Buffer.from('\ufeffé old\n'), Buffer.from('\ufeffé new\n')],
    ['UTF-16LE', Buffer.from('\ufeffé old\r\n', 'utf16le'), Buffer.from('\ufeffé new\r\n', 'utf16le')],
    ['UTF-16BE', utf16be('é old\n'), utf16be('é new\n')],
    ['mixed line ends', Buffer.from('a\r\nold\nb\rc\r\n'), Buffer.from('a\r\nnew\nb\rc\r\n')],
  ])('in %s', (_, before, after) => {
    put(before);
    edit('old', 'new');
    expect(bytes()).toEqual(after);
  });
  it('and appends in the encoding of the file', () => {
    for (const encode of [
      (text: string) => Buffer.from(text),
      (text: string) => Buffer.from(`\ufeff${text}`),
      (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
      utf16be,
    ]) {
      put(encode('é\n'));
      workspace.append('f', '名\n');
      expect(bytes()).toEqual(encode('é\n名\n'));
    }
  });
  it('and refuses a binary file by name, unchanged', async () => {
    const half = Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x62]);
    for (const [content, code] of [
      [Buffer.from([0x63, 0xe9, 0x0a]), 'not_text'],
      [Buffer.from('a\0b'), 'binary'],
      [half, 'not_text'],
    ] as const) {
      put(content);
      expect((await failureOf(() => edit('a', 'b'))).code).toBe(code);
      expect((await failureOf(() => workspace.append('f', 'b'))).code).toBe(code);
      expect(bytes()).toEqual(content);
    }
  });
  it('for any file and any place', () => {
    const piece = fc.string({ unit: 'grapheme', maxLength: 8 });
    const encodings = fc.constantFrom<(text: string) => Buffer>(
      (text) => Buffer.from(text),
      (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
      utf16be,
    );
    fc.assert(
      fc.property(piece, piece, piece, encodings, (head, tail, fresh, encode) => {
        const old = '\u{10ffff}old';
        fc.pre(!/[\0\ufeff]/.test(head + tail + fresh) && !/[\r\n]/.test(fresh));
        put(encode(head + old + tail));
        edit(old, fresh);
        expect(bytes().equals(encode(head + fresh + tail))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe('line ends', () => {
  it.each([
    ['a search over lines finds \\r\\n', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny', 'x\r\ny\r\nc\r\n'],
    ['new lines in a \\r\\n file end as the others do', 'a\r\nb\r\n', 'b', 'b\nc', 'a\r\nb\r\nc\r\n'],
    ['a search that begins with a line end takes the \\r with it', 'a\r\nb\r\n', '\nb', '\nx\ny', 'a\r\nx\r\ny\r\n'],
    ['a file of \\n stays one', 'a\nb\n', 'b', 'b\nc', 'a\nb\nc\n'],
    ['one \\r\\n does not make a \\r\\n file', 'a\nb\nc\r\nd\n', 'b', 'b\nx', 'a\nb\nx\nc\r\nd\n'],
    ['a new line ends as the line at its place', 'a\r\nb\r\nc\nd\r\n', 'c', 'c\nx', 'a\r\nb\r\nc\nx\nd\r\n'],
    ['in a file of \\n too', 'a\nb\nc\r\nd\n', 'c', 'c\nx', 'a\nb\nc\r\nx\r\nd\n'],
    ['the last line counts by the one before', 'a\nb\r\nc', 'c', 'c\nx', 'a\nb\r\nc\r\nx'],
    ['text found as written is taken as written', 'a\nb\r\na\r\nb', 'a\nb', 'x\ny', 'x\ny\r\na\r\nb'],
    ['lines that end in both ways match', 'a\r\nb\nc\r\n', 'a\nb\nc', 'x\ny', 'x\r\ny\r\n'],
    ['such a place ends as its first line', 'a\nb\r\nc\r\n', 'a\nb\nc', 'x\ny', 'x\ny\r\n'],
    ['it takes the \\r before it', '1\r\na\nb\r\n2', '\na\nb\n', '\nz\n', '1\r\nz\r\n2'],
    ['\\r\\n written out is meant', 'a\r\nb', 'a\r\nb', 'a\nb', 'a\nb'],
  ])('%s', (_, before, oldString, newString, after) => {
    put(before);
    edit(oldString, newString);
    expect(bytes().toString()).toBe(after);
  });
  it('every place of a replacement keeps its own', () => {
    put('x x\r\nx\nx\r\nx');
    expect(edit('x', 'y\nz', true).replacements).toBe(5);
    expect(bytes().toString()).toBe('y\r\nz y\r\nz\r\ny\nz\ny\r\nz\r\ny\r\nz');
  });
  it('are counted in the size before the text is built', async () => {
    put(`${'x\r\n'.repeat(1_000)}x`);
    const error = await failureOf(() => edit('x', '\n'.repeat(10_000), true));
    expect(error.message).toBe('Resulting content size 20022000 would exceed limit of 10485760 bytes');
  });
});
