import type { Edit, FlowDocument } from '@croft/flow';
import type { Conflict } from './edit-conflict.ts';
import type { EditServer } from './edit-server.ts';
import type { Direction } from './undo-stack.ts';
import type { UnsentEdits } from './unsent-edits.ts';

/**
 * Whether the server has all edits. `waiting`: it does not answer; the edits are kept and sent again. `refused`: it does not
 * take them, and the message says why. `conflict`: others changed the same parts, and the user decides.
 */
export type SaveState =
  | { readonly kind: 'saved' | 'saving' | 'waiting' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'conflict'; readonly conflict: Conflict };

/** The state of the edits, for the page. */
export interface EditState {
  /** The server's document with the edits that the server does not have yet. */
  readonly document: FlowDocument;
  /** The server's version below the unsent edits. */
  readonly version: number;
  readonly save: SaveState;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export interface EditStoreOptions {
  readonly version: number;
  readonly document: FlowDocument;
  readonly server: EditServer;
  readonly unsent: UnsentEdits;
  /** False while another user, or no user, is signed in. Then the store sends nothing. */
  readonly isOwner?: () => boolean;
  readonly now?: () => number;
  readonly pauseMs?: number;
  readonly retryMs?: number;
}

/** The edits of one flow: applied at once, sent in order, one request at a time. */
export interface EditStore {
  readonly get: () => EditState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Applies edits as one step of undo. @throws FlowError where they do not fit; the document stays as it is */
  apply(edits: readonly Edit[]): void;
  /** Ends a step of undo that further letters would continue, for example when their field is left. */
  endStep(): void;
  /** @returns whether something was taken back or repeated */
  step(direction: Direction): boolean;
  /** Calls a listener once, when this page makes another step: edits, an undo or a redo. */
  onNextStep(listener: () => void): void;
  /** Makes edits that came from the server one step of undo of this page, such as those of the user's assistant. */
  adopt(versions: ReadonlySet<number>): void;
  /** The server announced a version. */
  announce(version: number): void;
  /** Sends now what waits, for example when the page is left, and after a refusal. */
  flush(): void;
  /** Drops the edits that the server refused. */
  discard(): void;
  /** Ends a conflict: others' changes stay, or this page's. */
  resolve(keep: 'mine' | 'theirs'): void;
}
