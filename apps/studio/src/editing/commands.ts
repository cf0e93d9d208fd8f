import { type Command, SHORTCUTS } from './shortcuts.ts';

/** The selection, and the state of the canvas. */
export interface CommandState {
  readonly isReadOnly: boolean;
  /** No components. */
  readonly isEmpty: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Of selected components and notes. */
  readonly items: number;
  /** Of selected components. */
  readonly components: number;
  /** Of selected connections. */
  readonly edges: number;
  /** Whether a group, or a component of one, is selected. */
  readonly hasGroup: boolean;
  /** Whether a run can start at the only selected component; absent unless one is selected. */
  readonly runFrom?: { readonly refusal: string | undefined };
}

/** An entry of the command palette. */
export interface CommandEntry {
  readonly command: Command;
  readonly label: string;
  readonly isPossible: (state: CommandState) => boolean;
  /** Why it is refused. It is offered all the same, because readers look for it. */
  readonly refusal?: (state: CommandState) => string | undefined;
}

const canEdit = ({ isReadOnly }: CommandState) => !isReadOnly;
const always = () => true;
const several = (state: CommandState) => canEdit(state) && state.items > 1;
const hasSelection = (state: CommandState) => canEdit(state) && state.items + state.edges > 0;

const COMMANDS: readonly CommandEntry[] = [
  { command: 'run', label: 'Run the flow', isPossible: ({ isEmpty }) => !isEmpty },
  { command: 'add', label: 'Add component', isPossible: canEdit },
  { command: 'note', label: 'Add note', isPossible: canEdit },
  { command: 'connect', label: 'Connect', isPossible: (state) => canEdit(state) && state.components > 0 },
  { command: 'undo', label: 'Undo', isPossible: (state) => canEdit(state) && state.canUndo },
  { command: 'redo', label: 'Redo', isPossible: (state) => canEdit(state) && state.canRedo },
  { command: 'duplicate', label: 'Duplicate', isPossible: (state) => canEdit(state) && state.items > 0 },
  { command: 'remove', label: 'Delete', isPossible: hasSelection },
  { command: 'arrange', label: 'Tidy up', isPossible: canEdit },
  { command: 'group', label: 'Group', isPossible: (state) => canEdit(state) && state.components > 0 },
  { command: 'ungroup', label: 'Ungroup', isPossible: (state) => canEdit(state) && state.hasGroup },
  { command: 'align-left', label: 'Align left', isPossible: several },
  { command: 'align-center', label: 'Align centers', isPossible: several },
  { command: 'align-right', label: 'Align right', isPossible: several },
  { command: 'align-top', label: 'Align top', isPossible: several },
  { command: 'align-middle', label: 'Align middles', isPossible: several },
  { command: 'align-bottom', label: 'Align bottom', isPossible: several },
  {
    command: 'distribute-x',
    label: 'Distribute horizontally',
    isPossible: (state) => several(state) && state.items > 2,
  },
  { command: 'distribute-y', label: 'Distribute vertically', isPossible: (state) => several(state) && state.items > 2 },
  {
    command: 'run-from',
    label: 'Run from here',
    isPossible: ({ runFrom }) => runFrom !== undefined,
    refusal: ({ runFrom }) => runFrom?.refusal,
  },
  { command: 'find', label: 'Find in this flow', isPossible: always },
  { command: 'select-all', label: 'Select everything', isPossible: always },
  { command: 'fit', label: 'Show the whole flow', isPossible: always },
  { command: 'show-selected', label: 'Show the selection', isPossible: ({ items }) => items > 0 },
  { command: 'help', label: 'Show all keys', isPossible: always },
];

/** The commands that are possible now. */
export const commandsFor = (state: CommandState): readonly CommandEntry[] =>
  COMMANDS.filter(({ isPossible }) => isPossible(state));

/** The commands that place several selected items, for their menu. */
export const PLACING = COMMANDS.filter(({ command }) => /^(align|distribute)-/.test(command));

/** The first keys of a command; undefined where it has none. */
export const keysOf = (command: Command): readonly string[] | undefined =>
  SHORTCUTS.flatMap(({ rows }) => rows).find((row) => row.command === command)?.keys[0];
