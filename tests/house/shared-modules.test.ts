import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALONE } from '../../vitest.config.ts';

const root = join(import.meta.dirname, '../..');
const REPLACES = /\bvi\.(mock|doMock|resetModules)\(/;

it('modules are replaced or loaded again only by test files that have a process of their own', () => {
  const files = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  expect(files.length).toBeGreaterThan(1_000);
  const replacing = files.filter((file) => REPLACES.test(readFileSync(join(root, file), 'utf8')));
  expect(replacing.filter((file) => !ALONE.includes(file))).toEqual([]);
});
