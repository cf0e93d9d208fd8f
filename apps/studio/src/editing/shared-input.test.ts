import { createRegistry, type Descriptor, emptyFlow, TOOL_OUTPUT } from '@croft/flow';
import { expect, it } from 'vitest';
import { sharedInput } from './shared-input.ts';

const make = (type: string, list: boolean) => ({
  descriptor: {
    type,
    label: `The ${type}`,
    fields: [{ name: 'in', label: 'Rows', kind: 'handle', accepts: ['Table'], list }],
    outputs: [{ name: 'out', label: 'Out', types: ['Table'] }],
  } as unknown as Descriptor,
});
const registry = createRegistry([make('Join', true), make('One', false)]);
const at = (id: string, type: string) => ({ id, type, position: { x: 0, y: 0 }, values: {} });
const wire = (from: string, to: string, out = 'out', port = 'in') => ({
  from: { node: from, port: out },
  to: { node: to, port },
});
const FLOW = {
  ...emptyFlow('f'),
  nodes: [at('a', 'One'), at('b', 'One'), at('j', 'Join'), { ...at('o', 'One'), name: 'Mine' }, at('x', 'Gone')],
  edges: [
    wire('a', 'j'),
    wire('b', 'j'),
    wire('a', 'o'),
    wire('b', 'o'),
    wire('o', 'j', 'out', 'other'),
    wire('a', 'x'),
    wire('b', 'x'),
    wire('a', 'b'),
  ],
};

it('says how an input with several connections uses their values, and has the others', () => {
  expect(sharedInput(FLOW, registry, wire('b', 'j'))).toEqual({
    sentence: '“Rows” of The Join has 2 connections now, and joins the values of all.',
    others: [wire('a', 'j')],
  });
  expect(sharedInput(FLOW, registry, wire('a', 'o'))).toEqual({
    sentence: '“Rows” of Mine has 2 connections now, and uses the last one that brings a value.',
    others: [wire('b', 'o')],
  });
});

it('says nothing for one connection, tools, and components or inputs that are not known', () => {
  const edges = [
    wire('a', 'b'),
    wire('b', 'j', TOOL_OUTPUT.name),
    wire('b', 'x'),
    wire('b', 'gone'),
    wire('b', 'j', 'out', 'other'),
  ];
  expect(edges.map((edge) => sharedInput(FLOW, registry, edge))).toEqual(edges.map(() => undefined));
});
