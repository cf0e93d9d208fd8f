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
