import type { Drawing } from '../canvas/canvas.tsx';
import { FIT } from '../canvas/first-view.ts';
import type { Alignment, Axis } from './align.ts';
import type { CanvasActions } from './canvas-actions.ts';
import type { Editing } from './editing-context.ts';
import type { Command } from './shortcuts.ts';

export interface CommandTarget {
  readonly drawing: Drawing;
  readonly actions: CanvasActions;
  readonly editing: Editing;
  readonly isReadOnly: boolean;
  /** Ids of all components and notes. */
  readonly all: () => readonly string[];
  /** Opens a dialog, or the palette. */
  readonly open: (part: 'find' | 'help' | 'commands' | 'add') => void;
  /** Runs the flow with the values of the run form. */
  readonly run: () => void;
  readonly runFrom: (component: string) => void;
}

/** Carries out a command of a key, a button or the command palette. */
export function runCommand(
  name: Command,
  { drawing, actions, editing, isReadOnly, all, open, run, runFrom }: CommandTarget,
): void {
  const { ids, edges } = drawing.selection();
  const [first] = ids;
  switch (name) {
    case 'find':
    case 'help':
    case 'commands':
      return open(name);
    case 'fit':
      return void drawing.instance.fitView(FIT);
    case 'show-selected':
      return first === undefined ? undefined : drawing.show(first, true);
    case 'run':
      return run();
    case 'run-from':
      return actions.componentsIn(ids).slice(0, 1).forEach(runFrom);
    case 'select-all':
      return drawing.selectDrawn(all());
    default:
  }
  if (isReadOnly) return;
  const [edge] = edges;
  switch (name) {
    case 'add':
      return edge && ids.size === 0 ? editing.insertOn(edge) : open('add');
    case 'connect': {
      const component = actions.componentsIn(ids)[0];
      return component === undefined ? undefined : editing.openConnect(component);
    }
    case 'note':
      return actions.addNote();
    case 'arrange':
      return void actions.arrange();
    case 'group':
      return actions.group();
    case 'ungroup':
      return actions.ungroup();
    case 'remove':
      return actions.remove();
    case 'duplicate':
      return actions.duplicate();
    case 'undo':
    case 'redo':
      return actions.step(name);
    case 'distribute-x':
    case 'distribute-y':
      return actions.distribute(name.slice('distribute-'.length) as Axis);
    default:
      return actions.align(name.slice('align-'.length) as Alignment);
  }
}
