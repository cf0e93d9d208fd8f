import { lstatSync, mkdirSync, readlinkSync, type Stats } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { BaseDirectory } from '../base-directory.ts';
import { type CheckedPath, escapes } from '../enclosure.ts';
import { errnoOf, osReason, WorkspaceError } from '../errors.ts';
import { type Dir, identityOf, openDir, statDir } from './dir.ts';
import { closeAll, type Located, located, type LocateOptions, NothingThere } from './located.ts';
import { type MadeDir, removeMade } from './made-dirs.ts';
import { relativeParts } from './root.ts';
import { Unsettled } from './settle.ts';

const MAX_LINKS = 40;

/** Checks that a walk makes on its way. */
export interface WalkRules {
  /** The name rules, asked before a directory is made. */
  readonly judge: (parts: readonly string[]) => void;
  /** Asked before a directory is made in `dir`. */
  readonly requireMount: (dir: Dir, parts: readonly string[]) => void;
  /** Called before each `mkdir`, with the directories of the path made so far and the next one. */
  readonly beforeMake?: (dirs: readonly (readonly string[])[]) => void;
  /** A directory that no path may enter, by any name. */
  readonly base: BaseDirectory | undefined;
}

/** The state of one walk: the directories walked so far, and the components that remain. */
interface Walk {
  readonly path: CheckedPath;
  readonly held: Dir[];
  readonly names: string[];
  /** Components still to walk, the next one last. */
  readonly todo: string[];
  readonly made: MadeDir[];
}

/**
 * The complete resolution, one component at a time, as the kernel would do it: a stack of held directories, links
 * read and expanded by us, `..` popping the stack. A link to an absolute path is followed when it names a place in
 * the workspace. Nothing is ever opened through a link, so magic links and races lead nowhere.
 *
 * The caller checks the names and the mount of what comes out.
 */
export function walk(path: CheckedPath, options: LocateOptions, rules: WalkRules): Located | NothingThere {
  const { base } = rules;
  const { root } = path;
  const at: Walk = { path, held: [], names: [], todo: [...path.parts].reverse(), made: [] };
  const { held, names, todo } = at;
  let links = 0;
  // How many of the components still to walk are the path's own, and not a link's.
  let own = todo.length;
  let lastLink: Stats | undefined;
  const here = (): Dir => held.at(-1) ?? root.dir;
  try {
    for (;;) {
      let part = todo.pop();
      if (part === undefined) {
        if (names.length === 0) return located(path, root.dir, '.', names, statDir(root.dir), held, at.made);
        // A path that ended in `..` is the directory it came out at: that one's name is the last.
        part = names.pop() as string;
        held.pop()?.close();
      }
      if (part === '..') {
        if (names.length === 0) {
          throw lastLink
            ? Unsettled.ifChanging(lastLink, escapes(path.written, 'link_outside'))
            : escapes(path.written);
        }
        names.pop();
        held.pop()?.close();
        continue;
      }
      const isOwn = todo.length < own;
      if (isOwn) own = todo.length;
      const dir = here();
      const stat = lstatSync(dir.at(part), { throwIfNoEntry: false });
      if (!stat) {
        const name = passMissing(at, dir, part, { ...options, isDangling: !isOwn }, rules);
        if (name instanceof NothingThere) {
          closeAll(held);
          removeMade(root, at.made);
          return name;
        }
        if (name !== undefined) return located(path, dir, name, [...names, name], undefined, held, at.made);
        continue;
      }
      const last = todo.length === 0;
      if (stat.isSymbolicLink()) {
        if (last && options.leaf === 'keep') return located(path, dir, part, [...names, part], stat, held, at.made);
        if (++links > MAX_LINKS)
          throw new WorkspaceError('io', `Cannot use path: Too many symbolic links: ${path.written}`);
        lastLink = stat;
        expandLink(path, dir, part, stat, todo, names, held);
        continue;
      }
      if (last) return located(path, dir, part, [...names, part], stat, held, at.made);
      if (!stat.isDirectory()) throw new WorkspaceError('not_directory', `Not a directory: ${path.written}`);
      const next = reopen(path, dir, part);
      held.push(next);
      if (base?.is(statDir(next))) throw escapes(path.written);
      names.push(part);
    }
  } catch (error) {
    closeAll(held);
    removeMade(root, at.made);
    throw error;
  }
}

/**
 * Continues after a component that does not exist. There can be no links below it, so `..` is resolved by counting: it
 * removes names until the walk is back at an existing directory, or until only missing names remain. Makes nothing at
 * the target of a dangling link: the author of the link did not ask for it.
 *
 * @returns the one missing name, if it is the path's last; `NothingThere` when parents are missing that may not be
 *   made, or a link dangles; `undefined` when the walk goes on
 */
function passMissing(
  at: Walk,
  dir: Dir,
  part: string,
  options: LocateOptions & { isDangling: boolean },
  { judge, requireMount, beforeMake }: WalkRules,
): string | NothingThere | undefined {
  const { todo, names, held, made, path } = at;
  const missing = [part];
  while (missing.length > 0 && todo.length > 0) {
    const next = todo.pop() as string;
    if (next === '..') missing.pop();
    else missing.push(next);
  }
  if (missing.length === 0) return undefined;
  if (missing.length === 1 && !options.isDangling) return missing[0];
  const parts = [...names, ...missing];
  if (!options.makeParents || options.isDangling) return new NothingThere(path, parts);
  // Before anything is made: an innocent link may have led to a protected or masked directory.
  judge(parts);
  requireMount(dir, parts);
  const [first, ...rest] = missing as [string, ...string[]];
  beforeMake?.([...made.map((one) => one.parts), [...names, first]]);
  const isMade = makeDir(dir, first);
  const child = reopen(path, dir, first);
  held.push(child);
  names.push(first);
  if (isMade) made.push({ parts: [...names], ...identityOf(child) });
  for (const name of rest.reverse()) todo.push(name);
  return undefined;
}

/** Replaces a link by its target: below the root, or relative to the directory of the link. */
function expandLink(
  path: CheckedPath,
  dir: Dir,
  name: string,
  stat: Stats,
  todo: string[],
  names: string[],
  held: Dir[],
): void {
  let target: string;
  try {
    target = readlinkSync(dir.at(name));
  } catch (error) {
    // EINVAL: another process replaced the link by a file or directory.
    if (errnoOf(error) === 'EINVAL') throw new Unsettled(escapes(path.written, 'link_outside'));
    throw error;
  }
  const inside = isAbsolute(target)
    ? relativeParts(path.root, target)
    : target.split('/').filter((p) => p !== '' && p !== '.');
  const refused = escapes(path.written, 'link_outside');
  if (!inside) throw Unsettled.ifChanging(stat, refused);
  if (isAbsolute(target)) {
    closeAll(held);
    held.length = 0;
    names.length = 0;
  }
  for (let i = inside.length - 1; i >= 0; i--) todo.push(inside[i] as string);
}

function reopen(path: CheckedPath, dir: Dir, name: string): Dir {
  try {
    return openDir(dir.at(name), path.root.dirKind);
  } catch (error) {
    const errno = errnoOf(error);
    // It was a directory a moment ago: something is exchanging it.
    if (errno === 'ENOTDIR' || errno === 'ELOOP') throw new Unsettled(escapes(path.written, 'link_outside'));
    throw error;
  }
}

/** Whether the directory was made here; `false` when it was there after all. */
function makeDir(dir: Dir, name: string): boolean {
  dir.verify();
  try {
    mkdirSync(dir.at(name), 0o755);
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') {
      throw new WorkspaceError('io', `Cannot create parent directory: ${osReason(error)}`, { cause: error });
    }
    return false;
  } finally {
    dir.verify();
  }
}
