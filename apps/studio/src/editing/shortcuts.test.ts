import { expect, it } from 'vitest';
import { type Command, commandOf, SHORTCUTS } from './shortcuts.ts';

type Held = 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey';
const press = (key: string, ...held: Held[]) =>
  commandOf({
    key,
    ctrlKey: held.includes('ctrlKey'),
    metaKey: held.includes('metaKey'),
    shiftKey: held.includes('shiftKey'),
    altKey: held.includes('altKey'),
  });

it.each<[string, Held[], Command | undefined]>([
  ['a', [], 'add'],
  ['A', ['shiftKey'], undefined],
  ['a', ['ctrlKey'], 'select-all'],
  ['a', ['altKey'], undefined],
  ['a', ['ctrlKey', 'altKey'], undefined],
  ['c', [], 'connect'],
  ['c', ['ctrlKey'], undefined],
  ['n', [], 'note'],
  ['Delete', [], 'remove'],
  ['Delete', ['shiftKey'], undefined],
  ['Backspace', [], 'remove'],
  ['d', ['metaKey'], 'duplicate'],
  ['d', [], undefined],
  ['z', ['ctrlKey'], 'undo'],
  ['Z', ['ctrlKey', 'shiftKey'], 'redo'],
  ['y', ['metaKey'], 'redo'],
  ['l', [], 'arrange'],
  ['g', ['ctrlKey'], 'group'],
  ['G', ['ctrlKey', 'shiftKey'], 'ungroup'],
  ['k', ['metaKey'], 'commands'],
  ['f', [], 'find'],
  ['f', ['ctrlKey'], undefined],
  ['1', [], 'fit'],
  ['2', [], 'show-selected'],
  ['1', ['shiftKey'], 'fit'],
  ['?', [], 'help'],
  ['?', ['shiftKey'], 'help'],
  ['i', ['ctrlKey'], undefined],
])('%s with %j does %s', (key, held, command) => {
  expect(press(key, ...held)).toBe(command);
});

it('has one command for each key', () => {
  const keys = SHORTCUTS.flatMap(({ rows }) => rows.flatMap((row) => row.keys.map((each) => each.join('+'))));
  expect(new Set(keys).size).toBe(keys.length);
});

it('lists what each key does', () => {
  const rows = SHORTCUTS.flatMap(({ title, rows }) => [
    title,
    ...rows.map(({ about, keys, command }) => `${keys.map((each) => each.join('+')).join(' ')}: ${about} ${command}`),
  ]);
  expect(rows).toEqual([
    'Build',
    'A: Add a component; with a connection selected, insert it there add',
    'C: Connect the selected component connect',
    'N: Add a note note',
    'F2: Edit the selected note or the name of a group undefined',
    'Delete Backspace: Delete what is selected remove',
    'Mod+D: Duplicate duplicate',
    'Mod+C Mod+X Mod+V: Copy, cut and paste, also to another flow; a curl command becomes an HTTP request undefined',
    'Mod+Z: Undo undo',
    'Shift+Mod+Z Mod+Y: Redo redo',
    'Mod+Enter: Run the flow run',
    'L: Tidy up: arrange all components arrange',
    'Mod+G: Group the selected components group',
    'Shift+Mod+G: Ungroup ungroup',
    'Select and move',
    'Tab Shift+Tab: Next or previous component undefined',
    'Enter: Select the focused component or connection undefined',
    'Mod+A: Select everything select-all',
    'Mod+Click Shift+Drag: Select several undefined',
    'Arrows Shift+Arrows: Move the selection undefined',
    'Escape: Select nothing undefined',
    'Look',
    'Mod+K: All commands, also while you type commands',
    'F: Find in this flow find',
    '1: Show the whole flow fit',
    '2: Show the selection show-selected',
    'Mod+I: Open or close the assistant undefined',
    '?: This list help',
  ]);
});

it('has a command for a key with both keys for commands, and needs no Shift for a sign', () => {
  expect([press('y', 'ctrlKey', 'metaKey'), press('Y', 'ctrlKey', 'shiftKey'), press('Enter', 'ctrlKey')]).toEqual([
    'redo',
    undefined,
    'run',
  ]);
});
