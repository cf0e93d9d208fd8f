import type { Alignment, Axis } from './align.ts';

/** An action on the canvas: of a key, a button or the command palette. */
export type Command =
  | 'commands'
  | 'group'
  | 'ungroup'
  | `align-${Alignment}`
  | `distribute-${Axis}`
  | 'add'
  | 'note'
  | 'connect'
  | 'remove'
  | 'duplicate'
  | 'select-all'
  | 'undo'
  | 'redo'
  | 'arrange'
  | 'find'
  | 'fit'
  | 'show-selected'
  | 'run'
  | 'run-from'
  | 'help';

/** A row of the help sheet. `keys` are alternatives; `Mod` is Ctrl, on Apple's systems ⌘. */
export interface Shortcut {
  readonly about: string;
  readonly keys: readonly (readonly string[])[];
  /** Absent: the browser or the canvas itself does it. */
  readonly command?: Command;
}

export const SHORTCUTS: readonly { readonly title: string; readonly rows: readonly Shortcut[] }[] = [
  {
    title: 'Build',
    rows: [
      { about: 'Add a component; with a connection selected, insert it there', keys: [['A']], command: 'add' },
      { about: 'Connect the selected component', keys: [['C']], command: 'connect' },
      { about: 'Add a note', keys: [['N']], command: 'note' },
      { about: 'Edit the selected note or the name of a group', keys: [['F2']] },
      { about: 'Delete what is selected', keys: [['Delete'], ['Backspace']], command: 'remove' },
      { about: 'Duplicate', keys: [['Mod', 'D']], command: 'duplicate' },
      {
        about: 'Copy, cut and paste, also to another flow; a curl command becomes an HTTP request',
        keys: [
          ['Mod', 'C'],
          ['Mod', 'X'],
          ['Mod', 'V'],
        ],
      },
      { about: 'Undo', keys: [['Mod', 'Z']], command: 'undo' },
      {
        about: 'Redo',
        keys: [
          ['Shift', 'Mod', 'Z'],
          ['Mod', 'Y'],
        ],
        command: 'redo',
      },
      { about: 'Run the flow', keys: [['Mod', 'Enter']], command: 'run' },
      { about: 'Tidy up: arrange all components', keys: [['L']], command: 'arrange' },
      { about: 'Group the selected components', keys: [['Mod', 'G']], command: 'group' },
      { about: 'Ungroup', keys: [['Shift', 'Mod', 'G']], command: 'ungroup' },
    ],
  },
  {
    title: 'Select and move',
    rows: [
      { about: 'Next or previous component', keys: [['Tab'], ['Shift', 'Tab']] },
      { about: 'Select the focused component or connection', keys: [['Enter']] },
      { about: 'Select everything', keys: [['Mod', 'A']], command: 'select-all' },
      {
        about: 'Select several',
        keys: [
          ['Mod', 'Click'],
          ['Shift', 'Drag'],
        ],
      },
      { about: 'Move the selection', keys: [['Arrows'], ['Shift', 'Arrows']] },
      { about: 'Select nothing', keys: [['Escape']] },
    ],
  },
  {
    title: 'Look',
    rows: [
      { about: 'All commands, also while you type', keys: [['Mod', 'K']], command: 'commands' },
      { about: 'Find in this flow', keys: [['F']], command: 'find' },
      { about: 'Show the whole flow', keys: [['1']], command: 'fit' },
      { about: 'Show the selection', keys: [['2']], command: 'show-selected' },
      { about: 'Open or close the assistant', keys: [['Mod', 'I']] },
      { about: 'This list', keys: [['?']], command: 'help' },
    ],
  },
];

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** The command of a key; undefined where it has none. */
export function commandOf({ key, ctrlKey, metaKey, shiftKey, altKey }: Pressed): Command | undefined {
  if (altKey) return undefined;
  const isMod = ctrlKey || metaKey;
  const pressed = key.length === 1 ? key.toUpperCase() : key;
  for (const { rows } of SHORTCUTS)
    for (const { keys, command } of rows)
      for (const wanted of keys) {
        if (command === undefined || wanted.at(-1) !== pressed || wanted.includes('Mod') !== isMod) continue;
        // A sign such as “?” needs Shift on some keyboards and not on others.
        const isLetter = /^[A-Z]$/.test(pressed) || pressed.length > 1;
        if (!isLetter || wanted.includes('Shift') === shiftKey) return command;
      }
  return undefined;
}
