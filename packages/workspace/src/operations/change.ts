/**
 * One change to one path, with the data that `undo` needs. Paths are the real ones: relative to the workspace, with
 * `/`, or absolute if `restrict: false` led outside it.
 */
export interface Change {
  readonly kind: 'create' | 'update' | 'append' | 'delete' | 'move' | 'mkdir';
  readonly path: string;
  /** Where a `move` went. */
  readonly to?: string;
  /** Versions of the file before and after; absent for a directory, or if there was no file at that time. */
  readonly before?: string;
  readonly after?: string;
  /** For a directory that came with its content: a digest of that content. */
  readonly tree?: string;
  /** The id of the old content in the trash, if the trash could keep it. */
  readonly trash?: string;
  readonly bytes?: number;
  /** For an `append`: the length of the file before. */
  readonly length?: number;
}
