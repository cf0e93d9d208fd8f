import { join } from 'node:path';
import { hasWildcard, judgeLinks, wildcard } from './behind-links.ts';
import type { ShellPath } from './extract/shell/shell-reading.ts';
import { judgePath, type PathFinding, shorten } from './judge-path.ts';
import type { Place } from './spot.ts';
import type { PathRules } from './protect.ts';

/** The finding for a path that is protected by a pattern. */
export function isProtected(written: string, path: string, glob: string): PathFinding {
  return {
    verdict: { written, read_as: path, inside: true },
    problem: {
      rule: 'protected-path',
      reason: `Path '${shorten(written)}' is protected (${glob}): another program runs or obeys it`,
    },
  };
}

/** Judges a path that a command line writes. A path with a wildcard means every file that it may match. */
export function judgeShellPath(
  write: ShellPath,
  { removes, isWritten }: { readonly removes: boolean; readonly isWritten: boolean },
  place: Place,
  protect: PathRules,
): PathFinding {
  const judge = (path: string, use: { removes: boolean }): PathFinding => {
    const found = judgePath({ written: path, weight: 'path', role: 'plain' }, place, protect, {
      isShell: true,
      isWritten,
      ...use,
    });
    return { ...found, verdict: { ...found.verdict, written: write.written } };
  };
  if (!write.isPattern) return judge(write.path, { removes });
  const parts = write.path.split(/^(?:[A-Za-z]:|\\)/.test(write.path) ? /[\\/]/ : '/');
  const at = parts.findIndex((part) => /[*?[]|[@+!]\(/.test(part));
  if (at === -1) return judge(write.path, { removes });
  const head = parts.slice(0, at).join('/') || (/^[\\/]/.test(write.path) ? '/' : driveOf(write.path));
  const rest = parts.slice(at);
  if (rest.some(mayGoUp)) return unresolvable(write, 'goes up again with or behind a wildcard');
  // The wildcard matches everything in the root.
  const isAll = removes && rest.length === 1 && /^(?:\*|\.\*|\{\*,\.\*\}|\.\[!\.\]\*)$/.test(rest[0] as string);
  const found = judge(head, { removes: isAll });
  if (found.problem || found.path === undefined) return found;
  // Absolute, because a relative path may start at the working directory of the agent.
  const root = found.further ?? place.root ?? '';
  const glob = protect.mayMean([found.path, ...rest].join('/'), removes);
  // Files that are moved or copied keep their old names, which the wildcard does not show; any other wildcard expands
  // to existing files.
  const isNew = write.isOpen === true || write.uses?.some((use) => use !== 'removes') === true;
  if (glob !== undefined && (isNew || mayBeThere(root, found.path, rest, removes, place, protect)))
    return isProtected(write.written, write.path, glob);
  const why = inRepository(found, rest, isNew, removes, protect);
  if (why !== undefined) return isProtected(write.written, write.path, why);
  const through = judgeLinks(join(root, found.path), rest, place, (path) => judge(path, { removes: false }));
  if (through === 'too-many')
    return unresolvable(write, 'matches too many directories to tell whether one leads outside');
  return through ?? found;
}

/** The directory in which a wildcard without a directory before it begins. */
function driveOf(path: string): string {
  return /^[A-Za-z]:/.test(path) ? path.slice(0, 2) : '.';
}

/**
 * Whether a component may expand to `..`. Of the wildcards only a group of `extglob` matches it, if it has a dot and needs no
 * other character outside the group. A star or question mark matches no dot at the start of a name.
 */
function mayGoUp(part: string): boolean {
  if (part === '..') return true;
  if (!/[@+!?*]\(/.test(part) || !part.includes('.') || /^[?*](?!\()/.test(part)) return false;
  let depth = 0;
  for (const char of part) {
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (depth <= 0 && !/[.@+!?*[\]]/.test(char)) return false;
  }
  return true;
}

function unresolvable({ written, path }: ShellPath, why: string): PathFinding {
  return {
    verdict: { written, read_as: shorten(path), inside: false },
    problem: { rule: 'unresolvable-path', reason: `Path '${shorten(written)}' ${why}` },
  };
}

/** The files a wildcard may match in a directory laid out as a repository. */
function inRepository(
  { path, further }: PathFinding,
  rest: readonly string[],
  isNew: boolean,
  removes: boolean,
  { repositories }: PathRules,
): string | undefined {
  if (removes || repositories === undefined || path === undefined) return undefined;
  const dir = further === undefined ? path : `${further}/${path}`;
  if (isNew) return repositories.refusesFilling(dir);
  const [first = '*'] = rest;
  const test = wildcard(first);
  const mayBeObeyed = /\*\*/.test(first) || ['config', 'hooks', 'config.worktree'].some((name) => test(name));
  return mayBeObeyed ? repositories.refusesChanging(dir) : undefined;
}

const MAX_FOUND = 300;

/** Whether a wildcard matches a protected file: it expands to existing names only. */
function mayBeThere(
  root: string,
  head: string,
  rest: readonly string[],
  removes: boolean,
  place: Place,
  protect: PathRules,
): boolean {
  let found: readonly string[] = [head];
  const links = new Set<string>();
  for (const part of rest) {
    // `**` matches any number of directories, which are not searched.
    if (/\*\*/.test(part)) return true;
    const test = wildcard(part);
    const next: string[] = [];
    for (const dir of found) {
      const names = hasWildcard(part) ? place.namesIn?.(join(root, dir)) : [part];
      if (names === undefined) return true;
      const at = (name: string): string => (dir === '.' ? name : `${dir}/${name}`);
      for (const name of names) if (test(name)) next.push(at(name));
      for (const name of place.linksIn(join(root, dir))) links.add(at(name));
    }
    if (next.length > MAX_FOUND) return true;
    found = next;
  }
  return found.some((path) => {
    const spot = [...links].some((link) => path === link || path.startsWith(`${link}/`))
      ? place.locate(join(root, path))
      : undefined;
    const paths = spot?.kind === 'inside' ? [path, spot.path] : [path];
    return paths.some((one) => protect.match(one) !== undefined || (removes && protect.below(one) !== undefined));
  });
}
