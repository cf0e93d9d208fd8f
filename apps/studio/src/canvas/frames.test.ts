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
    expect(frame).toEqual({
      id: 'g',
      type: 'frame',
      position: { x: -20, y: -44 },
      width: 440,
      height: 214,
      measured: { width: 440, height: 214 },
      zIndex: -1_002,
      selected: true,
      draggable: true,
      connectable: false,
      ariaLabel: 'Group Reads, 2 components',
      data: { name: 'Reads', count: 2 },
    });
  });

  it('stays behind its components, and where it is in a flow that cannot be changed', () => {
    const [frame] = framesOf([{ id: 'g', name: '', nodes: ['c'] }], nodes, new Set(['c']), true);
    expect(frame).toMatchObject({ zIndex: -2, selected: false, draggable: false, ariaLabel: 'Group, 1 component' });
  });

  it('is as large as the components are drawn, else as they are expected to be', () => {
    const size = (...all: object[]) => {
      const [frame] = framesOf([group], all as CanvasNode[], new Set(), false);
      return [frame?.width, frame?.height];
    };
    const own = { ...node('a', 0, 0), width: 10, height: 20 };
    expect(size(own)).toEqual([140, 114]);
    expect(size({ ...own, measured: undefined })).toEqual([50, 84]);
    expect(size({ ...own, measured: undefined, width: undefined, height: undefined })).toEqual([40, 64]);
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
    expect(membersMoved([group], nodes, frames, new Map([['a', { x: 1, y: 1 }]])).size).toBe(0);
    expect(membersMoved([], nodes, frames, new Map([['g', { x: 1, y: 1 }]])).size).toBe(0);
  });

  it('moves a component of two groups with the first one', () => {
    const two = [group, { id: 'h', name: 'Both', nodes: ['a', 'c'] }];
    const frames = framesOf(two, nodes, new Set(), false);
    const places = new Map([
      ['g', { x: -10, y: -44 }],
      ['h', { x: 480, y: 456 }],
    ]);
    expect([...membersMoved(two, nodes, frames, places)]).toEqual([
      ['a', { x: 10, y: 0 }],
      ['b', { x: 310, y: 100 }],
      ['c', { x: 1_400, y: 1_400 }],
    ]);
  });
});
