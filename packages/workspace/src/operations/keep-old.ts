import { type Enclosure } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { NotKept, type Trash } from '../trash.ts';

/**
 * Keeps something in the trash, if there is one.
 *
 * @param what names it in the refusal
 * @returns the item; `undefined` without a trash, and where `permanent` allows that nothing is kept
 * @throws WorkspaceError `not_undoable`
 */
export function keepOld(
  enclosure: Enclosure,
  what: string,
  bytes: number,
  keep: (trash: Trash) => string | undefined,
): string | undefined {
  if (!enclosure.trash) return undefined;
  try {
    return keep(enclosure.trash);
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
    if (enclosure.permanent) return undefined;
    throw notUndoable(what, bytes, enclosure.trash.maxBytes(), error.reason);
  }
}

/** The refusal of a change whose old content the trash cannot keep. */
export function notUndoable(
  what: string,
  bytes: number,
  maxBytes: number,
  reason: NotKept['reason'] = 'too_large',
): WorkspaceError {
  const why =
    reason === 'too_large'
      ? `${bytes} bytes are more than the trash can keep (${maxBytes})`
      : 'it cannot be copied to the trash completely';
  return new WorkspaceError('not_undoable', `${what} could not be restored afterwards: ${why}. Nothing was changed.`, {
    extra: { bytes, trash_bytes: maxBytes },
  });
}
