import type { Enclosure } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { statDir } from '../resolve/dir.ts';
import { locate } from '../resolve/locate.ts';
import { chooseEngine } from '../search/choose-engine.ts';
import { BaseMoved } from '../search/run-search.ts';
import type { SearchOutcome, SearchRequest, SearchScope } from '../search/search-request.ts';
import { searchInWorker } from '../search/worker-pool.ts';

export interface WorkerOptions {
  readonly path?: string | undefined;
  /** Leave out what `.gitignore` files name. */
  readonly gitignore?: boolean;
  /** Names left out beside those of the workspace's own ignore list. */
  readonly excludeNames?: ReadonlySet<string>;
  /** The caller: the searches of one workspace are served in turns of its callers. */
  readonly caller?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((filesSeen: number) => void) | undefined;
}

/** How often a search starts again because its directory was replaced. */
const MAX_RESTARTS = 50;

/**
 * Runs a search or a listing in a search thread, from the directory that the path leads to.
 *
 * @throws WorkspaceError `not_found`, `not_directory`, `not_regular`, `cancelled`, `deadline`, `io`, and those of `locate`
 */
export async function runInWorker(
  enclosure: Enclosure,
  options: WorkerOptions,
  directoryOnly: boolean,
  request: (scope: SearchScope) => SearchRequest,
): Promise<SearchOutcome> {
  for (let restart = 0; ; restart++) {
    const { scope, root } = scopeOf(enclosure, options, directoryOnly);
    const stat = statDir(root.dir);
    const toRun = request(scope);
    const isBacktracking = toRun.kind === 'grep' && chooseEngine(toRun).kind === 'backtracking';
    try {
      const outcome = await searchInWorker(
        { path: root.path, dev: stat.dev, ino: stat.ino, resolver: root.kind },
        toRun,
        {
          signal: options.signal,
          owner: { workspace: `${stat.dev}:${stat.ino}`, caller: options.caller ?? '' },
          timeoutMs: enclosure.limits.searchTimeoutMs,
          ...(isBacktracking && { runMs: enclosure.limits.backtrackTimeoutMs }),
          onProgress: options.onProgress,
        },
      );
      return enclosure.ambient ? fromAmbient(enclosure, outcome) : outcome;
    } catch (error) {
      if (!(error instanceof BaseMoved)) throw error;
      if (restart >= MAX_RESTARTS) throw new WorkspaceError('io', 'The searched directory keeps changing; try again');
    }
  }
}

/** With `restrict: false` a search starts at the file system's root: its paths are named from the workspace again. */
function fromAmbient(enclosure: Enclosure, outcome: SearchOutcome): SearchOutcome {
  const above = `${enclosure.root.path.slice(1)}/`;
  const named = (path: string) => (path.startsWith(above) ? path.slice(above.length) : `/${path}`);
  if (outcome.kind === 'list') return outcome;
  return outcome.kind === 'glob'
    ? { ...outcome, matches: outcome.matches.map(named), links: outcome.links.map(named) }
    : { ...outcome, matches: outcome.matches.map((match) => ({ ...match, path: named(match.path) })) };
}

/**
 * Resolves the search's start through the same resolver as every operation; the worker then walks the resulting real
 * components.
 */
export function scopeOf(enclosure: Enclosure, options: WorkerOptions, directoryOnly: boolean) {
  const path = options.path || '.';
  const found = locate(enclosure, path);
  try {
    if (!found.stat) throw new WorkspaceError('not_found', `Path does not exist: ${path}`);
    const isDirectory = found.stat.isDirectory();
    if (!isDirectory && !directoryOnly && !found.stat.isFile())
      throw new WorkspaceError('not_regular', `Not a regular file: ${path}`);
    if (!isDirectory && directoryOnly)
      throw new WorkspaceError('not_directory', `Base path is not a directory: ${path}`);
    const root = found.path.root;
    const rootPrefix = root.path === '/' ? '/' : `${root.path}/`;
    const scope: SearchScope = {
      parts: isDirectory ? found.parts : found.parts.slice(0, -1),
      ...(!isDirectory && { onlyFile: found.parts.at(-1) as string }),
      denyList: enclosure.denyList,
      ignoreNames: [...enclosure.ignoreNames, ...(options.excludeNames ?? [])],
      gitignore: options.gitignore ?? false,
      masks: enclosure.masks.filter((mask) => mask.startsWith(rootPrefix)).map((mask) => mask.slice(rootPrefix.length)),
      base: enclosure.base?.identity(),
      limits: enclosure.limits,
    };
    return { scope, root };
  } finally {
    found.close();
  }
}
