import { describe, expect, it } from 'vitest';
import type { AssistantEvent } from '@croft/assistant/events';
import { added, completed, EMPTY, update } from './testing-events.ts';
import { newTurn, type TurnView } from './turn-view.ts';
import { canRevert, isUndo, undoneBy } from './undone-turns.ts';

const undid: AssistantEvent = { event: 'tool_end', tool: 'undo_change', ok: true };
const turn = (key: string, version: number, events: readonly AssistantEvent[], more: Partial<TurnView> = {}) =>
  ({ ...newTurn(key), status: 'complete', version, events, ...more }) as TurnView;
const adds = (key: string, version: number, more: Partial<TurnView> = {}) =>
  turn(key, version, [added('T', key, version), completed('Added.')], more);
const undoes = (key: string, version: number) =>
  turn(key, version, [update({ action: 'edit', edit: { kind: 'set_flow', flow: EMPTY }, version }), undid]);

it('is an undo only where the tool succeeded', () => {
  expect(isUndo(undid)).toBe(true);
  expect(isUndo({ event: 'tool_end', tool: 'undo_change', ok: false })).toBe(false);
  expect(isUndo({ event: 'tool_end', tool: 'add_component', ok: true })).toBe(false);
});

it('can revert an ended turn whose changes are on the canvas', () => {
  expect(canRevert(adds('a', 2))).toBe(true);
  expect(canRevert(adds('a', 2, { isReverted: true }))).toBe(false);
  expect(canRevert(adds('a', 2, { status: 'working' }))).toBe(false);
  expect(canRevert({ ...newTurn('a'), status: 'complete' })).toBe(false);
});

it('cannot revert an undo, but the other changes beside it', () => {
  expect(canRevert(undoes('b', 3))).toBe(false);
  const mixed = turn('b', 4, [...undoes('b', 3).events, added('T', 'x', 4)]);
  expect(canRevert(mixed)).toBe(true);
});

it('finds the turn that an undo took back, past those that were taken back before', () => {
  const [first, second] = [adds('a', 2), adds('b', 3)];
  expect(undoneBy(undoes('c', 4), [first, second])?.key).toBe('b');
  const gone = { ...second, isReverted: true };
  expect(undoneBy(undoes('d', 5), [first, gone, undoes('c', 4)])?.key).toBe('a');
});

describe('a turn that wrote files', () => {
  const wrote = (key: string, more: Partial<TurnView> = {}) => {
    const files = [{ action: 'edit_file' as const, path: 'a.md', size: 1 }];
    return { ...newTurn(key), id: `id-${key}`, status: 'complete', files, ...more } as TurnView;
  };
  const undoesFiles = (key: string, id: string, before: readonly AssistantEvent[] = []) =>
    ({
      ...newTurn(key),
      status: 'complete',
      events: [
        ...before,
        { event: 'tool_start', tool: 'undo_change', label: '' },
        { event: 'files_undone', turn_id: id, paths: ['a.md'] },
        undid,
      ],
    }) as TurnView;

  it('can be reverted, also without a change of the canvas', () => {
    expect(canRevert(wrote('a'))).toBe(true);
    expect(canRevert(wrote('a', { isReverted: true }))).toBe(false);
    expect(canRevert({ ...undoes('a', 3), files: wrote('a').files })).toBe(true);
  });

  it('is the one that an undo of its files took back', () => {
    const [first, second] = [wrote('a'), adds('b', 3)];
    expect(undoneBy(undoesFiles('c', 'id-a'), [first, second])?.key).toBe('a');
    expect(undoneBy(undoesFiles('c', 'id-gone'), [first, second])).toBeUndefined();
    expect(undoneBy(undoesFiles('c', 'id-a'), [{ ...first, isReverted: true }])).toBeUndefined();
  });

  it('leaves the changes of the undoing turn itself to be reverted', () => {
    const mixed = { ...undoesFiles('c', 'id-a', [added('T', 'x', 4)]), version: 4 };
    expect(canRevert(mixed)).toBe(true);
  });
});

it('finds none where the newest change came from the canvas, or nothing was undone', () => {
  expect(undoneBy(undoes('c', 5), [adds('a', 2)])).toBeUndefined();
  expect(undoneBy(adds('b', 3), [adds('a', 2)])).toBeUndefined();
});
