import { expect, it } from 'vitest';
import { endsWithLine, storedBytes, storedText } from './stored-text.ts';

const wide = Buffer.from('\ufeffa\u2028é\n', 'utf16le');
const narrow = Buffer.from('\ufeffa\u2028é\r\n');

it('reads a text in the encoding of its mark, without the mark', () => {
  expect(storedText(wide)).toBe('a\u2028é\n');
  expect(storedText(narrow)).toBe('a\u2028é\r\n');
  expect(storedText(wide, 4)).toBe('a');
  expect(storedText(Buffer.from('plain'), 2)).toBe('pl');
});

it('says whether a text ends with a line end', () => {
  for (const ended of [wide, narrow, Buffer.from('a\n')]) expect(endsWithLine(ended)).toBe(true);
  for (const open of [wide.subarray(0, -2), Buffer.from('a'), Buffer.alloc(0)]) expect(endsWithLine(open)).toBe(false);
  expect(endsWithLine(Buffer.from('a\r'), '\r')).toBe(true);
  expect(endsWithLine(narrow, '\r\n')).toBe(true);
});

it('gives the bytes of an addition in the encoding of the file', () => {
  expect(storedBytes('aé', wide).toString('hex')).toBe('6100e900');
  expect(storedBytes('aé', Buffer.from(wide).swap16()).toString('hex')).toBe('006100e9');
  expect(storedBytes('aé', narrow).toString('hex')).toBe('61c3a9');
});
