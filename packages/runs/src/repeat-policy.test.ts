import type { Effect } from '@croft/flow';
import { expect, it } from 'vitest';
import { repeatByEffect } from './repeat-policy.ts';

const policyOf = (...effects: Effect[]) => repeatByEffect({ node: 'A', type: 'Any', effects });

it('asks a person before a write to a database is repeated', () => {
  expect(policyOf('database-write')).toBe('attention');
});

it('reports effects that cost twice or that a receiver may do twice', () => {
  expect([policyOf('model'), policyOf('network-write')]).toEqual(['reported', 'reported']);
});

it('repeats silently what reads, waits, computes or writes the same file again', () => {
  const safe: Effect[] = ['none', 'wait', 'code', 'network-read', 'workspace-read', 'database-read', 'workspace-write'];
  for (const effect of safe) expect([effect, policyOf(effect)]).toEqual([effect, 'safe']);
  expect(policyOf()).toBe('safe');
});

it('takes the strictest policy of all effects, in any order', () => {
  expect(policyOf('none', 'database-write', 'model')).toBe('attention');
  expect(policyOf('database-write', 'none')).toBe('attention');
  expect(policyOf('model', 'none')).toBe('reported');
  expect(policyOf('none', 'model')).toBe('reported');
});
