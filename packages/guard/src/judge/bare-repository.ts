import { folded, type Repositories } from './protect.ts';
import type { Place } from './spot.ts';

/** The entries by which git recognises a repository: `HEAD` with `objects` and `refs`, or `HEAD` with `commondir`. */
const HEAD = 'head';
const BESIDE_HEAD = ['objects', 'refs', 'commondir'] as const;
/** Entries of a repository that git executes or obeys. */
const OBEYED = ['config', 'config.worktree', 'hooks'] as const;
/**
 * Limit of remembered paths. The calls of one reply are judged before any of them runs, so written paths must be
 * remembered.
 */
const MAX_NOTED = 10_000;

/**
 * Finds directories that git treats as a repository although they are not called `.git`. Git obeys the settings and
 * hooks of such a directory when it is started there. Therefore no call may write settings or hooks into one, or add
 * the part that turns a directory into one, whatever the order in which the parts are written.
 *
 * Paths that earlier calls wrote count as existing, even if they are not on the disk yet. Files that programs write are
 * not seen.
 */
export class BareRepositories implements Repositories {
  readonly #kindOf: Place['kindOf'];
  readonly #noted = new Set<string>();

  constructor({ kindOf }: Pick<Place, 'kindOf'>) {
    this.#kindOf = kindOf;
  }

  /**
   * The reason why this path may not be written; undefined if it may, and then it is remembered as written.
   *
   * @param path below the project root, or absolute below another one
   */
  refuses(path: string): string | undefined {
    // Fast path: few paths contain such a name.
    if (!/head|objects|refs|commondir|config|hooks|[^\x20-\x7e]|~|[. ](?:$|\/)/i.test(path)) return undefined;
    const parts = path.split('/');
    for (const [at, part] of parts.entries()) {
      const name = folded(part);
      if (!isPart(name, at === parts.length - 1) || folded(parts[at - 1] ?? '') === '.git') continue;
      const dir = parts.slice(0, at).join('/') || '.';
      const why = this.#refusesPart(dir, name, part);
      if (why !== undefined) return why;
      this.#note(dir, name);
    }
    return undefined;
  }

  /** The reason why files with unknown names may not be added to this directory. */
  refusesFilling(dir: string): string | undefined {
    const isNearly = this.#has(dir, 'objects') && this.#has(dir, 'refs') && this.#obeyed(dir) !== undefined;
    return this.#isHead(dir) || isNearly ? 'the repository in this directory' : undefined;
  }

  /** The reason why existing entries of this directory may not be written through a wildcard. */
  refusesChanging(dir: string): string | undefined {
    const isRepository = this.#isHead(dir) && BESIDE_HEAD.some((name) => this.#has(dir, name));
    return isRepository ? 'the repository in this directory' : undefined;
  }

  /** The reason why this directory may not become a repository. One that git created itself stays one. */
  refusesMaking(dir: string): string | undefined {
    if (folded(dir.split('/').at(-1) ?? '') === '.git') return undefined;
    const isRepository = this.#isThere(dir, 'HEAD') && this.#isThere(dir, 'objects') && this.#isThere(dir, 'refs');
    const obeyed = this.#has(dir, 'commondir') ? 'commondir' : this.#obeyed(dir);
    if (!isRepository && obeyed !== undefined) return `${obeyed} of the repository this makes`;
    for (const name of [HEAD, 'objects', 'refs']) this.#note(dir, name);
    return undefined;
  }

  /** Keeps `HEAD` apart from the other parts: only git itself may put them into one directory. */
  #refusesPart(dir: string, name: string, written: string): string | undefined {
    const isObeyed = (OBEYED as readonly string[]).includes(name);
    if (name !== HEAD && !this.#isHead(dir)) return undefined;
    if (isObeyed) return `${name} of the repository in this directory`;
    if (name === HEAD && !BESIDE_HEAD.some((one) => this.#has(dir, one)) && this.#obeyed(dir) === undefined)
      return undefined;
    // A part that already exists does not turn its directory into a repository.
    return name === 'commondir' || !this.#isThere(dir, written)
      ? `${written} makes a repository of its directory`
      : undefined;
  }

  #obeyed(dir: string): string | undefined {
    // Git ignores a directory where it expects a file.
    return OBEYED.find(
      (name) => this.#has(dir, name) && (name === 'hooks' || this.#kindOf?.(`${dir}/${name}`) !== 'directory'),
    );
  }

  #note(dir: string, name: string): void {
    if (this.#noted.size >= MAX_NOTED) this.#noted.delete(this.#noted.values().next().value as string);
    this.#noted.add(`${dir}/${name}`);
  }

  #isHead(dir: string): boolean {
    if (this.#noted.has(`${dir}/${HEAD}`)) return true;
    return this.#kindOf?.(`${dir}/HEAD`) === 'other';
  }

  #has(dir: string, name: string): boolean {
    return this.#noted.has(`${dir}/${name}`) || this.#isThere(dir, name);
  }

  #isThere(dir: string, name: string): boolean {
    return (this.#kindOf?.(`${dir}/${name}`) ?? 'nothing') !== 'nothing';
  }
}

/** `hooks`, `objects` and `refs` are directories, so a path below one creates it. */
function isPart(name: string, isLast: boolean): boolean {
  if (/^(?:hooks|objects|refs)$/.test(name)) return true;
  return isLast && /^(?:head|commondir|config(?:\.worktree)?)$/.test(name);
}
