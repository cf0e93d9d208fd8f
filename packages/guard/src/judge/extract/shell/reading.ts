import { NO_FILE, type Field, placePath, withoutGlobMarks } from './marks.ts';
import type { GivenPath, PathChange, ShellPath, ShellReading } from './shell-reading.ts';
import { PIPE_FILE } from './evaluate-word.ts';

const MAX_PATHS = 2000;
const MAX_GIVEN = 500;

/** Gathers what a command line touches; each path once. */
export class Gathered {
  readonly #writes = new Map<string, ShellPath>();
  readonly #reads = new Map<string, ShellPath>();
  readonly #given = new Map<string, GivenPath>();
  readonly #undecidable = new Set<string>();
  /** Paths that a command takes away, and those that one does something else with. */
  readonly #taken = new Set<string>();
  readonly #put = new Set<string>();

  undecidable(reason: string): void {
    if (this.#undecidable.size < 20) this.#undecidable.add(reason);
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

  give(cwd: string, field: Field, to: string): void {
    const { path, isKnown } = placePath(cwd, field.value);
    if (!isKnown || path === undefined || path === PIPE_FILE || this.#given.has(path) || NO_FILE.test(path)) return;
    if (this.#given.size >= MAX_GIVEN) return this.undecidable('The command names too many paths.');
    this.#given.set(path, { written: shown(field), path, to });
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
    if (to.size >= MAX_PATHS) return this.undecidable('The command names too many paths.');
    const more = {
      ...(isPattern && { isPattern }),
      ...(isOpen && { isOpen }),
      ...(use !== undefined && { uses: [use] }),
    };
    to.set(path, { written: shown(field), path, ...more });
  }

  result(): ShellReading {
    return {
      writes: [...this.#writes.values()],
      taken: this.#taken,
      put: this.#put,
      reads: [...this.#reads.values()],
      given: [...this.#given.values()],
      undecidable: [...this.#undecidable],
    };
  }
}

function shown(field: Field): string {
  const text = withoutGlobMarks(field.written).replace(/[\uE000-\uE00F]/g, '…');
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
