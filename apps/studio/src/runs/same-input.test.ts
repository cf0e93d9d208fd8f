import { createRegistry, type Descriptor, emptyFlow, type FlowDocument, type Json } from '@croft/flow';
import { expect, it } from 'vitest';
import type { TimelineEntry } from '../api/runs.ts';
import { leftOut, sameInput } from './same-input.ts';

const input: Descriptor = {
  type: 'Input',
  label: 'Input',
  description: '',
  category: 'x',
  effects: ['none'],
  outputs: [],
  boundary: 'input',
  fields: [
    { name: 'input_value', label: 'Message', kind: 'multiline', default: '' },
    { name: 'session_id', label: 'Session', kind: 'text', default: '' },
    { name: 'code', label: 'Code', kind: 'code', default: '' },
    { name: 'data', label: 'Data', kind: 'json', default: null },
  ],
};
const registry = createRegistry([{ descriptor: input }]);
const flow: FlowDocument = {
  ...emptyFlow('f'),
  nodes: [{ id: 'i', type: 'Input', position: { x: 0, y: 0 }, values: {} }],
};
const ran = (inputs: Json | undefined): readonly TimelineEntry[] => [
  { node: 'i', path: '', status: 'finished', startedMs: 0, ...(inputs !== undefined && { inputs }) },
];

it('takes the values of the inputs from the timeline, without the session and code', () => {
  const values = { input_value: 'hi', session_id: 's', code: 'x', data: { a: [1, 'b', null, true] }, other: 1 };
  expect(sameInput(flow, registry, ran(values))).toEqual({
    i: { input_value: 'hi', data: { a: [1, 'b', null, true] } },
  });
  expect(sameInput(flow, registry, [])).toEqual({});
});

it('gives nothing where the history shortened or redacted a value', () => {
  const lost: readonly (Json | undefined)[] = [
    { input_value: 'long… (9000 characters)' },
    { input_value: 'the key is ***' },
    { data: { list: [1, '(7 more items)'] } },
    { data: '(30 items)' },
    { data: { deep: '(object)' } },
    undefined,
  ];
  for (const inputs of lost) expect(sameInput(flow, registry, ran(inputs))).toBeUndefined();
});

it('names what a run left out, and not what a failure kept from running', () => {
  const nodes = ['a', 'b', 'c', 'd'].map((id) => ({ id, type: 'Input', position: { x: 0, y: 0 }, values: {} }));
  const edge = (from: string, to: string) => ({
    from: { node: from, port: 'o' },
    to: { node: to, port: 'input_value' },
  });
  const chain: FlowDocument = { ...emptyFlow('f'), nodes, edges: [edge('a', 'b'), edge('b', 'c')] };
  const entry = (node: string, status: TimelineEntry['status']): TimelineEntry => ({ node, path: '', status });
  expect(leftOut([entry('a', 'finished'), entry('b', 'finished')], chain, registry)).toEqual(['Input', 'Input']);
  expect(leftOut([entry('a', 'finished'), entry('b', 'failed'), entry('d', 'finished')], chain, registry)).toEqual([]);
  expect(leftOut([entry('a', 'failed')], chain, registry)).toEqual(['Input']);
});
