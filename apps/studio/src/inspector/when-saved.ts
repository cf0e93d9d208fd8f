import type { EditStore } from '../canvas/edit-state.ts';

/**
 * Resolves when the server has all edits: a run uses the flow of the server. Resolves with false where the user has to
 * decide first. While the server does not answer it waits.
 */
export function whenSaved({ get, subscribe, flush }: Pick<EditStore, 'get' | 'subscribe' | 'flush'>): Promise<boolean> {
  return new Promise((resolve) => {
    const isDone = () => {
      const { kind } = get().save;
      if (kind === 'saving' || kind === 'waiting') return false;
      resolve(kind === 'saved');
      return true;
    };
    if (isDone()) return;
    const leave = subscribe(() => isDone() && leave());
    flush();
  });
}
