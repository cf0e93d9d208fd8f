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
    const isHeld = this.#isHead(dir) || (this.#has(dir, 'objects') && this.#has(dir, 'refs'));
    return isHeld ? 'the repository in this directory' : undefined;
  }

  /** Why no repository may be made of this directory. One that is there as git makes it stays one. */
  refusesMaking(dir: string): string | undefined {
    if (folded(dir.split('/').at(-1) ?? '') === '.git') return undefined;
    const isRepository = this.#isThere(dir, 'HEAD') && this.#isThere(dir, 'objects') && this.#isThere(dir, 'refs');
    const obeyed = [...OBEYED, 'commondir'].find((name) => this.#has(dir, name));
    if (!isRepository && obeyed !== undefined) return `${obeyed} of the repository this makes`;
    for (const name of [HEAD, 'objects', 'refs']) this.#note(dir, name);
    return undefined;
  }

  #refusesPart(dir: string, name: string, written: string): string | undefined {
    const beside = BESIDE_HEAD.some((one) => one !== name && this.#has(dir, one));
    if (name === HEAD)
      return !this.#isThere(dir, written) && beside ? 'HEAD makes a repository of its directory' : undefined;
    if (!this.#isHead(dir)) return undefined;
    if ((OBEYED as readonly string[]).includes(name))
      return beside ? `${name} of the repository in this directory` : undefined;
    return name === 'commondir' || !this.#isThere(dir, written)
      ? `${name} makes a repository of its directory`
      : undefined;
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
