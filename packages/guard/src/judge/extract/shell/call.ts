import type { Frame } from './jumps.ts';
import type { Field } from './marks.ts';
import type { PathChange } from './shell-reading.ts';
import { isSame, joined, joinOutcome, type ShellState } from './state.ts';

/** The possible texts of a command's standard input. Undefined if the command line does not set it. */
export type Input = readonly string[] | undefined;

/** The reader's interface for the code that handles one command. */
export interface Reader {
  /** Records a path that is written. An unknown path makes the command undecidable; its known part is recorded. */
  write(state: ShellState, field: Field, use?: PathChange): void;
  /** Records a path that is read. */
  read(state: ShellState, field: Field): void;
  /** Records a path given to a program whose effect on it is unknown. */
  give(state: ShellState, field: Field, to: string): void;
  /** Whether this word was recorded as a path, or belongs to an inner command that was read. */
  isRecorded(word: Field): boolean;
  undecidable(reason: string): void;
  /**
   * Records a state in which a shell continues: at the end of the line, or when a shell starts that reads later input.
   */
  leave(state: ShellState): void;
  /**
   * Reads a text as commands in this state: those of a shell that a program starts, or with `isInShell` those of the
   * shell itself, as `eval` runs them. @returns what they may print.
   */
  runText(texts: readonly string[], state: ShellState, isInShell?: boolean): readonly string[];
  /** Reads the text of a file as commands of the shell itself, which `return` ends. @returns what they may print. */
  runFile(text: string, state: ShellState): readonly string[];
  /**
   * Reads a command given as words: a program, or with `isInShell` what the shell has under that name (a function, an
   * alias). @returns its result.
   */
  runWords(words: readonly Field[], state: ShellState, input: Input, isInShell?: boolean): Result;
  /** Records that a symbolic link is made. A relative target starts at the link's directory. */
  link(state: ShellState, link: string, target: string): void;
  /** Records that a command may end a function or a loop in this state. */
  end(kind: Frame, state: ShellState): void;
  /** Reads the body of a function with parameters. */
  runFunction(name: string, args: readonly Field[], state: ShellState): Result | undefined;
}

/** One command with its words expanded. */
export interface Call {
  /** In lower case, without its directory and `.exe`. */
  readonly name: string;
  /** The first word, unchanged. */
  readonly command: Field;
  readonly args: readonly Field[];
  readonly state: ShellState;
  readonly input: Input;
  readonly reader: Reader;
}

/** The possible states after a command, and its output. */
export interface Result {
  readonly success: ShellState | undefined;
  readonly failure: ShellState | undefined;
  /** The possible outputs; `['']` for no output. */
  readonly output: readonly string[];
}

/** Handles one command. @returns what it may print, or its complete result; undefined if its output is unknown. */
export type Handler = (call: Call) => readonly string[] | Result | undefined;

/** @returns the result of a command that does not change the shell. */
export function plainResult(state: ShellState, output: readonly string[]): Result {
  return { success: state, failure: state, output };
}

/** Changes the given state in place to the state after a command. */
export function joinInto(state: ShellState, result: Result): Result {
  const end = joinOutcome(result);
  if (end !== undefined && end !== state) Object.assign(state, end.copy());
  return plainResult(state, result.output);
}

/** The result of a command that means one thing or another. */
export function either(a: Result, b: Result): Result {
  return {
    success: joined(a.success, b.success),
    failure: joined(a.failure, b.failure),
    output: [...new Set([...a.output, ...b.output])],
  };
}

/** The result of a command that may fail before it runs: its failure also leaves the state `before` the command. */
export function mayNotRun(result: Result, before: ShellState): Result {
  const { failure } = result;
  if (failure === undefined) return { ...result, failure: before };
  if (isUnchanged(failure, before)) return result;
  const failed = failure.copy();
  failed.join(before);
  return { ...result, failure: failed };
}

/** Whether nothing changed that a later command depends on. */
export function isUnchanged(state: ShellState, before: ShellState): boolean {
  return (
    isSame(state, before) &&
    hasSameEntries(state.functions, before.functions) &&
    hasSameEntries(state.aliases, before.aliases) &&
    state.options.size === before.options.size &&
    state.made.size === before.made.size
  );
}

function hasSameEntries<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}
