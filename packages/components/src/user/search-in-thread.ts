import type { Search, SearchOutcome } from './sandbox/messages.ts';
import { SandboxFailure } from './sandbox-thread.ts';
import { giveThread, takeThread } from './sandbox-threads.ts';

/** Of one search. */
export const MAX_SEARCH_MS = 2_000;

/**
 * Applies an expression or parses a text in a thread of the sandbox, so that neither holds other requests, and the user of
 * the run has only a part of the threads.
 *
 * @returns undefined where it takes too long, or too much memory
 * @throws the reason of the signal
 */
export async function searchInThread(
  search: Search,
  {
    user,
    signal,
    limitMs = MAX_SEARCH_MS,
  }: { readonly user: string | undefined; readonly signal: AbortSignal; readonly limitMs?: number },
): Promise<SearchOutcome | undefined> {
  const thread = await takeThread(user, signal);
  try {
    const answer = await thread.ask({ kind: 'search', search }, limitMs, signal);
    return 'searched' in answer ? answer.searched : undefined;
  } catch (error) {
    if (error instanceof SandboxFailure) return undefined;
    throw error;
  } finally {
    giveThread(thread, user);
  }
}
