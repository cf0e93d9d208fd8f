import { expect, it } from 'vitest';
import { edgeKey } from './document.ts';
import {
  changedParts,
  clashesOf,
  singleEdits,
  targetsOf,
  withoutEqual,
  withoutLooseEdges,
  withoutParts,
} from './edit-targets.ts';
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

const at = { x: 0, y: 0 };
const note = { id: 'n', text: '', position: at } as never;
const group = { id: 'g', title: '', nodes: ['a', 'b'] } as never;
const key = edgeKey(edge);

it.each<[Edit, readonly (readonly string[])[]]>([
  [{ kind: 'add_component', node: { id: 'a' } as never }, [['node', 'a']]],
  [{ kind: 'remove_component', id: 'a' }, [['node', 'a']]],
  [
    { kind: 'connect', edge },
    [
      ['node', 'a', 'edge', key],
      ['node', 'b', 'edge', key],
    ],
  ],
  [
    { kind: 'configure', id: 'a', values: { x: 1 }, unset: ['y'] },
    [
      ['node', 'a', 'value', 'x'],
      ['node', 'a', 'value', 'y'],
    ],
  ],
  [{ kind: 'set_flow', flow: {} as never }, [[]]],
  [{ kind: 'set_details', name: 'N', description: 'D' }, [['name'], ['description']]],
  [{ kind: 'set_details' }, []],
  [{ kind: 'move', positions: { a: at } }, [['node', 'a', 'position']]],
  [{ kind: 'set_connection_mode', id: 'a', field: 'f', enabled: true }, [['node', 'a', 'connected field', 'f']]],
  [{ kind: 'pin_output', id: 'a', output: 'o' }, [['node', 'a', 'pinned', 'o']]],
  [{ kind: 'set_note', note }, [['item', 'n']]],
  [
    { kind: 'set_group', group },
    [
      ['item', 'g'],
      ['node', 'a', 'group', 'g'],
      ['node', 'b', 'group', 'g'],
    ],
  ],
  [{ kind: 'remove_note', id: 'n' }, [['item', 'n']]],
  [{ kind: 'remove_group', id: 'g' }, [['item', 'g']]],
  [{ kind: 'set_viewport', viewport: { x: 0, y: 0, zoom: 1 } as never }, [['viewport']]],
  [
    { kind: 'batch', edits: [remove('a'), { kind: 'batch', edits: [remove('b')] }] },
    [
      ['node', 'a'],
      ['node', 'b'],
    ],
  ],
  [{ kind: 'rename', id: 'a', name: 'A' }, [['node', 'a', 'rename']]],
])('gives the parts that %j changes', (edit, targets) => {
  expect(targetsOf(edit)).toEqual(targets);
});

it('finds a changed part below and above a path', () => {
  const parts = changedParts();
  expect([parts.touches([]), parts.touches(['node'])]).toEqual([false, false]);
  parts.add([set('a', 'x', '1'), set('a', 'x', '2'), remove('b')]);
  const touched = [[], ['node', 'a'], ['node', 'a', 'value', 'x'], ['node', 'b', 'value', 'y'], ['node', 'b']];
  for (const path of touched) expect([path, parts.touches(path)]).toEqual([path, true]);
  for (const path of [['node', 'a', 'value', 'y'], ['node', 'c'], ['name']])
    expect([path, parts.touches(path)]).toEqual([path, false]);
  parts.add([{ kind: 'set_flow', flow: {} as never }]);
  expect(parts.touches(['name'])).toBe(true);
});

it('leaves out of an inverse what others changed', () => {
  const others = changedParts();
  others.add([set('a', 'x', '1'), move('a'), { kind: 'set_details', name: 'N' }, remove('gone')]);
  const left = (edit: Edit) => withoutParts(edit, others);
  const configure = { kind: 'configure', id: 'a', values: { x: 1, y: 2 }, unset: ['z'] } as const;
  expect(left(configure)).toEqual({ kind: 'configure', id: 'a', values: { y: 2 }, unset: ['z'] });
  expect(left({ ...configure, values: { y: 2 }, unset: ['x'] })).toEqual({
    kind: 'configure',
    id: 'a',
    values: { y: 2 },
  });
  expect(left({ ...configure, values: { x: 1 }, unset: ['z'] })).toEqual({
    kind: 'configure',
    id: 'a',
    values: {},
    unset: ['z'],
  });
  expect(left(set('a', 'x', '2'))).toBeUndefined();
  expect(left({ kind: 'move', positions: { a: at, b: at } })).toEqual({ kind: 'move', positions: { b: at } });
  expect(left(move('a'))).toBeUndefined();
  expect(left({ kind: 'set_details', name: 'M', description: 'D' })).toEqual({ kind: 'set_details', description: 'D' });
  expect(left({ kind: 'set_details', name: 'M' })).toBeUndefined();
  expect(left(remove('c'))).toEqual(remove('c'));
  expect(left(remove('a'))).toBeUndefined();
  const batch = (...edits: Edit[]): Edit => ({ kind: 'batch', edits });
  expect(left(batch(remove('a'), remove('c')))).toEqual(batch(remove('c')));
  expect(left(batch(remove('a')))).toBeUndefined();
  expect(withoutParts({ kind: 'set_details', name: 'M', description: 'D' }, changedParts())).toEqual({
    kind: 'set_details',
    name: 'M',
    description: 'D',
  });
  const described = changedParts();
  described.add([{ kind: 'set_details', description: 'D' }]);
  expect(withoutParts({ kind: 'set_details', name: 'M', description: 'D' }, described)).toEqual({
    kind: 'set_details',
    name: 'M',
  });
});

it('brings removed nodes back with the edges whose other node is there or comes back', () => {
  const back = (id: string, ...edges: (typeof edge)[]): Edit =>
    ({ kind: 'add_component', node: { id }, edges: edges.map((each) => ({ edge: each })) }) as never;
  const other = { from: { node: 'a', port: 'o' }, to: { node: 'c', port: 'i' } };
  const bare = { kind: 'add_component', node: { id: 'd' } } as never;
  expect(withoutLooseEdges([back('a', edge, other), bare, remove('x')], [{ id: 'b' }] as never)).toEqual([
    back('a', edge),
    bare,
    remove('x'),
  ]);
  expect(withoutLooseEdges([back('a', edge), back('b')], [])).toEqual([back('a', edge), back('b')]);
  expect(withoutLooseEdges([back('b', edge)], [])).toEqual([back('b')]);
});

it('names a part once that several edits changed', () => {
  const mine = [set('a', 'x', '1'), set('a', 'x', '3')];
  expect(clashesOf(mine, [set('a', 'x', '2')])).toEqual([['node', 'a', 'value', 'x']]);
  expect(
    clashesOf([{ kind: 'set_viewport', viewport: {} as never }], [{ kind: 'set_flow', flow: {} as never }]),
  ).toEqual([]);
  const batch: Edit = { kind: 'batch', edits: [remove('a'), { kind: 'batch', edits: [remove('b')] }] };
  expect(singleEdits(batch)).toEqual([remove('a'), remove('b')]);
  expect(withoutEqual([batch], [remove('a')])).toEqual([remove('b')]);
});
