import { expect, it } from 'vitest';
import { isOfAuthor } from './author-fields.ts';

it('leaves code, secrets, programs and servers to the author of a flow', () => {
  const own = (name: string, kind: Parameters<typeof isOfAuthor>[1]['kind'] = 'text', type = 'Any') =>
    isOfAuthor(type, { name, kind });
  expect([own('x', 'code'), own('x', 'secret'), own('x', 'flow')]).toEqual([true, true, true]);
  for (const name of ['command', 'args', 'argv', 'env', 'curl_input', 'credential']) expect(own(name), name).toBe(true);
  expect([own('url', 'text', 'MCPTools'), own('transport', 'text', 'MCPTools'), own('url')]).toEqual([
    true,
    true,
    false,
  ]);
  expect([own('input_value'), own('text', 'multiline'), own('tool', 'text', 'MCPTools')]).toEqual([
    false,
    false,
    false,
  ]);
});
