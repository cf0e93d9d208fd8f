import type { Field, Output } from '@croft/flow';
import type { DataText } from './parse-data.ts';
import type { WasmModule } from './web-assembly.ts';

/** Why code cannot be used, and the line of the source. */
export interface CodeProblem {
  /** `forbidden`: the scan found something that components may not do. `failed`: it could not be tried. */
  readonly kind: 'syntax' | 'ports' | 'forbidden' | 'failed';
  /** 1-based; 0 where no line is to blame. */
  readonly line: number;
  /** 1-based; 0 where unknown. */
  readonly column: number;
  readonly message: string;
}

/** An output of a user's component, and the method that computes it. */
export interface CodeOutput extends Output {
  /** Absent where `run` gives all outputs at once. */
  readonly method?: string;
  /** The name of a table field: the output stands for one output a row, whose name has the number in place of `{n}`. */
  readonly each?: string;
}

/** A user's component as its source declares it. Plain JSON. */
export interface ReadComponent {
  readonly className: string;
  readonly label: string;
  readonly description: string;
  readonly icon?: string;
  readonly fields: readonly Field[];
  readonly outputs: readonly CodeOutput[];
  /** The source without types, line by line the same: this text is scanned, and this text runs. */
  readonly js: string;
  /** Names that it imports from `@croft/component`. */
  readonly imports: readonly string[];
}

export type ReadOutcome =
  | { readonly ok: true; readonly component: ReadComponent }
  | { readonly ok: false; readonly problems: readonly CodeProblem[] };

/** Bounds of one row. */
export interface RowLimits {
  readonly timeMs: number;
  /** Of the whole module: its values, its code and its stack. */
  readonly memoryBytes: number;
  /** Characters of the outputs as JSON. */
  readonly resultChars: number;
  /** Lines that a row may log. */
  readonly logLines: number;
}

/** One run of a component, for one set of inputs. */
export interface RowJob {
  readonly kind: 'row';
  readonly id: number;
  /** Rows of one session share a module; each gets a context of its own. */
  readonly session: number;
  /** The thread has the module of the session, and no `begun` comes. */
  readonly isOpen: boolean;
  readonly className: string;
  readonly js: string;
  /** A script that runs in each context before the component. */
  readonly library: string;
  /** JSON of the inputs by name. */
  readonly inputs: string;
  /** The wanted outputs, each with its method. */
  readonly outputs: readonly { readonly name: string; readonly method?: string }[];
  readonly limits: RowLimits;
}

/** Reads a source: removes types, finds ports, scans. */
export interface ReadJob {
  readonly kind: 'read';
  readonly id: number;
  readonly source: string;
}

/** A search, or a text to parse, whose time depends on its input: the thread can be ended. */
export type Search =
  /** `value`: JSON. */
  { readonly language: 'JMESPath'; readonly expression: string; readonly value: string } | TextSearch | DataText;

/** A regular expression for a text. */
export interface TextSearch {
  readonly language: 'RE2';
  readonly expression: string;
  readonly ignoresCase: boolean;
  readonly text: string;
  /** At most so many matches with their groups, the text with each match replaced, or some of its lines. */
  readonly wants:
    | { readonly matches: number }
    | { readonly replacement: string }
    | { readonly lines: 'with a match' | 'without one' };
}

/** Applies an expression to a value. */
export interface SearchJob {
  readonly kind: 'search';
  readonly id: number;
  readonly search: Search;
}

/** The result of a search as JSON, or the fault of its expression. */
export type SearchOutcome =
  | { readonly ok: true; readonly found: string }
  | { readonly ok: false; readonly message: string };

export type SandboxJob = RowJob | ReadJob | SearchJob;

export type RowFailure = 'thrown' | 'time' | 'memory' | 'result';

export type RowOutcome =
  | { readonly ok: true; readonly outputs: string; readonly logs: readonly string[] }
  | {
      readonly ok: false;
      readonly reason: RowFailure;
      readonly message: string;
      /** 1-based line of the source; 0 where unknown. */
      readonly line: number;
      /** The advice of a `ComponentError`. */
      readonly fix?: string;
      readonly logs: readonly string[];
    };

/** `begun`: the thread has loaded what it needs, and from now on the time of the job counts. */
export type SandboxAnswer =
  | { readonly id: number; readonly begun: true }
  | { readonly id: number; readonly read: ReadOutcome }
  | { readonly id: number; readonly searched: SearchOutcome }
  | { readonly id: number; readonly row: RowOutcome };

/** The first message of the thread. */
export interface SandboxHail {
  /** For the clock of its jobs. */
  readonly task: string | undefined;
}

/** Given to the thread when it starts. */
export interface SandboxData {
  readonly wasm: WasmModule;
}
