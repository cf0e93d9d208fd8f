import { expect, it } from 'vitest';
import { editChoice, promisesCalls } from './edit-choices.ts';

const EDIT = { indexes: [], dropFunctionCall: false, withoutCalls: false, dropRole: false };
const delta = (more: object, finish: string | null = null) => ({ index: 0, delta: more, finish_reason: finish });

it('removes entries of calls and renumbers the others', () => {
  const choice = delta({ tool_calls: [{ index: 0 }, { index: 1, id: 'b' }, { index: 2 }] });
  expect(editChoice(choice, { ...EDIT, indexes: [undefined, 0, undefined] })).toBe(true);
  expect(choice.delta).toEqual({ tool_calls: [{ index: 0, id: 'b' }] });
  expect(editChoice(choice, { ...EDIT, indexes: [undefined] })).toBe(false);
  expect(choice.delta).toEqual({});
});

it('removes the older form of a call and the role only where it is asked', () => {
  const kept = delta({ role: 'assistant', function_call: { name: 'x' } });
  expect(editChoice(kept, EDIT)).toBe(true);
  expect(kept.delta).toHaveProperty('function_call');
  const dropped = delta({ role: 'assistant', function_call: { name: 'x' }, content: '' });
  expect(editChoice(dropped, { ...EDIT, dropFunctionCall: true, dropRole: true })).toBe(false);
  expect(dropped.delta).toEqual({ content: '' });
});

it('announces no calls where none is left', () => {
  const choice = delta({}, 'tool_calls');
  expect([editChoice(choice, { ...EDIT, withoutCalls: true }), choice.finish_reason]).toEqual([true, 'stop']);
  const others = delta({}, 'length');
  editChoice(others, { ...EDIT, withoutCalls: true });
  const announced = delta({}, 'tool_calls');
  editChoice(announced, EDIT);
  expect([others.finish_reason, announced.finish_reason]).toEqual(['length', 'tool_calls']);
  expect(['tool_calls', 'function_call', 'stop', null].map(promisesCalls)).toEqual([true, true, false, false]);
});

it('needs a choice that ends or has content', () => {
  expect(editChoice(delta({ content: 'a' }), EDIT)).toBe(true);
  expect(editChoice(delta({ content: null }, ''), EDIT)).toBe(false);
  expect(editChoice({ index: 0 }, EDIT)).toBe(false);
});
