import { expect, it } from 'vitest';
import { additionOf, fitsAddition, freshId } from './add-component.ts';
import { after, flow, registry, wire } from './testing-wires.ts';

it('puts a new component between two others, in place of their connection', () => {
  const old = wire('w', 'out', 'a', 'prompt');
  const wired = after([{ kind: 'connect', edge: old }]);
  const fits = fitsAddition(wired, registry, { from: old.from, to: old.to });
  expect(registry.entries.map(({ descriptor }) => descriptor.type).filter(fits)).toEqual(['Words', 'Agent', 'Cycle']);
  const added = additionOf(wired, registry, {
    type: 'Words',
    position: { x: 1, y: 2 },
    from: old.from,
    to: old.to,
    instead: old,
  });
  const next = after(added?.edits ?? [], wired);
  expect(next.edges).toEqual([wire('w', 'out', added?.id ?? '', 'in'), wire(added?.id ?? '', 'out', 'a', 'prompt')]);
});

it('adds no component where none of its ports fits', () => {
  const from = { node: 'r', port: 'out' };
  expect(additionOf(flow, registry, { type: 'Words', position: { x: 0, y: 0 }, from })).toBeUndefined();
  expect(fitsAddition(flow, registry, { from })('ParserComponent')).toBe(true);
  expect(additionOf(flow, registry, { type: 'Nothing', position: { x: 0, y: 0 } })).toBeUndefined();
});

it('adds a component alone, or by the ports that it is given', () => {
  const position = { x: 1, y: 2 };
  const alone = additionOf(flow, registry, { type: 'Words', position });
  expect(alone?.edits).toEqual([
    { kind: 'add_component', node: { id: alone?.id, type: 'Words', position, values: {} } },
  ]);
  const from = { node: 'w', port: 'out' };
  const ports = { input: 'prompt', output: 'out' };
  const added = additionOf(flow, registry, { type: 'Agent', position, from, ports });
  expect(after(added?.edits ?? []).edges).toEqual([wire('w', 'out', added?.id ?? '', 'prompt')]);
  expect(additionOf(flow, registry, { type: 'Words', position, from: { node: 'zz', port: 'out' } })).toBeUndefined();
});

it('fits no component to a port that is not known', () => {
  const fits = (place: Parameters<typeof fitsAddition>[2]) => fitsAddition(flow, registry, place)('Words');
  expect([fits({}), fits({ from: { node: 'w', port: 'out' } }), fits({ to: { node: 'a', port: 'prompt' } })]).toEqual([
    true,
    true,
    true,
  ]);
  expect([fits({ from: { node: 'w', port: 'no' } }), fits({ to: { node: 'gone', port: 'x' } })]).toEqual([
    false,
    false,
  ]);
  expect(fitsAddition(flow, registry, {})('Nothing')).toBe(false);
});

it('gives an id that no component, note or group has', () => {
  const taken = (part: 'nodes' | 'notes' | 'groups', id: string) =>
    freshId({ ...flow, [part]: [...flow[part], { id, type: 'x', nodes: [] }] } as typeof flow, 'Words');
  const id = freshId(flow, 'Words');
  const ids = (['nodes', 'notes', 'groups'] as const).map((part) => taken(part, id));
  expect(ids.every((each) => each.startsWith('Words') && each !== id)).toBe(true);
});

it('feeds an input by the port that it is given', () => {
  const to = { node: 'a', port: 'prompt' };
  const position = { x: 0, y: 0 };
  const added = additionOf(flow, registry, { type: 'Words', position, to, ports: { input: 'in', output: 'out' } });
  expect(after(added?.edits ?? []).edges).toEqual([wire(added?.id ?? '', 'out', 'a', 'prompt')]);
});
