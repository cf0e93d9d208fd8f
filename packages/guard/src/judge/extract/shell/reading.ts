import { keptBy } from './kept-state.ts';
import { MAX_PATHS, TooLong } from './limits.ts';
import { MadeLinks } from './made-links.ts';
import { NO_FILE, type Field, field, placePath, TOP, withoutGlobMarks } from './marks.ts';
import type { GivenPath, PathChange, ShellPath, ShellReading } from './shell-reading.ts';
import { PIPE_FILE } from './evaluate-word.ts';
import type { ShellState } from './state.ts';

const MAX_GIVEN = 500;

/** Collects what a command line touches, each path once. */
export class Gathered {
  readonly #writes = new Map<string, ShellPath>();
  readonly #reads = new Map<string, ShellPath>();
  readonly #given = new Map<string, GivenPath>();
  readonly #undecidable = new Set<string>();
  readonly #left = new Set<string>();
  /** Paths that a command removes, and those to which one does something else. */
  readonly #taken = new Set<string>();
  readonly #put = new Set<string>();
  readonly #links = new MadeLinks();
  #cut: string | undefined;

  undecidable(reason: string): void {
    if (this.#undecidable.size < 20) this.#undecidable.add(reason);
  }

  /** Records that a part of the command line was not read. */
  cutShort(reason: string): void {
    this.#cut ??= reason;
  }

  write(cwd: string, field: Field, use?: PathChange): void {
    const { path, isPattern, isOpen, isKnown } = placePath(cwd, field.value);
    if (!isKnown) this.undecidable(`It is not known what '${shown(field)}' stands for.`);
    if (path === undefined) return;
    if (use === 'takes') this.#taken.add(path);
    this.#add(this.#writes, path, isPattern, field, use === 'takes' ? undefined : use, isOpen);
    if (use !== 'takes' && use !== 'removes') this.#put.add(path);
  }

  read(cwd: string, field: Field): void {
    const { path, isPattern } = placePath(cwd, field.value);
    if (path !== undefined) this.#add(this.#reads, path, isPattern, field);
  }

  /** Records that a symbolic link is made. */
  link(cwd: string, link: string, target: string): void {
    const { path } = placePath(cwd, link);
    const to = placePath('', target).path;
    if (path !== undefined && to !== undefined) this.#links.add(path, to);
  }

  give(cwd: string, field: Field, to: string): void {
    const { path, isKnown } = placePath(cwd, field.value);
    if (!isKnown || path === undefined || path === PIPE_FILE || this.#given.has(path) || NO_FILE.test(path)) return;
    if (this.#given.size >= MAX_GIVEN) return this.undecidable('The command names too many paths.');
    this.#given.set(path, { written: shown(field), path, to });
  }

  /** Records the directory, the options and the variables that a shell keeps for later commands. */
  leave(state: ShellState): void {
    for (const cwd of state.cwds) {
      const { path, isPattern } = placePath(cwd, '.');
      if (cwd.startsWith(TOP)) this.#left.add(cwd);
      else if (path === undefined || isPattern)
        this.undecidable(
          'It is not known in which directory later commands run. Put this command in parentheses, ( … ), or go back at its end.',
        );
      else this.#left.add(path);
    }
    for (const kept of keptBy(state)) this.undecidable(kept);
  }

  /**
   * Records the effects of commands that run only if a later line asks for it. Their writes become given paths: one
   * outside makes the line undecidable, and never blocks it.
   */
  mayTouch({ writes, left, undecidable }: ShellReading, by: string): void {
    for (const reason of undecidable) this.undecidable(reason);
    for (const { path } of writes) this.give('', field(path), by);
    for (const dir of left) this.#left.add(dir);
  }

  #add(
    to: Map<string, ShellPath>,
    path: string,
    isPattern: boolean,
    field: Field,
    use?: PathChange,
    isOpen = false,
  ): void {
    if (NO_FILE.test(path) || path === PIPE_FILE) return;
    const before = to.get(path);
    if (before !== undefined) {
      if (isOpen && before.isOpen !== true) to.set(path, { ...before, isOpen });
      if (use !== undefined && before.uses?.includes(use) !== true)
        to.set(path, { ...(to.get(path) ?? before), uses: [...(before.uses ?? []), use] });
      return;
    }
    if (to.size >= MAX_PATHS) throw new TooLong(`it names more than ${MAX_PATHS} paths`);
    const more = {
      ...(isPattern && { isPattern }),
      ...(isOpen && { isOpen }),
      ...(use !== undefined && { uses: [use] }),
    };
    to.set(path, { written: shown(field), path, ...more });
  }

  /** Adds what the paths are behind the links that the command line makes. */
  #follow(paths: Map<string, ShellPath>): void {
    for (const each of paths.values()) {
      const names = this.#links.namesOf(each.path);
      if (names === undefined) this.undecidable(`The links before '${each.written}' lead too far to be followed.`);
      for (const path of names ?? []) {
        paths.set(path, { ...paths.get(path), ...each, path });
        this.#put.add(path);
      }
    }
  }

  result(): ShellReading {
    this.#follow(this.#writes);
    this.#follow(this.#reads);
    return {
      writes: [...this.#writes.values()],
      taken: this.#taken,
      put: this.#put,
      reads: [...this.#reads.values()],
      given: [...this.#given.values()],
      left: [...this.#left],
      undecidable: [...this.#undecidable],
      cut: this.#cut,
    };
  }
}

function shown(field: Field): string {
  const text = withoutGlobMarks(field.written).replace(/[\uE000-\uE00F]/g, '…');
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
