import { expect, it } from 'vitest';
import { type CommandState, commandsFor, keysOf, PLACING } from './commands.ts';
import { commandOf, SHORTCUTS } from './shortcuts.ts';
import { NOTHING } from './testing-commands.ts';

const names = (state: Partial<CommandState>) => commandsFor({ ...NOTHING, ...state }).map(({ command }) => command);

it('offers the commands that can do something now', () => {
  expect(names({})).not.toContain('remove');
  expect(names({ edges: 1 })).toContain('remove');
  expect(names({ items: 2, components: 1 })).toEqual(expect.arrayContaining(['align-left', 'group', 'connect']));
  expect(names({ items: 2 })).not.toContain('distribute-x');
  expect(names({ items: 3 })).toContain('distribute-x');
  expect(names({ hasGroup: true, canUndo: true })).toEqual(expect.arrayContaining(['ungroup', 'undo']));
});

it('offers a run from the only selected component, also in a read-only flow, and says why it is refused', () => {
  expect(names({ components: 2 })).not.toContain('run-from');
  const state = { ...NOTHING, isReadOnly: true, runFrom: { refusal: 'A run is under way.' } };
  const offered = commandsFor(state).find(({ command }) => command === 'run-from');
  expect(offered?.refusal?.(state)).toBe('A run is under way.');
});

it('offers nothing that changes a flow that is read-only', () => {
  const all = { items: 3, components: 3, edges: 1, hasGroup: true, canUndo: true, canRedo: true };
  expect(names({ ...all, isReadOnly: true })).toEqual(['run', 'find', 'select-all', 'fit', 'show-selected', 'help']);
});

it('offers to run a flow that has components, with Ctrl+Enter', () => {
  expect(names({})[0]).toBe('run');
  expect(names({ isEmpty: true })).not.toContain('run');
  expect(commandOf({ key: 'Enter', ctrlKey: true, metaKey: false, shiftKey: false, altKey: false })).toBe('run');
  expect(commandOf({ key: 'Enter', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false })).toBeUndefined();
});

it('has every command that has a key, except itself', () => {
  const all = { items: 3, components: 3, edges: 1, hasGroup: true, canUndo: true, canRedo: true };
  const keyed = SHORTCUTS.flatMap(({ rows }) => rows).flatMap(({ command }) => command ?? []);
  const offered = new Set<string>(names(all));
  expect(keyed.filter((command) => !offered.has(command))).toEqual(['commands']);
  expect(PLACING).toHaveLength(8);
});

it('knows the keys of a command', () => {
  expect(keysOf('group')).toEqual(['Mod', 'G']);
  expect(keysOf('align-left')).toBeUndefined();
  const pressed = { ctrlKey: true, metaKey: false, shiftKey: true, altKey: false };
  expect(commandOf({ ...pressed, key: 'G' })).toBe('ungroup');
  expect(commandOf({ ...pressed, shiftKey: false, key: 'k' })).toBe('commands');
});

it('names every command', () => {
  const all = { items: 3, components: 3, edges: 1, hasGroup: true, canUndo: true, canRedo: true };
  const state = { ...NOTHING, ...all, runFrom: { refusal: undefined } };
  expect(commandsFor(state).map(({ command, label }) => `${command}: ${label}`)).toEqual([
    'run: Run the flow',
    'add: Add component',
    'note: Add note',
    'connect: Connect',
    'undo: Undo',
    'redo: Redo',
    'duplicate: Duplicate',
    'remove: Delete',
    'arrange: Tidy up',
    'group: Group',
    'ungroup: Ungroup',
    'align-left: Align left',
    'align-center: Align centers',
    'align-right: Align right',
    'align-top: Align top',
    'align-middle: Align middles',
    'align-bottom: Align bottom',
    'distribute-x: Distribute horizontally',
    'distribute-y: Distribute vertically',
    'run-from: Run from here',
    'find: Find in this flow',
    'select-all: Select everything',
    'fit: Show the whole flow',
    'show-selected: Show the selection',
    'help: Show all keys',
  ]);
  expect(PLACING.map(({ command }) => command)).toEqual([
    'align-left',
    'align-center',
    'align-right',
    'align-top',
    'align-middle',
    'align-bottom',
    'distribute-x',
    'distribute-y',
  ]);
});

it.each<[Partial<CommandState>, readonly string[]]>([
  [{}, []],
  [{ isEmpty: true }, ['-run']],
  [{ canUndo: true }, ['undo']],
  [{ canRedo: true }, ['redo']],
  [{ edges: 1 }, ['remove']],
  [{ items: 1 }, ['duplicate', 'remove', 'show-selected']],
  [{ components: 1 }, ['connect', 'group']],
  [{ hasGroup: true }, ['ungroup']],
])('with %j offers %j more than without a selection', (state, more) => {
  const now = names(state);
  const plain = names({});
  const gone = plain.filter((command) => !now.includes(command)).map((command) => `-${command}`);
  expect([...now.filter((command) => !plain.includes(command)), ...gone]).toEqual(more);
});

it('places two or more items, and distributes three', () => {
  const placed = (items: number) => names({ items }).filter((command) => /^(align|distribute)-/.test(command));
  expect(placed(1)).toEqual([]);
  expect(placed(2)).toEqual(['left', 'center', 'right', 'top', 'middle', 'bottom'].map((side) => `align-${side}`));
  expect(placed(3).slice(6)).toEqual(['distribute-x', 'distribute-y']);
});
