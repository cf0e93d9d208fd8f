import { expect, it } from 'vitest';
import { ALLOW, BLOCK } from '../testing.ts';
import { MAX_PATHS, toRecord } from './decision-record.ts';
import { parseRecord } from './parse-record.ts';

const context = { tool: 'Write', wire: 'anthropic', mode: 'enforce' } as const;

it('has the verdict and its context, and only given facts in JSON', () => {
  const record = toRecord(BLOCK, { ...context, agent: 'a', model: 'm', root: '/p' }, 'id', 0);
  expect(record).toMatchObject({
    id: 'id',
    time: '1970-01-01T00:00:00.000Z',
    agent: 'a',
    model: 'm',
    root: '/p',
    decision: 'block',
    rule: 'outside-path',
    mode: 'enforce',
  });
  expect(Object.keys(JSON.parse(JSON.stringify(toRecord(ALLOW, context, 'id', 0))))).toEqual([
    'id',
    'time',
    'wire',
    'tool',
    'decision',
    'rule',
    'reason',
    'paths',
    'mode',
  ]);
  expect(toRecord({ ...ALLOW, undecidable: true }, context, 'id', 0).undecidable).toBe(true);
});

it('is bounded and on one line, whatever the call says', () => {
  const path = { written: 'w '.repeat(5_000), read_as: 'r'.repeat(9_000), inside: false };
  const decision = { ...BLOCK, reason: 'r '.repeat(5_000), paths: Array(MAX_PATHS + 1).fill(path) };
  const long = 'x y'.repeat(9_000);
  const record = toRecord(
    decision,
    { tool: long, wire: long, agent: long, model: long, root: long, mode: 'enforce' },
    'id',
    0,
  );
  expect([record.paths.length, MAX_PATHS]).toEqual([20, 20]);
  expect(record.reason.length).toBeLessThanOrEqual(601);
  for (const name of ['tool', 'wire', 'agent', 'model'] as const)
    expect((record[name] as string).length, name).toBeLessThanOrEqual(101);
  const broken = toRecord({ ...BLOCK, reason: 'a\nb' }, { ...context, tool: 'c\nd' }, 'id', 0);
  expect(JSON.stringify(broken)).not.toContain('\\n');
  expect(parseRecord(JSON.stringify(record))).toBeDefined();
});
