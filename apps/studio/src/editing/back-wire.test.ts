import type { InternalNode } from '@xyflow/react';
import { describe, expect, it } from 'vitest';
import { turnHeight, turnOf } from './back-wire.ts';

const box = (x: number, y: number, width = 100, height = 50) => ({ x, y, width, height });
/** A component of 100 × 50 whose port is in the middle. */
const end = (x: number, y: number) => ({ ...box(x, y), port: y + 25 });

describe('the turn of a wire to the left', () => {
  it('is between its components where one is below the other, whichever it is', () => {
    expect(turnHeight(end(0, 0), end(0, 150), [])).toBe(100);
    expect(turnHeight(end(0, 150), end(50, 0), [])).toBe(100);
    expect(turnHeight(end(0, 0), end(0, 74), [])).toBe(62);
  });

  it('is below both where they are beside each other, or above where that is shorter', () => {
    expect(turnHeight(end(300, 0), end(0, 0), [])).toBe(82);
    expect(turnHeight({ ...end(300, 0), port: 10 }, end(0, 0), [])).toBe(-32);
    expect(turnHeight({ ...end(300, 0), port: 40 }, end(0, 20), [])).toBe(102);
    expect(turnHeight(end(300, 73), end(0, 0), [])).toBe(155);
  });

  it('passes what is between them, also what is close to that, and nothing beside them', () => {
    const low = { ...end(600, 0), port: 45 };
    expect(turnHeight(low, end(0, 0), [box(300, 0, 100, 80)])).toBe(-32);
    expect(turnHeight(low, end(0, 0), [box(300, -20, 100, 90)])).toBe(102);
    expect(turnHeight(low, end(0, 0), [box(300, -200, 100, 260), box(300, 100)])).toBe(182);
    expect(turnHeight(low, end(0, 0), [box(300, -200, 100, 260), box(300, 160)])).toBe(92);
    expect(turnHeight(low, end(0, 0), [box(700, 0, 100, 500), box(-100, 0, 100, 500)])).toBe(82);
    expect(turnHeight(low, end(0, 0), [box(300, 400)])).toBe(82);
  });
});

describe('the turn on a canvas', () => {
  const node = (type: string, { x, y, width, height }: ReturnType<typeof box>, isMeasured = true) =>
    ({
      type,
      measured: isMeasured ? { width, height } : {},
      internals: { positionAbsolute: { x, y } },
    }) as InternalNode;
  const wire = { source: 'a', sourceY: 25, target: 'b', targetY: 25 };
  const canvas = (...more: InternalNode[]) => ({
    nodeLookup: new Map([
      ['a', node('component', box(600, 0))],
      ['b', node('component', box(0, 0))],
      ...more.map((each, at) => [`${at}`, each] as const),
    ]),
  });

  it('passes components, and no notes or frames', () => {
    expect(turnOf(canvas(node('note', box(300, 0, 100, 90)), node('frame', box(0, -50, 700, 200))), wire)).toBe(82);
    expect(turnOf(canvas(node('component', box(300, -200, 100, 290))), wire)).toBe(122);
  });

  it('is not known before the canvas measured its components', () => {
    const { nodeLookup } = canvas();
    expect(turnOf({ nodeLookup }, { ...wire, target: 'gone' })).toBeUndefined();
    nodeLookup.set('b', node('component', box(0, 0), false));
    expect(turnOf({ nodeLookup }, wire)).toBeUndefined();
    expect(turnOf(canvas(node('component', box(300, -200, 100, 290), false)), wire)).toBe(82);
  });
});
