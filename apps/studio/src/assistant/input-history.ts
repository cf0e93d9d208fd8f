/** The place in the history: undefined for the draft, 0 for the newest message. */
export interface Recall {
  readonly at?: number;
  /** The text before the first recall. */
  readonly draft: string;
}

export const NO_RECALL: Recall = { draft: '' };

/**
 * Recalls an older or a newer message. Ends at the oldest one; behind the newest one comes the draft again.
 *
 * @returns undefined where nothing changes
 */
export function recall(
  history: readonly string[],
  { at, draft }: Recall,
  direction: 'older' | 'newer',
  text: string,
): { readonly recall: Recall; readonly text: string } | undefined {
  if (direction === 'older') {
    const next = at === undefined ? 0 : at + 1;
    const found = history[next];
    return found === undefined
      ? undefined
      : { recall: { at: next, draft: at === undefined ? text : draft }, text: found };
  }
  if (at === undefined) return undefined;
  const newer = history[at - 1];
  return newer === undefined ? { recall: NO_RECALL, text: draft } : { recall: { at: at - 1, draft }, text: newer };
}

/** Whether an arrow key moves through the history and not through the lines of the text. */
export function leavesText(text: string, cursor: number, direction: 'older' | 'newer'): boolean {
  return direction === 'older' ? !text.slice(0, cursor).includes('\n') : !text.slice(cursor).includes('\n');
}
