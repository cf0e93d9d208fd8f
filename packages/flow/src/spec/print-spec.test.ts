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

it('prints nodes, connections and values', () => {
  const flow = flowOf({ a: { type: 'ChatInput', values: { input_value: 'hi', count: 2 } }, b: 'Agent' }, [
    'a.message -> b.input_value',
  ]);
  expect(specOf(flow)).toEqual({
    name: 'Test',
    nodes: [
      { id: 'a', type: 'ChatInput' },
      { id: 'b', type: 'Agent' },
    ],
    edges: [{ from: { node: 'a', port: 'message' }, to: { node: 'b', port: 'input_value' } }],
    config: [
      { node: 'a', field: 'input_value', value: 'hi' },
      { node: 'a', field: 'count', value: 2 },
    ],
  });
  expect(printSpec(specOf(flow))).toBe(
    'name: Test\nnodes:\n  a: ChatInput\n  b: Agent\nedges:\n  a.message -> b.input_value\nconfig:\n  a.input_value: hi\n  a.count: 2\n',
  );
  expect(printSpec({ nodes: [], edges: [], config: [] })).toBe('nodes:\n');
  expect(summariseFlow(flowOf({ a: 'T' }))).toBe('name: Test\n\ncomponents:\n  a: T');
});
