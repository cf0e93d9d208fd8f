import type { ComponentRegistry, FlowDocument } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { FLOW_FIELD, type FlowLibrary, type FlowName, type FoundFlow, refuseCircles } from './flow-library.ts';
import { createSubFlowSlots } from './sub-flow-slots.ts';

const registry = {
  get: (type: string) => ({ descriptor: { type: type === 'SubFlow' ? 'RunFlow' : type } }),
} as unknown as ComponentRegistry<object>;

/** Flows by name, each with the flows that it runs. */
function check(
  flows: Readonly<Record<string, readonly string[]>>,
  underWay: readonly FlowName[] = [],
  type = 'RunFlow',
) {
  const read: string[] = [];
  const of = (name: string): FoundFlow<object> | undefined => {
    const runs = flows[name];
    if (runs === undefined) return undefined;
    read.push(name);
    const nodes = runs.map((each, at) => ({ id: `N${at}`, type, values: { [FLOW_FIELD]: each } }));
    return { id: `id ${name}`, flow: { name, nodes } as unknown as FlowDocument, registry };
  };
  const library: FlowLibrary<object> = {
    find: async (name) => of(name),
    names: async () => Object.keys(flows),
    underWay,
    slots: createSubFlowSlots(),
  };
  return refuseCircles(library, of('a') as FoundFlow<object>, 'RunFlow').then(() => read);
}
const chain = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [at === 0 ? 'a' : `f${at}`, at + 1 < count ? [`f${at + 1}`] : []]),
  );

describe('flows that run flows', () => {
  it('may run each other in a line, and one of them in many places', async () => {
    expect(await check({ a: ['b', 'b', 'c'], b: ['c'], c: [] })).toEqual(['a', 'b', 'c', 'b', 'c']);
    expect(await check({ a: ['missing'] })).toEqual(['a']);
  });

  it('may not run each other in a circle', async () => {
    await expect(check({ a: ['b'], b: ['c'], c: ['b'] })).rejects.toMatchObject({
      message: "The flows run each other in a circle: 'b' → 'c' → 'b'.",
      fix: 'Remove one of these sub-flows.',
    });
    await expect(check({ a: ['a'] }, [], 'SubFlow')).rejects.toThrow("circle: 'a' → 'a'.");
    await expect(check({ a: [] }, [{ id: 'id a', name: 'outer a' }])).rejects.toThrow("circle: 'outer a' → 'a'.");
    expect(await check({ a: ['a'] }, [], 'Other')).toEqual(['a']);
  });

  it('may be eight inside of each other', async () => {
    expect(await check(chain(8))).toHaveLength(8);
    await expect(check(chain(9))).rejects.toMatchObject({
      message:
        "More than 8 flows are inside of each other: 'a' → 'f1' → 'f2' → 'f3' → 'f4' → 'f5' → 'f6' → 'f7' → 'f8'.",
      fix: 'Put some of them into one flow.',
    });
    const outer = { id: 'id outer', name: 'outer' };
    await expect(check(chain(8), [outer])).rejects.toThrow("inside of each other: 'outer' → 'a'");
  });

  it('may be a hundred', async () => {
    const wide = (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `f${at}`);
      return { a: names, ...Object.fromEntries(names.map((name) => [name, []])) };
    };
    expect(await check(wide(99))).toHaveLength(100);
    await expect(check(wide(100))).rejects.toMatchObject({
      message: 'The flow runs more than 100 other flows.',
      fix: 'Use fewer sub-flows.',
    });
  });
});
