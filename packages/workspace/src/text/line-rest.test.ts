import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import type { OpenFile } from '../resolve/open-regular.ts';
import { readLineRest } from './line-rest.ts';

const path = join(fileDir(), 'f');

async function rest(
  content: string | Buffer,
  column: number,
  more: Partial<Parameters<typeof readLineRest>[2]> & { start?: number } = {},
) {
  writeFileSync(path, content);
  const fd = openSync(path, 'r');
  const { start = 0, ...options } = more;
  try {
    return await readLineRest({ fd } as OpenFile, start, {
      column,
      maxBytes: 1_000_000,
      isFirst: start === 0,
      signal: undefined,
      ...options,
    });
  } finally {
    closeSync(fd);
  }
}

it('gives the line from a character on, counted as it is shown', async () => {
  expect((await rest('aé😀z\nnext', 3)).text).toBe('😀z');
  expect((await rest('abc\r\nnext', 1)).text).toBe('abc');
  expect((await rest('abc', 4)).text).toBe('');
  expect((await rest('abc', 9)).text).toBe('');
  expect((await rest('one\ntwo', 2, { start: 4 })).text).toBe('wo');
});

it('counts no byte-order mark of the first line, and one of another line', async () => {
  expect((await rest('\ufeffabc', 1)).text).toBe('abc');
  expect((await rest('x\n\ufeffabc', 1, { start: 2 })).text).toBe('\ufeffabc');
});

it('joins a character that two reads share', async () => {
  const lead = 'x'.repeat(1024 * 1024 - 1);
  expect(await rest(`${lead}éz`, lead.length + 1)).toEqual({ text: 'éz', encoding: 'utf-8' });
  // The first read has one character less than what is left out.
  expect((await rest(`${lead}éz`, lead.length + 2)).text).toBe('z');
});

it('reads little more than may be shown, and says where bytes are not UTF-8', async () => {
  const { text } = await rest('x'.repeat(3 * 1024 * 1024), 1, { maxBytes: 10 });
  expect(text).toHaveLength(1024 * 1024);
  expect(await rest(Buffer.from([0x61, 0xe9, 0x62]), 1)).toEqual({ text: 'a\ufffdb', encoding: 'unknown-8bit' });
  await expect(rest('abc', 1, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
});
