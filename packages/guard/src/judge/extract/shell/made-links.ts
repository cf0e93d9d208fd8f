import { changeDirectory, isAbsolute, joinPath } from './marks.ts';

/** Links whose names are followed in one path, and links of one command line. */
const MAX_NAMES = 32;

/** The symbolic links that a command line makes, which the disk does not have yet. Paths are those of the command line. */
export class MadeLinks {
  readonly #targets = new Map<string, Set<string>>();

  /** Notes a link. A relative target starts at the link's directory. */
  add(link: string, target: string): void {
    const name = changeDirectory('', link);
    const path = isAbsolute(target) ? target : joinPath(name.slice(0, Math.max(0, name.lastIndexOf('/'))), target);
    this.#targets.set(name, new Set([...(this.#targets.get(name) ?? []), path]));
  }

  /** The targets of a link. An absolute path may be that of any link whose name it ends with. */
  #targetsOf(path: string): readonly string[] {
    if (!path.startsWith('/')) return [...(this.#targets.get(path) ?? [])];
    return [...this.#targets].flatMap(([link, targets]) => {
      if (path !== link && (isAbsolute(link) || !path.endsWith(`/${link}`))) return [];
      const above = path.slice(0, path.length - link.length);
      return [...targets].map((target) => (isAbsolute(target) ? target : above + target));
    });
  }

  /**
   * The other names of a path with `..` behind such a link: the system takes `..` from the directory behind the link.
   *
   * @returns undefined if there are too many.
   */
  namesOf(path: string): readonly string[] | undefined {
    if (this.#targets.size === 0) return [];
    const names = new Set([path]);
    for (const name of names) {
      const parts = name.split('/');
      for (let at = 1; at <= parts.lastIndexOf('..'); at += 1)
        for (const target of this.#targetsOf(changeDirectory('', parts.slice(0, at).join('/'))))
          names.add([target, ...parts.slice(at)].join('/'));
      if (names.size > MAX_NAMES) return undefined;
    }
    names.delete(path);
    return [...names];
  }
}
