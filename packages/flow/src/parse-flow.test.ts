import { describe, expect, it } from 'vitest';
import { busyMs } from '../../../tests/support/yardstick.ts';
import { emptyFlow } from './document.ts';
import { parseFlow, parseFlowInParts, printFlow } from './parse-flow.ts';
import { FlowError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { createRegistry } from './registry.ts';
import { planRunInParts } from './run/plan.ts';
import { fakeComponent } from './testing.ts';
import { validateFlowInParts } from './validate.ts';

const withNodes = (...nodes: unknown[]) => ({ ...emptyFlow(), nodes });
const node = (id: string) => ({ id, type: 'T', position: { x: 0, y: 0 }, values: {} });

function failureOf(run: () => unknown): FlowError {
  try {
    run();
  } catch (error) {
    if (error instanceof FlowError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('parseFlowInParts', () => {
  const partsOf = (parts: Generator) => {
    let count = 0;
    for (;;) {
      const { done, value } = parts.next() as { done?: boolean; value: unknown };
      if (done === true) return { count, value };
      count++;
    }
  };
  const nodes = Array.from({ length: 4_000 }, (_, index) => node(`n${index}`));
  const edges = nodes
    .slice(1)
    .map(({ id }, at) => ({ from: { node: `n${at}`, port: 'out' }, to: { node: id, port: 'in' } }));
  const flow = { ...emptyFlow(), nodes, edges };

  it('reads a large document in small parts, and gives the same document', () => {
    const { count, value } = partsOf(parseFlowInParts(flow));
    expect(count).toBeGreaterThanOrEqual(20);
    expect(value).toEqual(parseFlow(flow));
  });

  it('checks and plans a large flow in small parts', () => {
    const registry = createRegistry([fakeComponent('T')]);
    expect(partsOf(validateFlowInParts(parseFlow(flow), registry)).count).toBeGreaterThanOrEqual(20);
    expect(partsOf(planRunInParts(parseFlow(flow), registry)).count).toBeGreaterThanOrEqual(3);
  });
});

describe('parseFlow', () => {
  it('refuses a document of a newer version and says which version it reads', () => {
    const error = failureOf(() => parseFlow({ ...emptyFlow(), version: 99 }));
    expect(error.code).toBe('newer_version');
    expect(error.message).toContain('version 99; this Croft reads up to 1');
  });

  it.each([null, 3, 'flow', [], {}, { version: 0 }, { version: '1' }])('refuses %j, which is not a flow', (value) => {
    expect(failureOf(() => parseFlow(value)).code).toBe('invalid_document');
  });

  it('names the node and the field of a value that is wrong', () => {
    const error = failureOf(() => parseFlow(withNodes(node('a'), { ...node('b'), position: { x: 'left', y: 0 } })));
    expect(error.message).toMatch(/^Node 'b', field 'position\.x': /);
    expect(error.place).toEqual({ node: 'b', field: 'position.x' });
  });

  it.each([{ ...emptyFlow(), name: 'a\0b' }, withNodes({ ...node('a'), name: 'a\0b' }), withNodes(node('a\0b'))])(
    'refuses a name with NUL, which databases refuse',
    (document) => {
      expect(failureOf(() => parseFlow(document)).message).toContain('NUL');
    },
  );

  it('refuses an id and a port that would change the prototype of records', () => {
    const edge = { from: { node: 'a', port: '__proto__' }, to: { node: 'a', port: 'i' } };
    for (const document of [withNodes(node('__proto__')), { ...withNodes(node('a')), edges: [edge] }])
      expect(failureOf(() => parseFlow(document)).message).toContain('__proto__');
  });

  it('refuses two nodes with one id', () => {
    expect(failureOf(() => parseFlow(withNodes(node('a'), node('a')))).message).toContain("The id 'a' is used twice");
  });

  it('refuses an edge to a node that does not exist, and an edge that exists twice', () => {
    const edge = { from: { node: 'a', port: 'o' }, to: { node: 'b', port: 'i' } };
    expect(failureOf(() => parseFlow({ ...withNodes(node('a')), edges: [edge] })).message).toContain("names node 'b'");
    const both = { ...withNodes(node('a'), node('b')), edges: [edge, edge] };
    expect(failureOf(() => parseFlow(both)).message).toContain('exists twice');
  });

  it('refuses a million edges before it reads them', () => {
    const edges = Array.from({ length: 1_000_000 }, () => 0);
    expect(failureOf(() => parseFlow({ ...emptyFlow(), edges })).code).toBe('too_large');
    expect(LIMITS.edges).toBeLessThan(1_000_000);
  });

  it('keeps unknown component types and what an importer could not map', () => {
    const flow = parseFlow(withNodes({ ...node('a'), type: 'Unheard', original: { any: ['thing'] } }));
    expect(flow.nodes[0]).toMatchObject({ type: 'Unheard', original: { any: ['thing'] } });
  });

  it('prints the same text for documents whose values are in another order', () => {
    const one = parseFlow(withNodes({ ...node('a'), values: { x: 1, y: 2 } }));
    const other = parseFlow(withNodes({ values: { y: 2, x: 1 }, position: { y: 0, x: 0 }, type: 'T', id: 'a' }));
    expect(printFlow(one)).toBe(printFlow(other));
  });

  it('refuses `__proto__` as the name of a value, at any depth', () => {
    const withValues = (values: string) =>
      JSON.parse(
        `{"version":1,"name":"","description":"","nodes":[{"id":"a","type":"T","position":{"x":0,"y":0},"values":${values}}],"edges":[],"notes":[],"groups":[],"viewport":{"x":0,"y":0,"zoom":1}}`,
      ) as unknown;
    for (const values of ['{"__proto__":{"polluted":true}}', '{"v":[{"__proto__":1}]}'])
      expect(failureOf(() => parseFlow(withValues(values))).message).toMatch(/^Node 'a', field 'values.*'__proto__'/);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each([
    ['a number that is not finite', { v: [1, Number.NaN] }, "field 'values.v.1': must be a finite number"],
    ['a function', { v: { w: () => 1 } }, "field 'values.v.w': must be JSON"],
    ['a date', { v: new Date(0) }, "field 'values.v': must be JSON"],
    ['undefined', { v: undefined }, "field 'values.v': must be JSON"],
    ['a list in the place of values', [], "field 'values': must be an object"],
  ])('refuses %s and names node and field', (_, values, message) => {
    const error = failureOf(() => parseFlow(withNodes({ ...node('a'), values })));
    expect(error.message).toContain(`Node 'a', ${message}`);
    expect(error.place.node).toBe('a');
  });

  it('refuses a value that is nested too deeply, without a stack overflow', () => {
    const v: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
    const error = failureOf(() => parseFlow(withNodes({ ...node('a'), values: { v } })));
    expect(error.message).toContain(`nested deeper than ${LIMITS.depth} levels`);
  });

  it('reads two million values in time that grows with their number', async () => {
    const nodesOf = (count: number) =>
      withNodes(
        ...Array.from({ length: count }, (_, index) => ({
          ...node(`n${index}`),
          values: Object.fromEntries(Array.from({ length: 100 }, (__, key) => [`k${key}`, [key, { a: key }]])),
        })),
      );
    const flow = nodesOf(5_000);
    const text = JSON.stringify(flow);
    const plain = Math.min(...[0, 1, 2].map(() => busyMs(() => JSON.parse(text))));
    await expect.poll(() => busyMs(() => parseFlow(flow))).toBeLessThan(20 * plain);
  });
});
