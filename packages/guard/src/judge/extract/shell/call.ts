import type { Field } from './marks.ts';
import type { PathChange } from './shell-reading.ts';
import type { ShellState } from './state.ts';

/** What is known of a command's standard input: the texts it may be. Undefined: nothing is fed to it here. */
export type Input = readonly string[] | undefined;

/** What the reader offers to those who know one command. */
export interface Reader {
  /** Notes a path that is written. One that is not known becomes undecidable, with what is known of it. */
  write(state: ShellState, field: Field, use?: PathChange): void;
  /** Notes a path that is read. */
  read(state: ShellState, field: Field): void;
  /** Notes a path that a program is given of which it is not known what it does with it. */
  give(state: ShellState, field: Field, to: string): void;
  undecidable(reason: string): void;
  /** Notes a state in which a shell goes on: at the end of the line, or when one starts that reads what is typed later. */
  leave(state: ShellState): void;
  /** Reads a text as commands, in this state. @returns what they may print. */
  runText(texts: readonly string[], state: ShellState): readonly string[];
  /** Reads a command given as words. @returns what became of it. */
  runWords(words: readonly Field[], state: ShellState, input: Input): Result;
  /** Reads the body of a function with parameters. */
  runFunction(name: string, args: readonly Field[], state: ShellState): Result | undefined;
}

/** One command with its words expanded. */
export interface Call {
  /** In lower case, without its directory and `.exe`. */
  readonly name: string;
  /** The first word as it is. */
  readonly command: Field;
  readonly args: readonly Field[];
  readonly state: ShellState;
  readonly input: Input;
  readonly reader: Reader;
}

/** What a command leaves behind. */
export interface Result {
  readonly success: ShellState | undefined;
  readonly failure: ShellState | undefined;
  /** What it may print; `['']` for nothing. */
  readonly output: readonly string[];
}

/** Knows one command. @returns what it may print, or all of its result; undefined when its output is not known. */
export type Handler = (call: Call) => readonly string[] | Result | undefined;

/** @returns the result of a command that changes nothing in the shell. */
export function plainResult(state: ShellState, output: readonly string[]): Result {
  return { success: state, failure: state, output };
}
