import { expect, it } from 'vitest';
import { isText } from './is-text.ts';

it('takes UTF-8 only, and no NUL', () => {
  expect(['', 'a', 'é 😀'].map((text) => isText(Buffer.from(text)))).toEqual([true, true, true]);
  expect(
    [Buffer.from('a\0'), Buffer.from([0xff, 0xfe]), Buffer.from([0xc3]), Buffer.from('a', 'utf16le')].map(isText),
  ).toEqual([false, false, false, false]);
});
