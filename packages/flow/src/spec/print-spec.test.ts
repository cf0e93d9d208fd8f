import { describe, expect, it } from 'vitest';
import { flowOf } from '../testing.ts';
import { printSpec, specOf, summariseFlow } from './print-spec.ts';

it('prints the description in one line, and no empty part', () => {
  const flow = { ...flowOf({ a: 'ChatInput' }), description: 'Two \n  lines' };
  expect(printSpec(specOf(flow))).toBe('name: Test\ndescription: Two lines\nnodes:\n  a: ChatInput\n');
  expect(printSpec({ ...specOf(flow), name: '', description: '' })).toBe('nodes:\n  a: ChatInput\n');
});

describe('summariseFlow', () => {
  it('shows components and connections without values, at most 2,000 characters', () => {
    const flow = flowOf({ a: { type: 'ChatInput', values: { input_value: 'secret' } }, b: 'Agent' }, [
      'a.message -> b.input_value',
    ]);
    expect(summariseFlow(flow)).toBe(
      'name: Test\n\ncomponents:\n  a: ChatInput\n  b: Agent\n\nconnections:\n  a.message -> b.input_value',
    );
    expect(summariseFlow(flowOf({}))).toBe('(empty canvas)');
    const many = flowOf(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`node${index}`, 'T'])));
    expect(summariseFlow(many)).toHaveLength(2_000);
  });
});
