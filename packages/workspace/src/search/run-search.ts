import { closeSync, fstatSync, openSync } from 'node:fs';
import { type Identity, isBaseAt } from '../base-directory.ts';
import { errnoOf, WorkspaceError } from '../errors.ts';
import { sameFile } from '../resolve/dir.ts';
import { LIST } from '../resolve/native.ts';
import { type EntryType, type VisitOptions, visitTree } from '../visit-tree.ts';
import { compileGlob } from './glob-pattern.ts';
import { addRules, type IgnoreRules, readIgnoreFile } from './ignore-rules.ts';
import { chooseEngine } from './choose-engine.ts';
import { type CompileRe2, createMatcher } from './line-matcher.ts';
import { runList } from './run-list.ts';
import { type FileHits, FileScanner } from './scan-file.ts';
import type {
  GlobOutcome,
  GlobRequest,
  GrepMatch,
  GrepOutcome,
  GrepRequest,
  SearchOutcome,
  SearchRequest,
  SearchScope,
} from './search-request.ts';
import type { InodeOf, ThreadPlace } from './thread-place.ts';

/**
 * The reports of a running search, its stop signal, and its working directory. `cancelled` is called once per entry, so
 * it must be cheap.
 */
export interface SearchControl {
  readonly cancelled: () => boolean;
  readonly progress: (filesSeen: number) => void;
  /** Receives matches while the search runs, so that they outlive a thread that has to be ended. */
  readonly found?: (matches: readonly GrepMatch[], files: number, skipped: number) => void;
  readonly place?: ThreadPlace | undefined;
  readonly compileRe2?: CompileRe2 | undefined;
}

/** The base directory was exchanged under the search. The caller resolves it again. */
export class BaseMoved extends Error {}

const PROGRESS_EVERY = 2_048;
const REPORT_EVERY_MS = 100;

/**
 * Runs one search from a root held by this thread. Nothing is opened but by name in a held directory, without
 * following links. Stops early, with what it has, when cancelled.
 *
 * @param rootSelf a path of this thread's own root descriptor
 */
export function runSearch(rootSelf: string, request: SearchRequest, control: SearchControl): SearchOutcome {
  const base = openBase(rootSelf, request);
  try {
    if (request.kind === 'list') return runList(base, request, control.cancelled);
    return request.kind === 'glob'
      ? runGlob(rootSelf, base, request, control)
      : runGrep(rootSelf, base, request, control);
  } finally {
    for (const fd of base.fds) closeSync(fd);
  }
}

interface Base {
  readonly at: string;
  readonly parts: readonly string[];
  /** Paths of the directories from the root's child to the base. */
  readonly entered: readonly string[];
  readonly fds: readonly number[];
}

/** Opens the scope's directory component by component. */
function openBase(rootSelf: string, request: SearchRequest): Base {
  const byDescriptor = rootSelf.startsWith('/proc/self/fd/');
  const fds: number[] = [];
  const entered: string[] = [];
  let at = rootSelf;
  try {
    for (const part of request.scope.parts) {
      const fd = openSync(`${at}/${part}`, LIST);
      fds.push(fd);
      at = byDescriptor ? `/proc/self/fd/${fd}` : `${at}/${part}`;
      entered.push(at);
    }
  } catch (error) {
    for (const fd of fds) closeSync(fd);
    if (errnoOf(error) === 'EACCES') throw new WorkspaceError('io', 'Cannot search this directory: Permission denied');
    throw new BaseMoved('the searched directory changed');
  }
  return { at, parts: request.scope.parts, entered, fds };
}

function runGlob(rootSelf: string, base: Base, request: GlobRequest, control: SearchControl): GlobOutcome {
  const glob = compileGlob(request.pattern, { braces: request.braces });
  const matches: string[] = [];
  const links: string[] = [];
  const above = base.parts.join('/');
  const rules = walkRules(rootSelf, base, request.scope, control.place);
  const own = request.scope.base;
  const croftsOwn = own && { is: (stat: Identity) => sameFile(stat, own) };
  let ceiling = false;
  let seen = 0;
  const { maxDepth } = request.scope.limits;
  const only = (path: string, type: EntryType) => {
    if (++seen % PROGRESS_EVERY === 0) control.progress(seen);
    return type === 'directory' || glob.matches(path);
  };
  const options = { ...rules, only, maxDepth: Math.min(glob.maxDepth, maxDepth) };
  const { tooDeep } = visitTree(base.at, options, (entry) => {
    if (control.cancelled()) return 'stop';
    const expected = glob.prefix[entry.depth - 1];
    if (expected !== undefined && expected !== entry.name) return 'skip';
    if (entry.type === 'directory' && !glob.matches(entry.path)) return undefined;
    if (entry.type === 'directory' && isBaseAt(croftsOwn, entry.at)) return 'skip';
    if (matches.length >= request.scope.limits.globScanCeiling) {
      ceiling = true;
      return 'stop';
    }
    const path = above === '' ? entry.path : `${above}/${entry.path}`;
    matches.push(path);
    if (entry.type === 'link') links.push(path);
    return undefined;
  });
  return { kind: 'glob', matches, links, ceiling: ceiling || (tooDeep && glob.maxDepth > maxDepth) };
}

function runGrep(rootSelf: string, base: Base, request: GrepRequest, control: SearchControl): GrepOutcome {
  const matcher = createMatcher(request, control.compileRe2);
  const filter =
    request.glob === undefined ? undefined : compileGlob(request.glob, { braces: request.braces, rightAnchored: true });
  const scanner = new FileScanner(matcher, request);
  const matches: GrepMatch[] = [];
  const above = base.parts.join('/');
  const rules = walkRules(rootSelf, base, request.scope, control.place);
  let truncated = false;
  let files = 0;
  let skipped = 0;
  const report = reporter(control, matches, chooseEngine(request).kind === 'backtracking');
  const search = (at: string, path: string): 'stop' | undefined => {
    report(files++, skipped);
    const room = request.maxMatches - matches.length;
    const hits = scanner.scan(
      at,
      request.outputMode === 'content' ? room : request.outputMode === 'count' ? Number.POSITIVE_INFINITY : 1,
    );
    if (scanner.wasRefused) skipped++;
    if (!hits || (hits.count === 0 && !hits.more)) return undefined;
    if (room <= 0) {
      truncated = true;
      return 'stop';
    }
    addMatches(matches, request, above === '' ? path : `${above}/${path}`, hits);
    if (hits.more && request.outputMode === 'content') {
      truncated = true;
      return 'stop';
    }
    return undefined;
  };
  if (request.scope.onlyFile !== undefined) {
    search(`${base.at}/${request.scope.onlyFile}`, request.scope.onlyFile);
    // It was a file when the path was resolved.
    if (scanner.metLink) throw new BaseMoved('the searched file changed');
    return { kind: 'grep', matches, truncated, filesSearched: files, skipped };
  }
  const options = { ...rules, maxDepth: request.scope.limits.maxDepth, onRefused: () => skipped++ };
  const { tooDeep } = visitTree(base.at, options, (entry) => {
    if (control.cancelled()) return 'stop';
    if (entry.type !== 'file' || (filter && !filter.matches(entry.path))) return undefined;
    return search(entry.at, entry.path);
  });
  return { kind: 'grep', matches, truncated: truncated || tooDeep, filesSearched: files, skipped };
}

/**
 * Reports progress and new matches before each file: all of them where this file's lines may take forever, otherwise
 * from time to time.
 */
function reporter(control: SearchControl, matches: readonly GrepMatch[], isSlow: boolean) {
  let reported = 0;
  let reportedAt = performance.now();
  return (files: number, skipped: number): void => {
    if (files > 0 && files % PROGRESS_EVERY === 0) control.progress(files);
    if (!isSlow && files % 16 !== 0) return;
    const now = performance.now();
    const isLate = now - reportedAt >= REPORT_EVERY_MS;
    if (matches.length > reported && (isSlow || isLate)) control.found?.(matches.slice(reported), files, skipped);
    else if (isLate) control.progress(files);
    else return;
    reported = matches.length;
    reportedAt = now;
  };
}

function addMatches(matches: GrepMatch[], request: GrepRequest, path: string, hits: FileHits): void {
  if (request.outputMode === 'files_with_matches') matches.push({ path });
  else if (request.outputMode === 'count') matches.push({ path, count: hits.count });
  else for (const line of hits.lines) matches.push({ path, lineNumber: line.number, line: line.text });
}

/**
 * The entries that a walk leaves out: protected and ignored names, masks, and names in `.gitignore` files on the way
 * down.
 */
function walkRules(
  rootSelf: string,
  base: Base,
  scope: SearchScope,
  place: ThreadPlace | undefined,
): Omit<VisitOptions<IgnoreRules>, 'maxDepth'> {
  const above = base.parts.length === 0 ? '' : `${base.parts.join('/')}/`;
  const { masks, gitignore } = scope;
  return {
    stand: place?.stand,
    shut: scope.base && isHeldAs(scope.base, place?.inodeOf),
    denyList: scope.denyList,
    ignoreNames: new Set(scope.ignoreNames),
    ...(gitignore && {
      context: rulesAbove(rootSelf, base),
      enter: (parent, path, at, entries) => {
        if (!entries.some((entry) => entry.name === '.gitignore')) return parent;
        const text = readIgnoreFile(at);
        return text === undefined ? parent : addRules(parent, (above + path).replace(/\/$/, ''), text);
      },
    }),
    ...((gitignore || masks.length > 0) && {
      leaveOut: (path, name, isDirectory, rules) => {
        const below = above + path;
        if (masks.some((mask) => below === mask || below.startsWith(`${mask}/`))) return true;
        return rules?.ignores(below, name, isDirectory) ?? false;
      },
    }),
  };
}

/** Called once per directory, so the inode number alone is compared first. */
function isHeldAs(own: Identity, inodeOf: InodeOf | undefined): (fd: number) => boolean {
  return (fd) => (inodeOf?.(fd) ?? own.ino) === own.ino && sameFile(fstatSync(fd), own);
}

/** Rules of the directories between the root and the start, which the walk itself does not enter. */
function rulesAbove(rootSelf: string, base: Base): IgnoreRules | undefined {
  let rules: IgnoreRules | undefined;
  [rootSelf, ...base.entered].slice(0, -1).forEach((at, i) => {
    const text = readIgnoreFile(at);
    if (text !== undefined) rules = addRules(rules, base.parts.slice(0, i).join('/'), text);
  });
  return rules;
}
