import { describe, expect, it } from 'vitest';
import type { Descriptor } from '../component.ts';
import { createRegistry } from '../registry.ts';
import { anyField, anyOutput, fakeComponent, flowOf } from '../testing.ts';
import type { Scope, Unit } from './arrange.ts';
import { planRun } from './plan.ts';

const control = (type: string, kind: NonNullable<Descriptor['control']>, ...outputs: ReturnType<typeof anyOutput>[]) =>
  fakeComponent(type, { fields: [anyField('in')], outputs, descriptor: { control: kind } });
const registry = createRegistry([
  fakeComponent('Step', { fields: [anyField('in', { list: true })] }),
  control('Loop', 'loop', anyOutput('item', { loop: true }), anyOutput('done')),
  control('Router', 'router', anyOutput('yes', { branch: true }), anyOutput('no', { branch: true })),
]);
const plan = (nodes: Parameters<typeof flowOf>[0], edges: readonly string[]) => planRun(flowOf(nodes, edges), registry);

/** A scope as text: `a`, `loop(a: b)` and `cycle(a b)`, and for each how many edges it waits for. */
function shown({ units, waitsFor }: Scope, ids: readonly string[]): string[] {
  const one = (unit: Unit): string => {
    if (unit.kind === 'node') return ids[unit.index] ?? '';
    const inner = shown(unit.body, ids).join(' ');
    return unit.kind === 'loop' ? `loop(${ids[unit.node]}: ${inner})` : `cycle(${inner} | ${unit.maxRounds})`;
  };
  return units.map((unit, at) => `${one(unit)}${waitsFor[at]}`);
}
const scope = (nodes: Parameters<typeof flowOf>[0], edges: readonly string[]) =>
  shown(plan(nodes, edges).root, Object.keys(nodes));

describe('units', () => {
  it('are the nodes of a flow without circles', () => {
    const nodes = { a: 'Step', b: 'Step', c: 'Step' };
    const edges = ['a.out -> b.in', 'a.out -> c.in', 'b.out -> c.in'];
    expect(scope(nodes, edges)).toEqual(['a0', 'b1', 'c2']);
    const { root } = plan(nodes, edges);
    expect([root.hasInner, root.after.map((list) => list.map(({ to }) => to))]).toEqual([false, [[1, 2], [2], []]]);
  });

  it('are a loop with what runs once a row, and what follows it', () => {
    const nodes = { a: 'Step', l: 'Loop', b: 'Step', z: 'Step' };
    const edges = ['a.out -> l.in', 'l.item -> b.in', 'b.out -> l.item', 'l.done -> z.in'];
    expect(scope(nodes, edges).sort()).toEqual(['a0', 'loop(l: b0)1', 'z1']);
    const made = plan(nodes, edges);
    expect([made.root.hasInner, [...made.reread], [...made.back]]).toEqual([true, [1], []]);
  });

  it('are not the body of a loop where its other output leads to the same node', () => {
    const nodes = { l: 'Loop', b: 'Step', z: 'Step' };
    expect(scope(nodes, ['l.item -> b.in', 'b.out -> z.in', 'l.done -> z.in']).sort()).toEqual(['loop(l: b0)0', 'z2']);
  });

  it('are loops in loops', () => {
    const nodes = { l: 'Loop', m: 'Loop', b: 'Step' };
    expect(scope(nodes, ['l.item -> m.in', 'm.item -> b.in'])).toEqual(['loop(l: loop(m: b0)0)0']);
  });

  it('are a circle through a router, with its rounds', () => {
    const nodes = { a: 'Step', b: 'Step', r: 'Router', z: 'Step' };
    const edges = ['a.out -> b.in', 'b.out -> r.in', 'r.no -> b.in', 'r.yes -> z.in'];
    expect(scope(nodes, edges).sort()).toEqual(['a0', 'cycle(b0 r1 | 10)1', 'z1']);
    expect([...plan(nodes, edges).back]).toEqual([2]);
  });
});

it.each([
  [3, 3],
  [3.9, 3],
  [0, 1],
  [5_000, 1_000],
  ['many', 10],
  [undefined, 10],
])('a circle with max_iterations %j runs at most %d rounds', (given, rounds) => {
  const router = { type: 'Router', values: given === undefined ? {} : { max_iterations: given } };
  expect(scope({ b: 'Step', r: router }, ['b.out -> r.in', 'r.no -> b.in'])).toEqual([`cycle(b0 r1 | ${rounds})0`]);
});

it('refuses a circle without a loop or router, and names its components', () => {
  expect(() => plan({ a: 'Step', b: 'Step' }, ['a.out -> b.in', 'b.out -> a.in'])).toThrow(
    /^The components '[ab]', '[ab]' form a cycle\. Break it, or lead it through a Loop or a router\.$/,
  );
  expect(() => plan({ a: 'Step' }, ['a.out -> a.in'])).toThrow("The components 'a' form a cycle.");
});
