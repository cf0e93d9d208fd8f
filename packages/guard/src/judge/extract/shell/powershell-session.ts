import type { Reader } from './call.ts';
import type { Token } from './powershell-tokens.ts';
import type { ShellState } from './state.ts';

/** The state shared by the commands of one text. */
export interface Session {
  readonly state: ShellState;
  readonly reader: Reader;
  readonly variables: Map<string, string>;
  /** The names of variables that the text sets once. */
  readonly isSetOnce: ReadonlySet<string>;
  readonly aliases: Map<string, string>;
  readonly depth: number;
  /** The current command takes whole directories. */
  isDeep: boolean;
  /** `&` or `.` precedes the current command: a variable there names a program. */
  isInvoked: boolean;
  /** The files in the pipeline; `open` if unknown. */
  fed: readonly Token[] | 'open' | undefined;
}

/** The current directory. */
export const HERE: Token = { text: '.', written: '.', isOperator: false, isQuoted: false };
