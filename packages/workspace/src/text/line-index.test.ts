import { appendFileSync, closeSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf } from '../testing.ts';
import { useEnclosures } from '../use-enclosures.ts';
import { type OpenFile, openRegular } from '../resolve/open-regular.ts';
import { readIndexedLines } from './line-index.ts';

const open = useEnclosures();
const files: OpenFile[] = [];
afterEach(() => {
  for (const { fd } of files.splice(0)) closeSync(fd);
});

/** Reads lines of a file with this content. */
function reader(content: string | Buffer) {
  const { enclosure, at } = open();
  writeFileSync(at('f'), content);
  const opened = () => {
    const file = openRegular(enclosure, 'f');
    files.push(file);
    return file;
  };
  const read = (
    offset: number,
    limit: number,
    more: { column?: number; maxBytes?: number; signal?: AbortSignal } = {},
  ) => readIndexedLines(opened(), { offset, limit, maxBytes: 10_000, column: undefined, signal: undefined, ...more });
  return { read, at };
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join('\n');

describe('lines of a large file', () => {
  it('are found by their number, before and behind each remembered place', async () => {
    const { read } = reader(numbered(3_000));
    for (const offset of [1, 2, 1_023, 1_024, 1_025, 1_026, 2_048, 2_049, 2_999, 3_000]) {
      const { lines, totalLines } = await read(offset, 2);
      const expected = [offset, offset + 1].filter((line) => line <= 3_000).map((line) => `line ${line}`);
      expect([lines, totalLines], `${offset}`).toEqual([expected, 3_000]);
    }
  });

  it.each([
    ['', 0],
    ['\n', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['a\n\nb\n', 3],
  ])('are counted: %j', async (content, total) => {
    expect((await reader(content).read(1, 10)).totalLines).toBe(total);
  });

  it('end with the last one', async () => {
    const { read } = reader('a\nb\n');
    expect(await read(3, 5)).toEqual({ lines: [], totalLines: 2, encoding: 'utf-8' });
    expect((await read(2, 5)).lines).toEqual(['b']);
  });

  it('lose their line ends and the mark of the first one', async () => {
    const { read } = reader('\ufeffa\r\nb\rc\r\n\ufeffd\r\n\r');
    expect((await read(1, 9)).lines).toEqual(['a', 'b\rc', '\ufeffd', '']);
    expect((await read(3, 1)).lines).toEqual(['\ufeffd']);
  });

  it('are fewer once they take the bytes of a result', async () => {
    const { read } = reader('123456\n'.repeat(50));
    expect((await read(1, 50, { maxBytes: 28 })).lines).toHaveLength(2);
    expect((await read(1, 50, { maxBytes: 29 })).lines).toHaveLength(3);
  });

  it('longer than a result are cut between two characters', async () => {
    const { read } = reader(`${'€'.repeat(50_000)}\nend`);
    for (const maxBytes of [9, 10, 11]) expect((await read(1, 1, { maxBytes })).lines, `${maxBytes}`).toEqual(['€€€']);
    expect((await read(2, 1)).lines).toEqual(['end']);
  });

  it('that are not UTF-8 are marked', async () => {
    const { read } = reader(Buffer.from('good\nb\xe9d\n', 'latin1'));
    expect([(await read(1, 1)).encoding, (await read(2, 1)).encoding]).toEqual(['utf-8', 'unknown-8bit']);
  });

  it('are read from a column on where one is given', async () => {
    const { read } = reader('first\nsecond line\nthird');
    expect(await read(2, 5, { column: 8 })).toEqual({ lines: ['line'], totalLines: 3, encoding: 'utf-8' });
  });

  it('are whole where they pass the parts in which a file is read', async () => {
    const long = 'x'.repeat(70_000);
    const { read } = reader(`${long}\nb\n${long}y\r\n${'z'.repeat(1024 * 1024)}\nend`);
    const whole = (await read(1, 9, { maxBytes: 2_000_000 })).lines;
    expect(whole.map((line) => [line.length, line.at(-1)])).toEqual([
      [70_000, 'x'],
      [1, 'b'],
      [70_001, 'y'],
      [1024 * 1024, 'z'],
      [3, 'd'],
    ]);
    expect((await read(4, 1, { maxBytes: 100 })).lines).toEqual(['z'.repeat(100)]);
    expect((await read(5, 1)).lines).toEqual(['end']);
  });

  it('of bytes that are not text are cut at the bound', async () => {
    const { read } = reader(Buffer.alloc(50, 0x80));
    expect(await read(1, 1, { maxBytes: 10 })).toEqual({
      lines: ['\ufffd'.repeat(10)],
      totalLines: 1,
      encoding: 'unknown-8bit',
    });
  });

  it('are not read for a caller that cancelled, before, between or after the count', async () => {
    const { read } = reader(numbered(3_000));
    const signal = AbortSignal.abort();
    expect(await codeOf(() => read(1, 1, { signal }))).toBe('cancelled');
    expect((await read(1, 1)).lines).toEqual(['line 1']);
    expect(await codeOf(() => read(1, 1, { signal }))).toBe('cancelled');
    expect(await codeOf(() => read(2_000, 1, { signal }))).toBe('cancelled');
    expect((await read(3_001, 1, { signal })).lines).toEqual([]);
  });

  it('are counted again for another version of the file', async () => {
    const { read, at } = reader('a\n');
    expect((await read(1, 1)).totalLines).toBe(1);
    appendFileSync(at('f'), 'b\nc');
    expect((await read(1, 9)).lines).toEqual(['a', 'b', 'c']);
  });

  it('are counted for a caller that waits although the one that began was cancelled', async () => {
    const { read } = reader(numbered(300_000));
    const cancelled = new AbortController();
    const first = codeOf(() => read(1, 1, { signal: cancelled.signal }));
    const second = read(300_000, 1);
    const third = codeOf(() => read(1, 1, { signal: cancelled.signal }));
    cancelled.abort();
    expect(await Promise.all([first, third])).toEqual(['cancelled', 'cancelled']);
    expect((await second).lines).toEqual(['line 300000']);
  });
});
