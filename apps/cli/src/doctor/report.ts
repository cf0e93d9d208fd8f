import type { Limits, ResolverKind } from '@croft/workspace';

/** Something to know or to mend: what is so, and what to do about it. */
export interface Finding {
  readonly what: string;
  readonly advice: string;
}

/** The second wall, as a child process that really raised it found it. */
export interface SecondWallReport {
  /** The kernel's Landlock version; 0 when it has none or koffi is missing. */
  readonly abi: number;
  /** Whether the wall stood and its self-test held. */
  readonly active: boolean;
  readonly reason?: string;
}

/** A file that must be its owner's alone. Never what it holds. */
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

/** One workspace agents have worked in. */
export interface WorkspaceReport {
  readonly root: string;
  readonly exists: boolean;
  readonly calls: number;
  /** ISO 8601. */
  readonly last?: string;
}

/** Which policy `croft guard` would go by here. */
export interface GuardReport {
  /** The project root; null where none is found. */
  readonly root: string | null;
  /** The person's own file. */
  readonly file: string | null;
  /** The project's, which only tightens. */
  readonly projectFile: string | null;
  readonly enabled: boolean;
  readonly mode: 'enforce' | 'dry-run';
}

/** One configured hook of the guard. */
export interface HookReport {
  readonly agent: string;
  readonly file: string;
  /** ISO 8601; null where the agent never called it. */
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
  readonly namespace: NamespaceReport;
  readonly configuration: readonly SettingReport[];
  readonly configFile: string | null;
  /** Absent where the policy cannot be used. */
  readonly guard?: GuardReport;
  readonly hooks: readonly HookReport[];
  readonly limits: Limits;
  /** The directory that was asked about. */
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
