import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withNumbers } from '../../scripts/readme-numbers.mjs';

const ROOT = join(import.meta.dirname, '../..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

it('README.md has the numbers of docs/results, and a changed number is a difference', () => {
  expect(withNumbers(readme)).toBe(readme);
  const changed = readme.replace(/(reading 4 KB, one by one \| )[\d,]+/, '$1999,999');
  expect(changed).not.toBe(readme);
  expect(withNumbers(changed)).toBe(readme);
});

it('a README without the markers is refused', () => {
  expect(() => withNumbers('# Croft')).toThrow('README.md lacks');
});

it('the check of the docs passes on the tracked files', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/write-docs.mjs'), '--check'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
