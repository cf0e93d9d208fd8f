import type { Limits, ResolverKind } from '@croft/workspace';

/** A note or a problem, and the advice for it. */
export interface Finding {
  readonly what: string;
  readonly advice: string;
}

/** The second sandbox, tested in a child process that really activated it. */
export interface SecondWallReport {
  /** The kernel's Landlock version; 0 when it has none or koffi is missing. */
  readonly abi: number;
  /** Whether the sandbox was active and passed its self-test. */
  readonly active: boolean;
  readonly reason?: string;
}

/** A file that only its owner may read. Never its content. */
export interface SecretReport {
  readonly path: string;
  readonly state: 'present' | 'missing' | 'unusable';
  /** Octal, e.g. `0600`; not on Windows. */
  readonly mode?: string;
}

export interface BaseDirReport {
  readonly path: string;
  readonly exists: boolean;
  readonly writable: boolean;
  readonly mode?: string;
  readonly pepper: SecretReport;
}

/** Where the files of a call are, by the names that the server's endpoint uses too. */
export interface NamespaceReport {
  readonly auto_login: boolean;
  readonly mode: 'shared' | 'isolated' | 'refused';
  /** Null after an error, without a pepper, or when no user was named. */
  readonly effective_root: string | null;
  readonly resolution_error: string | null;
}

/** One configuration value. */
export interface SettingReport {
  readonly name: string;
  readonly value: string | number | boolean;
  /** For people: `default`, `environment`, `--port`, `/path/croft.config.yaml:3`. */
  readonly source: string;
}

/** One workspace with activity of agents. */
export interface WorkspaceReport {
  readonly root: string;
  readonly exists: boolean;
  readonly calls: number;
  /** ISO 8601. */
  readonly last?: string;
}

/** The policy that `croft guard` would use here. */
export interface GuardReport {
  /** The project root; null if none was found. */
  readonly root: string | null;
  /** The user's own file. */
  readonly file: string | null;
  /** The project's file, which can only tighten the policy. */
  readonly projectFile: string | null;
  readonly enabled: boolean;
  readonly mode: 'enforce' | 'dry-run';
}

/** A running `croft serve` of the base directory. */
export interface ServerReport {
  readonly address: string;
  readonly pid: number | null;
  readonly answers: boolean;
  /** Null without an answer. */
  readonly version: string | null;
}

/** One configured hook of the guard. */
export interface HookReport {
  readonly agent: string;
  readonly file: string;
  /** ISO 8601; null if the agent never called it. */
  readonly lastCall: string | null;
}

/** All that `croft doctor` finds. */
export interface DoctorReport {
  /** No problems: notes are not problems. */
  readonly ok: boolean;
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly kernel: string;
  readonly resolver: { readonly kind: ResolverKind; readonly guarantee: string };
  readonly koffi: string | null;
  readonly secondWall: SecondWallReport;
  readonly baseDir: BaseDirReport;
  /** Null where none runs. */
  readonly server: ServerReport | null;
  readonly namespace: NamespaceReport;
  readonly configuration: readonly SettingReport[];
  readonly configFile: string | null;
  /** Absent if the policy cannot be used. */
  readonly guard?: GuardReport;
  readonly hooks: readonly HookReport[];
  readonly limits: Limits;
  /** The directory on the command line. */
  readonly directory?: { readonly root: string; readonly calls: number };
  readonly workspaces: readonly WorkspaceReport[];
  readonly problems: readonly Finding[];
  readonly notes: readonly Finding[];
}

/** A part of the report, and what it found. */
export interface Examined<T> {
  readonly report: T;
  readonly problems: readonly Finding[];
  readonly notes: readonly Finding[];
}
