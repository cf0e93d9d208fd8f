import type { WorkspaceErrorCode } from '../errors.ts';
import type { ResolverKind } from '../resolve/root.ts';
import type { GrepMatch, SearchOutcome, SearchRequest } from './search-request.ts';

/** The root a worker opens for itself, and the identity it must then have. */
export interface WorkerRoot {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
  readonly resolver: ResolverKind;
}

export interface WorkerData {
  /** Holds the id of the job that is to stop. */
  readonly flag: SharedArrayBuffer;
  /** koffi's binary, where the main thread has it. */
  readonly nativeFile: string | undefined;
}

/** A thread's first message. */
export type WorkerHail = 'started';

export interface WorkerJob {
  readonly id: number;
  readonly root: WorkerRoot;
  readonly request: SearchRequest;
}

export interface WorkerAnswer {
  readonly id: number;
  progress?: number;
  /** Matches since the last of these, and the files searched so far. */
  found?: { readonly matches: readonly GrepMatch[]; readonly files: number; readonly skipped: number };
  outcome?: SearchOutcome;
  moved?: boolean;
  error?: { code: WorkspaceErrorCode; message: string };
}
