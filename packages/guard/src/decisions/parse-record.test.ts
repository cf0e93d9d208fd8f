import { expect, it } from 'vitest';
import { BLOCK } from '../testing.ts';
import { toRecord } from './decision-record.ts';
import { parseRecord } from './parse-record.ts';

const record = toRecord(BLOCK, { tool: 'Write', wire: 'hook', mode: 'dry-run', agent: 'a' }, 'id', 0);

it('reads a stored decision', () => {
  expect(parseRecord(JSON.stringify(record))).toEqual(JSON.parse(JSON.stringify(record)));
});

const LIMITS = {
  id: 64,
  time: 32,
  agent: 1_000,
  model: 1_000,
  wire: 1_000,
  tool: 1_000,
  rule: 64,
  reason: 4_000,
  root: 8_000,
};

it('reads the longest record, the shortest one, and each decision and mode', () => {
  const path = { written: 'w'.repeat(4_000), read_as: 'r'.repeat(4_000), inside: false };
  const longest = {
    ...Object.fromEntries(Object.entries(LIMITS).map(([key, limit]) => [key, 'x'.repeat(limit)])),
    decision: 'allow',
    paths: Array(20).fill(path),
    undecidable: true,
    mode: 'enforce',
  };
  expect(parseRecord(JSON.stringify(longest))).toEqual(longest);
  const shortest = {
    id: '',
    time: '',
    wire: '',
    tool: '',
    decision: 'block',
    rule: '',
    reason: '',
    paths: [],
    mode: 'dry-run',
  };
  expect(parseRecord(JSON.stringify({ ...shortest, other: 1 }))).toEqual(shortest);
});

it('leaves out a damaged line, and one that no guard wrote', () => {
  expect(parseRecord(JSON.stringify(record).slice(0, -1))).toBeUndefined();
  const bad = [
    { decision: 'ask' },
    { mode: 'off' },
    { id: 'i'.repeat(65) },
    { reason: 'r'.repeat(4_001) },
    { paths: Array(21).fill({ written: '', read_as: '', inside: true }) },
    { paths: [{ written: '', read_as: '' }] },
    { paths: [{ written: '', inside: true }] },
    { paths: [{ read_as: '', inside: true }] },
    { paths: [{ written: 'w'.repeat(4_001), read_as: '', inside: true }] },
    { paths: [{ written: '', read_as: 'r'.repeat(4_001), inside: true }] },
    { undecidable: 'yes' },
    ...['id', 'time', 'wire', 'tool', 'decision', 'rule', 'reason', 'paths', 'mode'].map((key) => ({
      [key]: undefined,
    })),
    ...Object.entries(LIMITS).map(([key, limit]) => ({ [key]: 'x'.repeat(limit + 1) })),
    ...Object.keys(LIMITS).map((key) => ({ [key]: 7 })),
  ];
  for (const more of bad)
    expect(parseRecord(JSON.stringify({ ...record, ...more })), JSON.stringify(more)).toBeUndefined();
});
