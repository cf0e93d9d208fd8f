import { expect, it } from 'vitest';
import { clashesOf } from './edit-targets.ts';
import type { Edit } from './edits.ts';

const set = (id: string, name: string, value: string): Edit => ({ kind: 'configure', id, values: { [name]: value } });
const remove = (id: string): Edit => ({ kind: 'remove_component', id });
const move = (id: string): Edit => ({ kind: 'move', positions: { [id]: { x: 1, y: 1 } } });
const edge = { from: { node: 'a', port: 'o' }, to: { node: 'b', port: 'i' } };

it('finds the parts that two clients changed, without positions and what both did', () => {
  const cases: readonly (readonly [Edit, Edit, number])[] = [
    [set('a', 'x', '1'), set('a', 'x', '2'), 1],
    [set('a', 'x', '1'), set('a', 'x', '1'), 0],
    [set('a', 'x', '1'), set('a', 'y', '2'), 0],
    [set('a', 'x', '1'), set('b', 'x', '2'), 0],
    [set('a', 'x', '1'), remove('a'), 1],
    [remove('a'), set('a', 'x', '1'), 1],
    [remove('a'), remove('a'), 0],
    [move('a'), move('a'), 0],
    [move('a'), remove('a'), 0],
    [remove('a'), move('a'), 0],
    [{ kind: 'connect', edge }, remove('b'), 1],
    [{ kind: 'connect', edge }, { kind: 'disconnect', edge }, 2],
    [{ kind: 'batch', edits: [set('a', 'x', '1')] }, { kind: 'batch', edits: [set('a', 'x', '2')] }, 1],
    [{ kind: 'rename', id: 'a', name: 'A' }, set('a', 'x', '2'), 0],
  ];
  for (const [mine, theirs, count] of cases)
    expect([mine, theirs, clashesOf([mine], [theirs]).length]).toEqual([mine, theirs, count]);
});
