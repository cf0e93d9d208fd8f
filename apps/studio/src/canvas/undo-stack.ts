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

/** Changes of the same part within this time are one step, such as words that are typed quickly. */
const ONE_STEP_MS = 1_000;
const MAX_STEPS = 500;

export type Direction = 'undo' | 'redo';

/** The steps that this tab can take back and repeat. Parts that others changed since are left as they are. */
export interface UndoStack {
  /**
   * Adds a step, by its inverse. Steps with the same key in quick succession are one, and so are the letters of a word at
   * any pace. Ends the chance of a redo.
   */
  push(inverse: Edit, key: string | undefined, now: number, isSameWord?: boolean): void;
  /** The next change is a new step, also with the same key. */
  endStep(): void;
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
    push(inverse, key, now, isSameWord = false) {
      steps.redo = [];
      const top = steps.undo.at(-1);
      const isSame = key !== undefined && top?.key === key && top.seen === others.length;
      if (top && isSame && (isSameWord || now - top.at < ONE_STEP_MS))
        steps.undo[steps.undo.length - 1] = { ...top, at: now };
      else add(steps.undo, inverse, key, now);
    },
    endStep() {
      const top = steps.undo.pop();
      if (top) steps.undo.push({ ...top, key: undefined });
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

/** Whether an edit of one text goes on with the word that the edit before it changed: it adds letters to a word, or removes some. */
export function isSameWord([edit]: readonly Edit[], inverse: Edit): boolean {
  const [before, after] = [textIn(inverse), edit && textIn(edit)];
  if (before === undefined || after === undefined) return false;
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [removed, added] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (/\s/.test(removed + added)) return false;
  return added === '' || /\S/.test(after[start - 1] ?? '');
}

/** The text that an edit sets, where that is all it does. */
function textIn(edit: Edit): string | undefined {
  if (edit.kind === 'rename') return edit.name ?? '';
  if (edit.kind !== 'configure') return undefined;
  const [value = '', ...others] = Object.values(edit.values);
  return others.length === 0 && typeof value === 'string' ? value : undefined;
}
