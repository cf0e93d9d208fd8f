import type { ScriptedCall } from '../agent-check/model-wires.ts';

/** The format of hooks in a configuration. */
export type HookFormat =
  /** Groups with a matcher, each with a list of hooks. */
  | { readonly kind: 'groups'; readonly event: string }
  /** A plain list of hooks, with other keys at the top of the file. */
  | { readonly kind: 'list'; readonly event: string; readonly top: Readonly<Record<string, unknown>> }
  /** A file of its own that holds nothing else. */
  | { readonly kind: 'file'; content(command: string, temporary: string | undefined): string };

/** How to run a command-line agent once with a scripted model. */
export interface AgentRun {
  /** The program's name on the PATH. */
  readonly program: string;
  readonly args: (url: string) => readonly string[];
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** Files of the empty project that the agent is run in. */
  readonly files?: Readonly<Record<string, string>>;
  /** The call in the agent's own tools; the first one whose tool the agent offers is used. */
  readonly calls: (command: string) => readonly ScriptedCall[];
}

/** Everything that differs between the agents. */
export interface HookClient {
  readonly title: string;
  /** Configuration directory below the home, and the variable that moves it. */
  readonly dir: string;
  readonly movedBy?: string;
  /** The variable names a parent that this part of `dir` is below. */
  readonly movedPart?: string;
  /** The file in that directory, and below a project. */
  readonly file: string;
  readonly project: string;
  readonly format: HookFormat;
  /** Whether the file has an `env` object, with variables for the programs that the agent starts. */
  readonly hasEnv?: boolean;
  /** A setting of that file that switches all hooks off, and the value that does so. */
  readonly off?: { readonly path: readonly string[]; readonly value: unknown };
  /** The message that the agent sends to its hook before the shell runs `command`. */
  readonly message: (cwd: string, command: string) => object;
  /** Absent for an agent without a command line. */
  readonly run?: AgentRun;
  /** The step after which the agent calls the hook. */
  readonly afterwards: string;
}
