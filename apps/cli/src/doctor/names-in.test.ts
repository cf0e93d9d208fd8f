import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { namesIn } from './names-in.ts';

it('gives the names in a directory, and none where it cannot be read', () => {
  const dir = testDir();
  writeFileSync(join(dir, 'a'), '');
  expect([namesIn(dir), namesIn(join(dir, 'none')), namesIn(join(dir, 'a'))]).toEqual([['a'], [], []]);
});
