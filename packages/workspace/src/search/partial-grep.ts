import type { GrepMatch, SearchOutcome, SearchRequest } from './search-request.ts';
import type { WorkerAnswer } from './worker-messages.ts';

/** Collects the matches of a content search while it runs, for the case that its thread has to be ended. */
export class PartialGrep {
  files = 0;
  private skipped = 0;
  private readonly isGrep: boolean;
  private readonly matches: GrepMatch[] = [];

  constructor(request: SearchRequest) {
    this.isGrep = request.kind === 'grep';
  }

  add({ matches, files, skipped }: NonNullable<WorkerAnswer['found']>): void {
    for (const match of matches) this.matches.push(match);
    this.files = files;
    this.skipped = skipped;
  }

  /** `undefined` for a search by name, which reports nothing while it runs. */
  outcome(): SearchOutcome | undefined {
    if (!this.isGrep) return undefined;
    const { matches, files, skipped } = this;
    return { kind: 'grep', matches, truncated: true, filesSearched: files, skipped };
  }
}
