import { describe, expect, it } from 'vitest';
import { framesOf, membersMoved } from './frames.ts';
import type { CanvasNode } from './graph.ts';

const node = (id: string, x: number, y: number) =>
  ({ id, type: 'note', position: { x, y }, measured: { width: 100, height: 50 }, data: { text: '' } }) as CanvasNode;
const nodes = [node('a', 0, 0), node('b', 300, 100), node('c', 900, 900)];
const group = { id: 'g', name: 'Reads', nodes: ['a', 'b', 'gone'] };

describe('the frame of a group', () => {
  it('is around its components with room for its name, and says how many they are', () => {
    const [frame] = framesOf([group], nodes, new Set(['g']), false);
    expect(frame).toMatchObject({ position: { x: -20, y: -44 }, width: 440, height: 214, selected: true });
    expect(frame?.ariaLabel).toBe('Group Reads, 2 components');
  });

  it('is not drawn without components', () => {
    expect(framesOf([{ ...group, nodes: ['gone'] }], nodes, new Set(), false)).toEqual([]);
  });

  it('moves its components as far as it is moved, and no others', () => {
    const frames = framesOf([group], nodes, new Set(), false);
    const moved = membersMoved([group], nodes, frames, new Map([['g', { x: 80, y: -34 }]]));
    expect([...moved]).toEqual([
      ['a', { x: 100, y: 10 }],
      ['b', { x: 400, y: 110 }],
    ]);
    expect(membersMoved([group], nodes, frames, new Map()).size).toBe(0);
  });
});
