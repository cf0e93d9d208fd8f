import { createRegistry, type Descriptor, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { componentsFor, titleOf } from './palette-place.ts';

const make = (type: string, takes: string[], gives: string[]) => ({
  descriptor: {
    type,
    label: type,
    fields: takes.map((accepts, at) => ({ name: `in${at}`, label: 'In', kind: 'handle', accepts: [accepts] })),
    outputs: gives.map((each, at) => ({ name: `out${at}`, label: 'Out', types: [each] })),
  } as unknown as Descriptor,
});
const registry = createRegistry([
  make('Rows', [], ['Table']),
  make('Say', ['Message'], ['Message']),
  make('Sum', ['Table'], ['Data']),
]);
const at = (id: string, type: string, name?: string) => ({
  id,
  type,
  position: { x: 0, y: 0 },
  values: {},
  ...(name && { name }),
});
const flow = { ...emptyFlow('f'), nodes: [at('r', 'Rows', 'My rows'), at('s', 'Say')] };
const from = { node: 'r', port: 'out0' };
const to = { node: 's', port: 'in0' };
const offered = (place: Parameters<typeof componentsFor>[2]) =>
  componentsFor(flow, registry, place).map(({ type }) => type);

it('offers all components at an empty place, and behind or before a port those that fit', () => {
  expect(offered({})).toEqual(['Rows', 'Say', 'Sum']);
  expect(offered({ from })).toEqual(['Sum']);
  expect(offered({ to })).toEqual(['Say']);
  expect(offered({ from, to })).toEqual([]);
});

it('says where the component comes', () => {
  const title = (place: Parameters<typeof titleOf>[2]) => titleOf(flow, registry, place);
  expect([title({}), title({ from }), title({ to }), title({ from, to })]).toEqual([
    'Add component',
    'Add after My rows',
    'Add before Say',
    'Insert between My rows and Say',
  ]);
  expect(title({ from: { node: 'gone', port: 'x' } })).toBe('Add after gone');
});
