import { applyEdits, type Edit, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { addNode, edgeOf, nodeOf } from './testing-nodes.ts';
import { createUndoStack, isSameWord, stepKey } from './undo-stack.ts';

const set = (id: string, x: string): Edit => ({ kind: 'configure', id, values: { x } });
const FLOW = applyEdits(emptyFlow('f'), [addNode('a'), addNode('b')]).flow;
const takeAll = (stack: ReturnType<typeof createUndoStack>) => {
  const taken: unknown[] = [];
  for (let edits = stack.take('undo', FLOW); edits; edits = stack.take('undo', FLOW)) taken.push(edits);
  return taken;
};

it('takes steps back from the newest on, and repeats them', () => {
  const stack = createUndoStack();
  stack.push(set('a', '1'), undefined, 0);
  stack.push(set('b', '2'), undefined, 0);
  expect([stack.has('undo'), stack.has('redo')]).toEqual([true, false]);
  expect(stack.take('undo', FLOW)).toEqual([set('b', '2')]);
  stack.pushTaken('undo', set('b', '3'));
  expect(stack.has('redo')).toBe(true);
  expect(stack.take('redo', FLOW)).toEqual([set('b', '3')]);
  stack.pushTaken('redo', set('b', '2'));
  expect(takeAll(stack)).toEqual([[set('b', '2')], [set('a', '1')]]);
});

it('forgets what could be repeated at the next change', () => {
  const stack = createUndoStack();
  stack.pushTaken('undo', set('a', '1'));
  stack.push(set('b', '2'), undefined, 0);
  expect([stack.has('redo'), stack.take('redo', FLOW)]).toEqual([false, undefined]);
});

it('makes quick changes of one part one step, which goes back to the first', () => {
  const stack = createUndoStack();
  stack.push(set('a', '0'), 'a', 0);
  stack.push(set('a', '1'), 'a', 999);
  stack.push(set('a', '2'), 'a', 1_998);
  stack.push(set('a', '3'), 'a', 2_998);
  stack.push(set('b', '4'), 'b', 2_999);
  expect(takeAll(stack)).toEqual([[set('b', '4')], [set('a', '3')], [set('a', '0')]]);
});

it('makes the letters of a word one step at any pace, until its field is left', () => {
  const stack = createUndoStack();
  stack.push(set('a', '0'), 'a', 0);
  stack.push(set('a', '1'), 'a', 60_000, true);
  stack.endStep();
  stack.push(set('a', '2'), 'a', 60_001, true);
  expect(takeAll(stack)).toEqual([[set('a', '2')], [set('a', '0')]]);
  stack.endStep();
  stack.push(set('a', '0'), undefined, 0);
  stack.push(set('a', '1'), undefined, 0);
  expect(takeAll(stack)).toHaveLength(2);
});

it('begins a step after edits of others', () => {
  const stack = createUndoStack();
  stack.push(set('a', '0'), 'a', 0);
  stack.addOthers([]);
  stack.push(set('a', '1'), 'a', 1);
  stack.addOthers([set('b', '9')]);
  stack.push(set('a', '2'), 'a', 2);
  expect(takeAll(stack)).toEqual([[set('a', '2')], [set('a', '0')]]);
});

it('leaves alone what others changed after the step, and only that', () => {
  const stack = createUndoStack();
  stack.addOthers([set('a', 'before')]);
  stack.push(set('a', '0'), undefined, 0);
  stack.push(set('b', '0'), undefined, 0);
  stack.addOthers([set('b', 'after')]);
  expect(stack.take('undo', FLOW)).toEqual([set('a', '0')]);
});

it('does not bring back connections of components that are gone', () => {
  const stack = createUndoStack();
  const edges = [edgeOf('c', 'a'), edgeOf('c', 'gone')].map((edge) => ({ edge, at: 0 }));
  const back = { kind: 'add_component', node: nodeOf('c'), edges } satisfies Edit;
  stack.push(back, undefined, 0);
  expect(stack.take('undo', FLOW)).toEqual([{ ...back, edges: [edges[0]] }]);
});

it('keeps 500 steps, and none after it is cleared', () => {
  const stack = createUndoStack();
  for (let at = 0; at < 502; at++) stack.push(set('a', `${at}`), undefined, 0);
  const taken = takeAll(stack);
  expect([taken.length, taken.at(-1)]).toEqual([500, [set('a', '2')]]);
  stack.push(set('a', '1'), undefined, 0);
  stack.pushTaken('undo', set('a', '1'));
  stack.clear();
  expect([stack.has('undo'), stack.has('redo')]).toEqual([false, false]);
});

it('joins changes of one part, and no others', () => {
  expect(stepKey([set('a', '1')])).toBe(stepKey([set('a', '2')]));
  expect(stepKey([set('a', '1')])).not.toBe(stepKey([set('b', '1')]));
  expect(stepKey([addNode('a')])).toBeUndefined();
  expect(stepKey([set('a', '1'), set('a', '2')])).toBeUndefined();
});

it.each([
  ['', 'h', false],
  ['h', 'he', true],
  ['he', 'h', true],
  ['one', 'one ', false],
  ['one ', 'one t', false],
  ['one two', 'one to', true],
  ['one two', 'onetwo', false],
  ['ab', 'xab', false],
  ['ab', 'axb', true],
])('from %j to %j goes on with a word: %s', (before, after, isSame) => {
  expect(isSameWord([set('a', after)], set('a', before))).toBe(isSame);
  expect(isSameWord([{ kind: 'rename', id: 'a', name: after }], { kind: 'rename', id: 'a', name: before })).toBe(
    isSame,
  );
});

it('has no word in numbers, several values or other edits', () => {
  const number: Edit = { kind: 'configure', id: 'a', values: { x: 12 } };
  const two: Edit = { kind: 'configure', id: 'a', values: { x: 'ab', y: 'c' } };
  expect(isSameWord([number], set('a', '1'))).toBe(false);
  expect(isSameWord([two], set('a', 'a'))).toBe(false);
  expect(isSameWord([addNode('a')], set('a', 'a'))).toBe(false);
  expect(isSameWord([], set('a', 'a'))).toBe(false);
});
