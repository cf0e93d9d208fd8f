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

it('counts the hash and the text of each value once, also where a round is kept again', () => {
  // `{"out":1}` has nine characters.
  const recent = createRecentOutputs({ ofUser: 40, ofServer: 45 });
  const of = (userId = 'ada') => recent.of(run({ userId }), undefined);
  const has = (node: string, userId = 'ada') => of(userId).find(node, 'h') !== undefined;
  const keep = (node: string, userId = 'ada', out: unknown = 1) => void of(userId).keep(node, 'h', { out });
  for (const node of ['a', 'b', 'c', 'd']) keep(node);
  expect(['a', 'b', 'c', 'd'].map((node) => has(node))).toEqual([true, true, true, true]);
  // The same length again changes no count, and a shorter one makes room.
  keep('a');
  expect(['a', 'b', 'c', 'd'].map((node) => has(node))).toEqual([true, true, true, true]);
  keep('a', 'ada', 12);
  expect(['a', 'b', 'c', 'd'].map((node) => has(node))).toEqual([false, true, true, true]);
  // 30 of one user and 10 of another fit into 45. The next one makes room by the least recently used of all.
  keep('x', 'bo');
  expect([has('b'), has('c'), has('d'), has('x', 'bo')]).toEqual([true, true, true, true]);
  keep('y', 'bo');
  expect([has('b'), has('c'), has('d'), has('x', 'bo'), has('y', 'bo')]).toEqual([false, true, true, true, true]);
});

it('removes the former outputs of a component whose new ones cannot be kept', () => {
  const recent = createRecentOutputs({ ofUser: 100, ofServer: 200 });
  const keep = (id: string, out: unknown) => void recent.of(run({ id }), undefined).keep('a', 'h', { out });
  const kept = () => recent.of(run(), undefined).find('a', 'h');
  keep('r1', 1);
  keep('r2', 'x'.repeat(200));
  expect(kept()).toBeUndefined();
  keep('r3', 3);
  keep('r4', () => 1);
  expect(kept()).toBeUndefined();
});

it('keeps no outputs of one component of more than 2 Mi characters', () => {
  const recent = createRecentOutputs({ ofUser: 10_000_000, ofServer: 10_000_000 });
  const outputs = recent.of(run(), undefined);
  void outputs.keep('a', 'h', { out: 'x'.repeat(2 * 1024 * 1024 - 100) });
  void outputs.keep('b', 'h', { out: 'x'.repeat(2 * 1024 * 1024 + 100) });
  expect([outputs.find('a', 'h') !== undefined, outputs.find('b', 'h')]).toEqual([true, undefined]);
});
