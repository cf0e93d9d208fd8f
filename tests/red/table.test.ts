import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TABLE } from './table.mjs';

const at = (file: string) => join(import.meta.dirname, '../..', file);
const timesIn = (file: string, text: string) => readFileSync(at(file), 'utf8').split(text).length - 1;

it('each rule that npm run red removes is in the source once, and its test is there', () => {
  const misfits = TABLE.flatMap(({ rule, edits, test }) => [
    ...edits.filter(({ file, find }) => timesIn(file, find) !== 1).map(({ find }) => `${rule}: ${find}`),
    ...(existsSync(at(test.file)) ? [] : [`${rule}: ${test.file}`]),
  ]);
  expect(misfits).toEqual([]);
});
