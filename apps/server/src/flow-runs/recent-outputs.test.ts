import type { StoredOutputs } from '@croft/flow';
import { expect, it } from 'vitest';
import { createRecentOutputs } from './recent-outputs.ts';

const run = (more: Partial<Record<'id' | 'userId' | 'flowId', string>> = {}) => ({
  id: 'r1',
  userId: 'ada',
  flowId: 'f',
  ...more,
});
const LIMITS = { ofUser: 1_000, ofServer: 2_000 };

it('gives the outputs of the newest run of a component, to the same user, flow and inputs', () => {
  const recent = createRecentOutputs(LIMITS);
  const of = (more = {}) => recent.of(run(more), undefined);
  // Rounds of a loop.
  void of().keep('a', '1', { out: 1 });
  void of().keep('a', '2', { out: 2 });
  void of().keep('b', '1', { out: 'b' });
  expect([of().find('a', '1'), of().find('a', '2'), of().find('a', '3')]).toEqual([{ out: 1 }, { out: 2 }, undefined]);
  expect(of({ userId: 'bo' }).find('a', '1')).toBeUndefined();
  expect(of({ flowId: 'g' }).find('a', '1')).toBeUndefined();
  void of({ id: 'r2' }).keep('a', '3', { out: 3 });
  expect([of().find('a', '1'), of().find('a', '3'), of().find('b', '1')]).toEqual([
    undefined,
    { out: 3 },
    { out: 'b' },
  ]);
});

it('leaves frozen components to their own store', () => {
  const kept = new Map<string, unknown>();
  const frozen: StoredOutputs = {
    keeps: (node) => node === 'a',
    find: () => ({ out: 'frozen' }),
    keep: (node, _, outputs) => void kept.set(node, outputs),
  };
  const outputs = createRecentOutputs(LIMITS).of(run(), frozen);
  void outputs.keep('a', '1', { out: 1 });
  void outputs.keep('b', '1', { out: 2 });
  expect([...kept.keys()]).toEqual(['a']);
  expect([outputs.find('a', '1'), outputs.find('b', '1')]).toEqual([{ out: 'frozen' }, { out: 2 }]);
});

it('makes room by what was used least recently, and keeps neither functions nor what is larger than all', () => {
  const recent = createRecentOutputs({ ofUser: 100, ofServer: 140 });
  const of = (userId = 'ada') => recent.of(run({ userId }), undefined);
  const value = { out: 'x'.repeat(30) };
  const has = (node: string, userId = 'ada') => of(userId).find(node, 'h') !== undefined;
  void of().keep('a', 'h', value);
  void of().keep('b', 'h', value);
  expect(has('a')).toBe(true);
  void of().keep('c', 'h', value);
  expect([has('a'), has('b'), has('c')]).toEqual([true, false, true]);
  void of().keep('a', 'h', { out: () => 1 });
  void of().keep('c', 'h', { out: 'x'.repeat(200) });
  expect([has('a'), has('c')]).toEqual([true, true]);
  for (const user of ['bo', 'cy']) void of(user).keep('a', 'h', value);
  expect([has('a', 'bo'), has('a', 'cy'), has('a') && has('c')]).toEqual([true, true, false]);
});
