import type { CompoundList, Function as ShellFunction } from 'unbash';
import { ANY, type Field } from './marks.ts';
import { enterDirectory } from './enter-directory.ts';

export type FunctionBody = ShellFunction['body'] | CompoundList;

/** A variable: every value it may have, or the words of an array. */
export type Value =
  | readonly string[]
  | {
      readonly items: readonly Field[];
      /** The positions of the items are unknown: some were set by subscript. */
      readonly isLoose?: boolean;
    };

const MAX_VALUES = 8;
const MAX_DIRECTORIES = 6;
const MAX_NAMES = 256;

/** Variables that the shell sets itself, from other texts than assignments: their values stay unknown. */
const SET_BY_SHELL =
  /^(?:_|PWD|OLDPWD|REPLY|MAPFILE|OPTARG|OPTIND|COPROC|DIRSTACK|FUNCNAME|LINENO|PIPESTATUS|GROUPS|BASH_\w+|COMP_\w+|READLINE_\w+|reply|argv|match|MATCH|mbegin|mend|status|funcstack|dirstack)$/;

/** The known state of a shell at one point of its program. Copied where control flow splits, joined where it merges. */
export class ShellState {
  /** The directories the shell may be in; `ANY` for an unknown one. */
  cwds: readonly string[];
  previous: readonly string[] = [ANY];
  stack: (readonly string[])[] = [];
  variables: Map<string, Value> = new Map();
  /** Functions: every body that a name may have, and `undefined` if it may be none. */
  functions: Map<string, readonly (FunctionBody | undefined)[]> = new Map();
  aliases: Map<string, string> = new Map();
  /** Read-only variables: an assignment to them fails. */
  readonly: Set<string> = new Set();
  /** Variables that the program passes on to the programs that it starts. */
  exported: Set<string> = new Set();
  /** The commands of `trap`, which run between other commands. */
  traps: readonly { readonly text: string; readonly isAtEnd: boolean }[] = [];
  /** The state in which they were read last. */
  trapped: ShellState | undefined;
  /** In a function: the values that its local variables hide, and those of its callers. They come back. */
  hidden: ReadonlyMap<string, Value> | undefined;
  /** `$1` and following, in a function or a `sh -c`. */
  parameters: readonly Field[] | undefined;
  /** `$0`, if known. */
  zeroth: Field | undefined;
  /** Directories that this program created or entered: a `cd` there does not fail. */
  made: Set<string> = new Set();
  /** The known contents of files that this program wrote. */
  contents: Map<string, string> = new Map();
  /** The file behind a command's standard input, if no command of this line wrote it. */
  stdin: Field | undefined;
  /**
   * The input of the enclosing group, loop, function or shell, which its commands read unless they have another one.
   */
  fed: readonly string[] | undefined;
  /** Whether a directory exists, if the caller can tell. */
  isDirectory: ((path: string) => boolean) | undefined;
  /** The path without links, if the caller can tell. */
  realPath: ((path: string) => string | undefined) | undefined;
  /** Whether something else than a directory exists, if the caller can tell. */
  isFile: ((path: string) => boolean) | undefined;
  /** The directory of `TMPDIR` unless the program sets it. */
  temporary = '/tmp';
  /** Active options of `set` and `shopt` that change the meaning of commands. */
  options: Set<string> = new Set();
  /** The program removed something: a directory that exists now may be gone by then. */
  hasRemoved = false;

  constructor(cwds: readonly string[]) {
    this.cwds = cwds;
  }

  copy(): ShellState {
    const state = new ShellState(this.cwds);
    state.previous = this.previous;
    state.stack = [...this.stack];
    if (this.variables.size > 0) state.variables = new Map(this.variables);
    if (this.functions.size > 0) state.functions = new Map(this.functions);
    if (this.aliases.size > 0) state.aliases = new Map(this.aliases);
    if (this.readonly.size > 0) state.readonly = new Set(this.readonly);
    if (this.exported.size > 0) state.exported = new Set(this.exported);
    state.hidden = this.hidden;
    state.traps = this.traps;
    state.trapped = this.trapped;
    if (this.made.size > 0) state.made = new Set(this.made);
    if (this.contents.size > 0) state.contents = new Map(this.contents);
    if (this.options.size > 0) state.options = new Set(this.options);
    state.parameters = this.parameters;
    state.zeroth = this.zeroth;
    state.stdin = this.stdin;
    state.fed = this.fed;
    state.isDirectory = this.isDirectory;
    state.isFile = this.isFile;
    state.realPath = this.realPath;
    state.temporary = this.temporary;
    state.hasRemoved = this.hasRemoved;
    return state;
  }

  assign(name: string, value: Value): void {
    if (this.variables.size >= MAX_NAMES && !this.variables.has(name)) throw new Error('too many variables');
    // An assignment to a read-only variable fails, and the program may continue with the old value.
    const isFixed = this.readonly.has(name);
    const before = isFixed ? this.variables.get(name) : undefined;
    this.variables.set(name, isFixed || SET_BY_SHELL.test(name) ? joinValues(before, value) : value);
  }

  /** Notes that a variable may have this value as well. */
  mayBecome(name: string, value: Value): void {
    const before = this.variables.get(name);
    this.assign(name, before === undefined ? value : joinValues(before, value));
  }

  /** Declares a local variable, if the state is that of a function. */
  hide(name: string): void {
    if (this.hidden === undefined) return;
    const before = this.variables.get(name);
    const value = joinValues(before, this.hidden.get(name) ?? before);
    this.hidden = new Map([...this.hidden, [name, value]]);
  }

  /** Ends a function whose caller had `hidden`: what its local variables hid may come back. */
  reveal(hidden: ReadonlyMap<string, Value> | undefined): void {
    for (const [name, value] of this.hidden ?? [])
      if (hidden?.get(name) !== value) this.variables.set(name, joinValues(this.variables.get(name), value));
    this.hidden = hidden;
  }

  /** A shell that this one starts has no aliases, and has functions and variables only if they are exported. */
  becomeChild(): void {
    this.aliases = new Map();
    this.traps = [];
    this.cwds = [...new Set([...this.cwds, ...this.cwds.map((cwd) => enterDirectory(this, cwd, '.'))])];
    for (const [name, bodies] of this.functions) this.functions.set(name, [...new Set([...bodies, undefined])]);
    for (const [name, value] of this.variables)
      if (!this.exported.has(name)) this.variables.set(name, joinValues(value, ['']));
  }

  /** Adds the possible values of another path to this point. */
  join(other: ShellState): void {
    if (other === this) return;
    this.stack = joinStacks(this, other);
    this.cwds = union(this.cwds, other.cwds, MAX_DIRECTORIES);
    this.previous = union(this.previous, other.previous, MAX_DIRECTORIES);
    if (this.variables.size > 0 || other.variables.size > 0) {
      for (const name of new Set([...this.variables.keys(), ...other.variables.keys()])) {
        this.variables.set(name, joinValues(this.variables.get(name), other.variables.get(name)));
      }
    }
    for (const name of new Set([...this.functions.keys(), ...other.functions.keys()])) {
      const own = this.functions.get(name) ?? [undefined];
      const bodies = other.functions.get(name) ?? [undefined];
      if (own !== bodies) this.functions.set(name, [...new Set([...own, ...bodies])]);
    }
    for (const [name, text] of other.aliases) this.aliases.set(name, text);
    for (const name of other.readonly) this.readonly.add(name);
    for (const one of other.traps) if (!this.traps.includes(one)) this.traps = [...this.traps, one];
    for (const name of this.exported) if (!other.exported.has(name)) this.exported.delete(name);
    if (this.hidden !== other.hidden)
      for (const [name, value] of other.hidden ?? [])
        this.hidden = new Map([...(this.hidden ?? []), [name, joinValues(this.hidden?.get(name) ?? value, value)]]);
    for (const made of this.made) if (!other.made.has(made)) this.made.delete(made);
    for (const [path, text] of other.contents) this.contents.set(path, text);
    for (const option of other.options) this.options.add(option);
    this.hasRemoved ||= other.hasRemoved;
  }
}

/**
 * The stacks of `pushd` at a point that two paths reach. On the path with the shorter one `popd` fails, or takes another
 * entry.
 */
function joinStacks(a: ShellState, b: ShellState): (readonly string[])[] {
  const entries = ({ stack, cwds }: ShellState, at: number): readonly string[] =>
    stack[at] ?? [...new Set([...cwds, ...stack.flat()])];
  const length = Math.max(a.stack.length, b.stack.length);
  return Array.from({ length }, (_, at) => union(entries(a, at), entries(b, at), MAX_DIRECTORIES));
}

function joinValues(a: Value | undefined, b: Value | undefined): Value {
  if (a === b && a !== undefined) return a;
  const all = [a, b].flatMap((value): readonly string[] => {
    if (value === undefined) return [ANY];
    return 'items' in value ? [ANY, ...value.items.map((item) => item.value)] : value;
  });
  return union(all, [], MAX_VALUES);
}

function union(a: readonly string[], b: readonly string[], most: number): readonly string[] {
  if (a === b) return a;
  const all = [...new Set([...a, ...b])];
  return all.length > most ? [...all.slice(0, most - 1), ANY] : all;
}

/**
 * Runs commands with this input, unless they have another one, and restores the previous input in the resulting states.
 */
export function whileFed<T extends Outcome>(state: ShellState, input: readonly string[] | undefined, run: () => T): T {
  if (input === undefined) return run();
  const { fed, stdin } = state;
  state.fed = input;
  state.stdin = undefined;
  try {
    const result = run();
    for (const end of [result.success, result.failure]) if (end !== undefined) Object.assign(end, { fed, stdin });
    return result;
  } finally {
    Object.assign(state, { fed, stdin });
  }
}

/** The states after a command's success and after its failure. Undefined if that outcome is impossible. */
export interface Outcome {
  readonly success: ShellState | undefined;
  readonly failure: ShellState | undefined;
}

/** @returns the state after a command, whatever its outcome; undefined if nothing follows it. */
export function joinOutcome(outcome: Outcome): ShellState | undefined {
  const { success, failure } = outcome;
  if (success === undefined || failure === undefined || success === failure) return success ?? failure;
  // Also with `set -e`: shells ignore it in conditions, in lists with `&&` and `||`, and in `eval` there, as agents use it.
  success.join(failure);
  return success;
}

/** Joins the states that are there into the first one. */
export function joined(a: ShellState | undefined, b: ShellState | undefined): ShellState | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  a.join(b);
  return a;
}

export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Whether both states have the same directories and variables. */
export function isSame(a: ShellState, b: ShellState): boolean {
  if (!sameValue(a.cwds, b.cwds) || a.variables.size !== b.variables.size) return false;
  for (const [name, value] of b.variables) if (!sameValue(value, a.variables.get(name))) return false;
  return true;
}
