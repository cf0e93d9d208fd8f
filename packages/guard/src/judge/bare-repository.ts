import { folded, type Repositories } from './protect.ts';
import type { Place } from './spot.ts';

/** Names of which git knows a repository by, in whatever directory: `HEAD` with both directories, or with the last. */
const HEAD = 'head';
const BESIDE_HEAD = ['objects', 'refs', 'commondir'] as const;
/** What git executes or obeys in a repository. */
const OBEYED = ['config', 'config.worktree', 'hooks'] as const;
/** Calls of one reply are judged before any of them ran; more than this nobody puts together that way. */
const MAX_NOTED = 10_000;

/**
 * Knows directories that git takes for a repository although they are not called `.git`. Git obeys the settings and hooks
 * in one as soon as it is started there, so none may come to lie in a repository, and no repository around them: in
 * whatever order the parts are written, the part that would make it one that was put together is the one refused.
 *
 * What calls have written counts as there, whether or not it is on the disk yet. Not seen: what programs write.
 */
export class BareRepositories implements Repositories {
  readonly #kindOf: Place['kindOf'];
  readonly #noted = new Set<string>();

  constructor({ kindOf }: Pick<Place, 'kindOf'>) {
    this.#kindOf = kindOf;
  }

  /**
   * Why this path may not be written, if it may not; remembers it as written otherwise.
   *
   * @param path below the project root, or absolute below another one
   */
  refuses(path: string): string | undefined {
    // Few paths have such a name.
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

  /** Why files of names nobody knows may not appear in this directory. */
  refusesFilling(dir: string): string | undefined {
    const isNearly = this.#has(dir, 'objects') && this.#has(dir, 'refs') && this.#obeyed(dir) !== undefined;
    return this.#isHead(dir) || isNearly ? 'the repository in this directory' : undefined;
  }

  /** Why what is there may not be written, by whatever name a wildcard finds it. */
  refusesChanging(dir: string): string | undefined {
    const isRepository = this.#isHead(dir) && BESIDE_HEAD.some((name) => this.#has(dir, name));
    return isRepository ? 'the repository in this directory' : undefined;
  }

  /** Why no repository may be made of this directory. One that is there as git makes it stays one. */
  refusesMaking(dir: string): string | undefined {
    if (folded(dir.split('/').at(-1) ?? '') === '.git') return undefined;
    const isRepository = this.#isThere(dir, 'HEAD') && this.#isThere(dir, 'objects') && this.#isThere(dir, 'refs');
    const obeyed = this.#has(dir, 'commondir') ? 'commondir' : this.#obeyed(dir);
    if (!isRepository && obeyed !== undefined) return `${obeyed} of the repository this makes`;
    for (const name of [HEAD, 'objects', 'refs']) this.#note(dir, name);
    return undefined;
  }

  /** `HEAD` and the other parts are kept apart: only git itself puts them into one directory. */
  #refusesPart(dir: string, name: string, written: string): string | undefined {
    const isObeyed = (OBEYED as readonly string[]).includes(name);
    if (name !== HEAD && !this.#isHead(dir)) return undefined;
    if (isObeyed) return `${name} of the repository in this directory`;
    if (name === HEAD && !BESIDE_HEAD.some((one) => this.#has(dir, one)) && this.#obeyed(dir) === undefined)
      return undefined;
    // What is there already makes no repository of it.
    return name === 'commondir' || !this.#isThere(dir, written)
      ? `${written} makes a repository of its directory`
      : undefined;
  }

  #obeyed(dir: string): string | undefined {
    // A directory of that name is nothing to git, where a file is meant.
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

/** `hooks`, `objects` and `refs` are directories: what lies in them makes them. */
function isPart(name: string, isLast: boolean): boolean {
  if (/^(?:hooks|objects|refs)$/.test(name)) return true;
  return isLast && /^(?:head|commondir|config(?:\.worktree)?)$/.test(name);
}
