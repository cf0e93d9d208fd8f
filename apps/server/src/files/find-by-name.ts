import type { Workspace } from '@croft/workspace';

const MAX_NAME_BYTES = 255;

/** Files and folders whose name has a text in it. */
export interface FoundNames {
  readonly matches: readonly { readonly path: string }[];
  /** There are more. */
  readonly truncated: boolean;
}

/**
 * Looks for names with a text in them, upper or lower case alike; with a slash it is the end of a folder's name and the
 * beginning of what is in it. Runs in the workspace's search threads: however large the tree, other requests go on.
 * At most 100, sorted by path.
 *
 * @throws WorkspaceError `deadline`, `cancelled`
 */
export async function findByName(workspace: Workspace, text: string, signal: AbortSignal): Promise<FoundNames> {
  const parts = text.split(/\/+/);
  // No folder is called so, and a glob refuses it; no name is that long, and a pattern has its limit.
  const isNoName =
    parts.slice(1, -1).some((part) => part === '..') || parts.some((part) => part.length > MAX_NAME_BYTES);
  if (isNoName || parts.every((part) => part === '')) return { matches: [], truncated: false };
  const { matches, truncated } = await workspace.glob(`**/*${parts.map(anyCase).join('/')}*`, { signal });
  return { matches: matches.map((path) => ({ path })), truncated };
}

/** A text as a glob that has no wildcard, for every way to write its letters. */
function anyCase(text: string): string {
  return [...text]
    .map((char) => {
      const ways = [...new Set([char, char.toLowerCase(), char.toUpperCase()])].filter((way) => [...way].length === 1);
      return ways.length > 1 || '*?['.includes(char) ? `[${ways.join('')}]` : char;
    })
    .join('');
}
