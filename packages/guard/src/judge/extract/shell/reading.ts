import { NO_FILE, type Field, placePath, withoutGlobMarks } from './marks.ts';
import type { PathChange, ShellPath, ShellReading } from './shell-reading.ts';
import { PIPE_FILE } from './evaluate-word.ts';

const MAX_PATHS = 2000;

/** Gathers what a command line touches; each path once. */
export class Gathered {
  readonly #writes = new Map<string, ShellPath>();
  readonly #reads = new Map<string, ShellPath>();
  readonly #undecidable = new Set<string>();

  undecidable(reason: string): void {
    if (this.#undecidable.size < 20) this.#undecidable.add(reason);
  }

  write(cwd: string, field: Field, use?: PathChange): void {
    const { path, isPattern, isKnown } = placePath(cwd, field.value);
    if (!isKnown) this.undecidable(`It is not known what '${shown(field)}' stands for.`);
    if (path !== undefined) this.#add(this.#writes, path, isPattern, field, use);
  }

  read(cwd: string, field: Field): void {
    const { path, isPattern } = placePath(cwd, field.value);
    if (path !== undefined) this.#add(this.#reads, path, isPattern, field);
  }

  #add(to: Map<string, ShellPath>, path: string, isPattern: boolean, field: Field, use?: PathChange): void {
    if (NO_FILE.test(path) || path === PIPE_FILE) return;
    const before = to.get(path);
    if (before !== undefined) {
      if (use !== undefined && before.uses?.includes(use) !== true)
        to.set(path, { ...before, uses: [...(before.uses ?? []), use] });
      return;
    }
    if (to.size >= MAX_PATHS) return this.undecidable('The command names too many paths.');
    const uses = use === undefined ? {} : { uses: [use] };
    to.set(
      path,
      isPattern ? { written: shown(field), path, isPattern, ...uses } : { written: shown(field), path, ...uses },
    );
  }

  result(): ShellReading {
    return {
      writes: [...this.#writes.values()],
      reads: [...this.#reads.values()],
      undecidable: [...this.#undecidable],
    };
  }
}

function shown(field: Field): string {
  const text = withoutGlobMarks(field.written).replace(/[\uE000-\uE00F]/g, '…');
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
