import { expect, it } from 'vitest';
import { endOfString } from './end-of-string.ts';

it.each(['""', '"a"', '"a\\"b"', '"a\\\\"', '"\\\\\\""', '"\\\\\\\\"', '"\\n\\u0022"'])(
  'finds the end of %s',
  (text) => {
    expect(endOfString(`${text},"x"`, 0)).toBe(text.length - 1);
    expect(endOfString(`{"k":${text}}`, 5)).toBe(text.length + 4);
  },
);
