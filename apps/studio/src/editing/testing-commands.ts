import type { CommandState } from './commands.ts';

/** For tests: an empty selection in a flow that can be edited and has nothing to undo. */
export const NOTHING: CommandState = {
  isReadOnly: false,
  isEmpty: false,
  canUndo: false,
  canRedo: false,
  items: 0,
  components: 0,
  edges: 0,
  hasGroup: false,
};
