import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const textOf = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

it('the code in docs/guard.md is that of the example, which runs', () => {
  const blocks = [...textOf('docs/guard.md').matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code);
  expect(blocks).toHaveLength(1);
  expect(textOf('examples/embedded-guard.mjs')).toContain(blocks[0]);
});
