import { expect, it } from 'vitest';
import { parseObject } from './parse-object.ts';

it('reads an object, and nothing else that JSON can hold', () => {
  expect(parseObject('{"a":[1]}')).toEqual({ a: [1] });
  for (const text of ['[]', 'null', '7', '"x"', '', '{', '{}x']) expect(parseObject(text), text).toBeUndefined();
});
