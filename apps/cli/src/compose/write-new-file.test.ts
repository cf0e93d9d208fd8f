import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refusalOf } from '@croft/workspace/testing';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { writeNewFile } from './write-new-file.ts';

it('writes a new file, and never over one that is there', () => {
  const file = join(testDir(), 'f');
  writeNewFile(file, 'first');
  expect(refusalOf(() => writeNewFile(file, 'second'))).toBe(`${file}: the file exists; choose another name`);
  expect(readFileSync(file, 'utf8')).toBe('first');
  expect(refusalOf(() => writeNewFile(join(file, 'below'), 'x'))).toMatch(/: cannot be written: Not a directory/i);
});
