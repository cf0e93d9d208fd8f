import { createRegistry, type Field, type FlowDocument, portsOf } from '@croft/flow';
import { expect, it } from 'vitest';
import { bestPort, edgeBetween, findPort, fitsIn, fittingPorts, portsOn, portUnder } from './fitting-ports.ts';
import { at, flow, make, registry, take, wire } from './testing-wires.ts';

it('finds the ports of other components that take the type of a wire, in both directions', () => {
  const fits = (node: string, port: string, side: 'input' | 'output') =>
    [...fitsIn(flow, registry, { node, port, side })].map(([id, names]) => [id, ...names]);
  expect(fits('w', 'out', 'output')).toEqual([['a', 'prompt']]);
  expect(fits('a', 'prompt', 'input')).toEqual([['w', 'out']]);
  expect(fits('a', 'tools', 'input')).toEqual([['w', 'component_as_tool']]);
  expect(fits('r', 'out', 'output')).toEqual([]);
  expect(fits('g', 'out', 'output')).toEqual([]);
});
it('takes a port that the card draws where a wire is dropped on it', () => {
  const hidden: Field = { ...take('tone', 'Message'), kind: 'text', portWhenConnected: true };
  const known = createRegistry([make('Words', [], ['Message']), make('Say', [take('in', 'Message'), hidden], [])]);
  const taken: FlowDocument = {
    ...flow,
    nodes: [at('w', 'Words'), at('s', 'Say')],
    edges: [wire('w', 'out', 's', 'in')],
  };
  expect(portUnder(taken, known, { node: 'w', port: 'out', side: 'output' }, 's')).toBe('in');
});
it('takes a free port of a card first', () => {
  const two = createRegistry([
    make('Words', [], ['Message']),
    make('Say', [take('one', 'Message'), take('two', 'Message')], []),
  ]);
  const nodes = [at('w', 'Words'), at('s', 'Say')];
  const end = { node: 'w', port: 'out', side: 'output' } as const;
  const under = (...edges: FlowDocument['edges']) => portUnder({ ...flow, nodes, edges }, two, end, 's');
  expect([under(), under(wire('w', 'out', 's', 'one'))]).toEqual(['one', 'two']);
  expect(under(wire('w', 'out', 's', 'one'), wire('w', 'out', 's', 'two'))).toBe('one');
  expect(portUnder({ ...flow, nodes, edges: [] }, two, end, 'gone')).toBeUndefined();
});

it('takes a required input first, and none that is rarely used', () => {
  const fields: Field[] = [
    { ...take('rare', 'Message'), advanced: true },
    { ...take('gate', 'Message'), gate: true },
    take('usual', 'Message'),
    { ...take('needed', 'Message'), required: true },
  ];
  const node = at('s', 'Say');
  const entry = make('Say', fields, []);
  const side = { side: 'output' } as const;
  expect(fittingPorts(side, ['Message'], node, entry).map(({ name }) => name)).toEqual([
    'usual',
    'needed',
    'rare',
    'gate',
  ]);
  expect(bestPort(side, ['Message'], node, entry)?.name).toBe('needed');
  expect(bestPort(side, ['Message'], node, make('Say', fields.slice(0, 3), []))?.name).toBe('usual');
  expect(bestPort(side, ['Message'], node, make('Say', fields.slice(0, 2), []))).toBeUndefined();
  expect(bestPort(side, ['Table'], node, entry)).toBeUndefined();
});

it('ends a round of a loop at an output too', () => {
  const loop = { ...make('Loop', [take('rows', 'Table')], ['Data']) };
  loop.descriptor = { ...loop.descriptor, outputs: [{ name: 'item', label: 'Item', types: ['Data'], loop: true }] };
  const node = at('l', 'Loop');
  expect(portsOn('input', node, loop).map(({ name }) => name)).toEqual(['rows', 'item']);
  expect(portsOn('output', node, loop)).toEqual(portsOf(node, loop).outputs);
  expect(fittingPorts({ side: 'output' }, ['Message'], node, loop).map(({ name }) => name)).toEqual(['item']);
});

it('feeds a component itself only where it is a loop or a router', () => {
  const own = (type: string) =>
    fitsIn({ ...flow, nodes: [at('x', type)] }, registry, { node: 'x', port: 'out', side: 'output' }).has('x');
  expect([own('Words'), own('Cycle')]).toEqual([false, true]);
});

it('finds a port of a known component by its name', () => {
  expect(findPort('input', at('w', 'Words'), registry, 'in')?.types).toEqual(['Message']);
  expect(findPort('output', at('w', 'Words'), registry, 'in')).toBeUndefined();
  expect(findPort('input', at('g', 'Gone'), registry, 'in')).toBeUndefined();
});

it('is an edge from the output to the input, from whichever end it was drawn', () => {
  const [out, into] = [
    { node: 'a', port: 'o' },
    { node: 'b', port: 'i' },
  ];
  expect(edgeBetween({ ...out, side: 'output' }, into)).toEqual({ from: out, to: into });
  expect(edgeBetween({ ...into, side: 'input' }, out)).toEqual({ from: out, to: into });
});
