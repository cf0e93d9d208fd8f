import { expect, it } from 'vitest';
import { createRegistry, nodeTitle, requireEntry } from './registry.ts';
import { fakeComponent, flowOf } from './testing.ts';

const entry = (type: string, aliases: readonly string[] = [], label = type) =>
  fakeComponent(type, { descriptor: { aliases, label } });

it('finds a component by its type before any alias, and the first one that claims a name', () => {
  const [one, two, again] = [entry('A', ['B', 'C']), entry('B', ['C', 'D']), entry('A', ['E'], 'other')];
  const registry = createRegistry([one, two, again]);
  expect(['A', 'B', 'C', 'D', 'E', 'F'].map((name) => registry.get(name))).toEqual([
    one,
    two,
    one,
    two,
    again,
    undefined,
  ]);
  expect(registry.entries).toEqual([one, two, again]);
  expect(createRegistry([one, entry('A')]).entries).toEqual([one]);
});

it('names a node as people see it', () => {
  const registry = createRegistry([entry('A', [], 'Agent')]);
  expect(nodeTitle({ name: 'Mine', type: 'A' }, registry)).toBe('Mine');
  expect(nodeTitle({ type: 'A' }, registry)).toBe('Agent');
  expect(nodeTitle({ type: 'X' }, registry)).toBe('X');
});

it('says what to do about a node without a component', () => {
  const [node] = flowOf({ n: 'X' }).nodes;
  const entryOf = (...entries: ReturnType<typeof entry>[]) =>
    requireEntry(createRegistry(entries), node as NonNullable<typeof node>);
  expect(() => entryOf()).toThrow(
    expect.objectContaining({
      code: 'unknown_component',
      message: "Node 'n' has the type 'X', which this Croft does not have. Replace or remove the node.",
      place: { node: 'n' },
    }),
  );
  const known = entry('Y', ['X']);
  expect(entryOf(known)).toBe(known);
});
