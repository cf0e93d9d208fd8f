import { emptyFlow, type FlowDocument } from '@croft/flow';
import { expect, it } from 'vitest';
import { createFrozenOutputs } from './frozen-outputs.ts';

const node = (id: string, frozen: boolean) => ({
  id,
  type: 'TextInput',
  position: { x: 0, y: 0 },
  values: {},
  ...(frozen && { run: { frozen } }),
});
const flowWith = (...nodes: readonly ReturnType<typeof node>[]): FlowDocument => ({ ...emptyFlow(), nodes });
const of = (ids: Partial<{ userId: string; flowId: string }> = {}, flow = flowWith(node('a', true))) => ({
  userId: 'ada',
  flowId: 'f',
  flow,
  ...ids,
});

it('keeps outputs of frozen components only, for one user, flow and set of inputs', () => {
  const frozen = createFrozenOutputs({ ofUser: 1_000, ofServer: 1_000 });
  expect(frozen.of(of({}, flowWith(node('a', false))))).toBeUndefined();
  const own = frozen.of(of({}, flowWith(node('a', true), node('b', false))));
  expect([own?.keeps?.('a'), own?.keeps?.('b')]).toEqual([true, false]);
  void own?.keep('a', 'hash', { out: { text: 'kept' } });
  expect(frozen.of(of())?.find('a', 'hash')).toEqual({ out: { text: 'kept' } });
  expect(frozen.of(of())?.find('a', 'other')).toBeUndefined();
  expect(frozen.of(of({ userId: 'bo' }))?.find('a', 'hash')).toBeUndefined();
  expect(frozen.of(of({ flowId: 'g' }))?.find('a', 'hash')).toBeUndefined();
});

it('does not keep what JSON cannot hold, and forgets what was kept before', () => {
  const store = createFrozenOutputs({ ofUser: 1_000, ofServer: 1_000 }).of(of());
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const outputs of [{ tools: [() => 1] }, circle]) {
    void store?.keep('a', 'hash', { out: 1 });
    void store?.keep('a', 'hash', outputs);
    expect(store?.find('a', 'hash')).toBeUndefined();
  }
});

it('makes room by what was used least recently, first of the same user', () => {
  const frozen = createFrozenOutputs({ ofUser: 40, ofServer: 100 });
  const keep = (userId: string, flowId: string) =>
    void frozen.of(of({ userId, flowId }))?.keep('a', 'h', { out: '0123456' });
  const has = (userId: string, flowId: string) => frozen.of(of({ userId, flowId }))?.find('a', 'h') !== undefined;
  keep('bo', 'f');
  keep('ada', '1');
  keep('ada', '2');
  expect(has('ada', '1')).toBe(true);
  keep('ada', '3');
  expect([has('ada', '1'), has('ada', '2'), has('ada', '3'), has('bo', 'f')]).toEqual([true, false, true, true]);
});
