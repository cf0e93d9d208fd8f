import {
  changedParts,
  type Edit,
  type EditKind,
  type FlowDocument,
  singleEdits,
  targetsOf,
  withoutLooseEdges,
  withoutParts,
} from '@croft/flow';

/** Changes of the same part within this time are one step, such as the letters of a word. */
const ONE_STEP_MS = 1_000;
const MAX_STEPS = 500;

export type Direction = 'undo' | 'redo';

/** The steps that this tab can take back and repeat. Parts that others changed since are left as they are. */
export interface UndoStack {
  /** Adds a step, by its inverse. Steps with the same key in quick succession are one. Ends the chance of a redo. */
  push(inverse: Edit, key: string | undefined, now: number): void;
  /** Adds the inverse of a step that was just taken back or repeated. */
  pushTaken(direction: Direction, inverse: Edit): void;
  /** Records edits of others. */
  addOthers(edits: readonly Edit[]): void;
  /** Removes the newest step of which something is left; undefined if there is none. */
  take(direction: Direction, document: FlowDocument): readonly Edit[] | undefined;
  has(direction: Direction): boolean;
  clear(): void;
}

interface Step {
  readonly inverse: Edit;
  readonly key: string | undefined;
  readonly at: number;
  /** How many lists of edits of others came before. */
  readonly seen: number;
}

/** Creates the steps of one flow and tab. */
export function createUndoStack(): UndoStack {
  const steps: Record<Direction, Step[]> = { undo: [], redo: [] };
  let others: (readonly Edit[])[] = [];
  const add = (list: Step[], inverse: Edit, key?: string, at = 0) => {
    list.push({ inverse, key, at, seen: others.length });
    if (list.length > MAX_STEPS) list.shift();
  };
  return {
    push(inverse, key, now) {
      steps.redo = [];
      const top = steps.undo.at(-1);
      const isSame = key !== undefined && top?.key === key && top.seen === others.length;
      if (top && isSame && now - top.at < ONE_STEP_MS) steps.undo[steps.undo.length - 1] = { ...top, at: now };
      else add(steps.undo, inverse, key, now);
    },
    pushTaken: (direction, inverse) => add(steps[direction === 'undo' ? 'redo' : 'undo'], inverse),
    addOthers(edits) {
      if (edits.length > 0) others.push(edits);
    },
    take(direction, document) {
      for (;;) {
        const step = steps[direction].pop();
        if (step === undefined) return undefined;
        const parts = changedParts();
        for (const edits of others.slice(step.seen)) parts.add(edits);
        const free = withoutParts(step.inverse, parts);
        if (free !== undefined) return withoutLooseEdges(singleEdits(free), document.nodes);
      }
    },
    has: (direction) => steps[direction].length > 0,
    clear() {
      steps.undo = [];
      steps.redo = [];
      others = [];
    },
  };
}

const REPLACED: readonly EditKind[] = ['configure', 'rename', 'set_code', 'set_details', 'set_note', 'move'];

/** The key of an edit that replaces the one before it: the same parts of the same thing get another value. */
export function stepKey(edits: readonly Edit[]): string | undefined {
  const [edit] = edits;
  if (edit === undefined || edits.length > 1 || !REPLACED.includes(edit.kind)) return undefined;
  return JSON.stringify([edit.kind, ...targetsOf(edit)]);
}
