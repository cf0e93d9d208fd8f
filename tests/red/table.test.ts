import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TABLE } from './table.mjs';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

it('each rule that npm run red removes is in the source once, and its test is there', () => {
  const misfits = TABLE.flatMap(({ rule, edits, test }) => [
    ...edits.filter(({ file, find }) => read(file).split(find).length !== 2).map(({ find }) => `${rule}: ${find}`),
    ...(read(test.file).includes('it') ? [] : [rule]),
  ]);
  expect(misfits).toEqual([]);
});
