/**
 * What one mutation did to one place, in the words `undo` needs. Paths are where it really happened, below the
 * workspace, with `/`; absolute where `restrict: false` led outside it.
 */
export interface Change {
  readonly kind: 'create' | 'update' | 'append' | 'delete' | 'move' | 'mkdir';
  readonly path: string;
  /** Where a `move` went. */
  readonly to?: string;
  /** Versions of the file before and after; absent for directories and where there was or is none. */
  readonly before?: string;
  readonly after?: string;
  /** Of a directory that came with its content: a digest of that content. */
  readonly tree?: string;
  /** The kept old content, when it could be kept. */
  readonly trash?: string;
  readonly bytes?: number;
  /** Of an `append`: how long the file was before. */
  readonly length?: number;
}
