import { ComponentError } from '../component-error.ts';
import { MAX_SEARCH_MS, searchInThread } from '../user/search-in-thread.ts';
import type { TextSearch } from '../user/sandbox/messages.ts';

/**
 * Applies a regular expression in a thread that can be ended.
 *
 * @returns the matches as rows, or the changed text, as the search wants
 * @throws ComponentError where the expression is not valid or takes too long; the reason of the signal
 */
export async function searchText(
  search: TextSearch,
  caller: { readonly user: string | undefined; readonly signal: AbortSignal },
): Promise<unknown> {
  const searched = await searchInThread(search, caller);
  if (searched === undefined)
    throw new ComponentError(
      `The expression takes too long on this text: more than ${MAX_SEARCH_MS / 1_000} seconds.`,
      'Use an expression with fewer repetitions and alternatives, or split the text first.',
    );
  if (!searched.ok)
    throw new ComponentError(
      `The expression is not valid: ${searched.message}.`,
      'Use RE2 syntax, without backreferences such as \\1 and lookaround such as (?=…).',
    );
  return JSON.parse(searched.found);
}
