import { expect, it } from 'vitest';
import { BLOCK } from '../testing.ts';
import { toRecord } from './decision-record.ts';
import { parseRecord } from './parse-record.ts';

const record = toRecord(BLOCK, { tool: 'Write', wire: 'hook', mode: 'dry-run', agent: 'a' }, 'id', 0);

it('reads a stored decision', () => {
  expect(parseRecord(JSON.stringify(record))).toEqual(JSON.parse(JSON.stringify(record)));
});

it('leaves out a damaged line, and one that no guard wrote', () => {
  expect(parseRecord(JSON.stringify(record).slice(0, -1))).toBeUndefined();
  const bad = [
    { decision: 'ask' },
    { mode: 'off' },
    { id: 'i'.repeat(65) },
    { reason: 'r'.repeat(4_001) },
    { tool: undefined },
    { paths: Array(21).fill({ written: '', read_as: '', inside: true }) },
    { paths: [{ written: '', read_as: '' }] },
  ];
  for (const more of bad)
    expect(parseRecord(JSON.stringify({ ...record, ...more })), JSON.stringify(more)).toBeUndefined();
});
