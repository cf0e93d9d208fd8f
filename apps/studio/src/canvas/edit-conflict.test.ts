import { applyEdits, type Edit, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { conflictOf, editsOf, keepMine, keepTheirs, withChanges, withoutRepeated } from './edit-conflict.ts';
import { addNode, edgeOf } from './testing-nodes.ts';

const set = (id: string, x: string): Edit => ({ kind: 'configure', id, values: { x } });
const move = (positions: Record<string, { x: number; y: number }>): Edit => ({ kind: 'move', positions });
const change = (...edits: Edit[]) => ({ edits });
const FLOW = applyEdits(emptyFlow('f'), [addNode('a'), addNode('b')]).flow;
const at = { x: 9, y: 9 };

it('leaves out a change that does not fit, and keeps the others', () => {
  const changes = [change(set('a', '1')), change(set('gone', '2')), change(set('b', '3'))];
  const { document, fitting } = withChanges(FLOW, changes);
  expect(document.nodes.map(({ values }) => values)).toEqual([{ x: '1' }, { x: '3' }]);
  expect(fitting).toEqual([changes[0], changes[2]]);
});

it('moves what is left of components that others removed', () => {
  const { document, fitting } = withChanges(FLOW, [change(move({ a: at, gone: at }))]);
  expect(document.nodes[0]?.position).toEqual(at);
  expect(fitting).toEqual([change(move({ a: at }))]);
  const note: Edit = {
    kind: 'set_note',
    note: { id: 'n', position: { x: 0, y: 0 }, size: { width: 1, height: 1 }, text: '' },
  };
  const withNote = applyEdits(FLOW, [note]).flow;
  expect(withChanges(withNote, [change(move({ n: at }))]).document.notes[0]?.position).toEqual(at);
  const together = change(move({ gone: at }), set('a', '1'));
  expect(withChanges(FLOW, [together]).fitting).toEqual([]);
});

it('drops what others did too', () => {
  const changes = [change(set('a', '1')), change(set('b', '2'))];
  expect(withoutRepeated(changes, [set('a', '1')])).toEqual([changes[1]]);
  expect(withoutRepeated(changes, [set('a', '9')])).toEqual(changes);
  expect(withoutRepeated(changes, [])).toBe(changes);
});

it('asks where the same part was changed', () => {
  const mine = [change(set('a', '1')), change(set('b', '2'))];
  expect(conflictOf(mine, [set('c', '3')], set('c', ''))).toBeUndefined();
  expect(conflictOf(mine, [set('b', '3')], set('b', ''))).toMatchObject({
    theirs: [set('b', '3')],
    inverse: set('b', ''),
  });
});

it('brings back the component that is edited here, with the edges that still fit', () => {
  const wired = applyEdits(FLOW, [{ kind: 'connect', edge: edgeOf('a', 'b') }]).flow;
  const theirs: Edit[] = [{ kind: 'remove_component', id: 'b' }];
  const { flow: base, inverse } = applyEdits(wired, theirs);
  const mine = [change(set('b', '1'))];
  const conflict = { clashes: [], theirs, inverse };
  const kept = keepMine(mine, conflict, base);
  expect(kept.at(-1)).toBe(mine[0]);
  expect(withChanges(base, kept).document.nodes.at(-1)).toMatchObject({ id: 'b', values: { x: '1' } });
  expect(keepMine([change(set('a', '1'))], conflict, base)).toHaveLength(1);
  expect(keepMine(mine, conflict, wired)).toHaveLength(1);
});

it('keeps of this page what others did not touch', () => {
  const theirs = [set('b', '9')];
  const conflict = { clashes: [], theirs, inverse: set('b', '') };
  const mine = [change(set('a', '1'), set('b', '2')), change(set('b', '3'))];
  expect(keepTheirs(mine, conflict)).toEqual([change(set('a', '1'))]);
});

it('lists the edits of all changes in order', () => {
  expect(editsOf([change(set('a', '1'), set('b', '2')), change(set('a', '3'))])).toEqual([
    set('a', '1'),
    set('b', '2'),
    set('a', '3'),
  ]);
});
