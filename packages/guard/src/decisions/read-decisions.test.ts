import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { ALLOW } from '../testing.ts';
import { toRecord } from './decision-record.ts';
import { newDecisions, readDecisions } from './read-decisions.ts';

const line = (id: string, at: number) =>
  `${JSON.stringify(toRecord(ALLOW, { tool: 't', wire: 'hook', mode: 'enforce' }, id, at))}\n`;

it('gives all decisions of a directory by time, without damaged lines', () => {
  const dir = testDir();
  writeFileSync(join(dir, 'decisions.10.ndjson'), line('d', 4) + line('b', 2));
  writeFileSync(join(dir, 'decisions.9.ndjson'), `${line('a', 1)}{"id":\n\n${line('c', 3)}`);
  writeFileSync(join(dir, 'decisions.0.ndjson'), line('no', 5));
  writeFileSync(join(dir, 'decisions.x.ndjson'), line('no', 5));
  writeFileSync(join(dir, 'decisions.1.ndjson'), line('first', 0));
  expect(readDecisions(dir).map(({ id }) => id)).toEqual(['first', 'a', 'b', 'c', 'd']);
  expect(readDecisions(join(dir, 'none'))).toEqual([]);
  expect(() => readDecisions(join(dir, 'decisions.9.ndjson'))).toThrow('ENOTDIR');
});

it('gives the decisions since the last call', () => {
  const dir = testDir();
  const file = join(dir, 'decisions.1.ndjson');
  writeFileSync(file, line('old', 1));
  const next = newDecisions(dir);
  expect(next()).toEqual([]);
  appendFileSync(file, `${line('a', 2)}damaged\n${line('b', 3)}`);
  expect(next().map(({ id }) => id)).toEqual(['a', 'b']);
  expect(next()).toEqual([]);
});

it('keeps the order of the files for decisions of one time', () => {
  const dir = testDir();
  for (const [number, id] of [
    [10, 'c'],
    [2, 'b'],
    [1, 'a'],
  ] as const)
    writeFileSync(join(dir, `decisions.${number}.ndjson`), line(id, 7) + line(`${id}2`, 7));
  expect(readDecisions(dir).map(({ id }) => id)).toEqual(['a', 'a2', 'b', 'b2', 'c', 'c2']);
});

it('ignores a file that is gone, and reports one that cannot be read', () => {
  const dir = testDir();
  symlinkSync(join(dir, 'gone'), join(dir, 'decisions.1.ndjson'));
  writeFileSync(join(dir, 'decisions.2.ndjson'), line('a', 1));
  expect(readDecisions(dir).map(({ id }) => id)).toEqual(['a']);
  mkdirSync(join(dir, 'decisions.3.ndjson'));
  expect(() => readDecisions(dir)).toThrow('EISDIR');
});
