import type { ToolTable } from '@croft/tools';
import type { Workspace } from '@croft/workspace';
import type { AskPerson } from './confirm-page.ts';
import type { DaemonEvent, EndReason } from './daemon-events.ts';
import type { LinkTiming } from './link-timing.ts';
import type { Settings } from './settings.ts';

/** A shared directory, its tools, and the servers and pages that may use them. */
export interface DaemonOptions {
  /** The shared directory. The daemon reads its tree; everything else goes through the tools. */
  readonly workspace: Pick<Workspace, 'root' | 'list'>;
  /** The tools announced to servers. */
  readonly table: ToolTable;
  /** The `explore` toolset, for servers of the first dialect, which request operations instead of tools. */
  readonly operations: ToolTable;
  /** Whether `table` changes files: shown to the person and to the server. */
  readonly allowWrite: boolean;
  /** Croft's version. */
  readonly version: string;
  readonly settings: Settings;
  /** The server to connect to at once. Without a token, uses the session of an earlier run. */
  readonly target?: { readonly server: string; readonly token?: string | undefined } | undefined;
  /** Used for `target` instead of token and session. Never sent to a server that a page names. */
  readonly staticKey?: string | undefined;
  /** The port of the local listener; 0 means any free port. Without a port the daemon starts no listener. */
  readonly port?: number | undefined;
  /** Web origins that may connect without a question, in addition to those of this machine. */
  readonly allowOrigins?: readonly string[];
  readonly ask?: AskPerson | undefined;
  readonly autoConfirm?: boolean;
  readonly tell: (event: DaemonEvent) => void;
  /** Variables that name an HTTP proxy; without them the daemon connects directly. */
  readonly env?: NodeJS.ProcessEnv;
  /** For tests. */
  readonly timing?: Partial<LinkTiming> & { readonly quietMs?: number; readonly minIntervalMs?: number };
  readonly random?: () => number;
}

/** How a daemon ended by itself, or `stopped` by its owner. */
export interface DaemonEnd {
  readonly reason: EndReason | 'stopped';
  readonly message: string;
}

/** A running daemon: one directory, at most one server at a time. */
export interface Daemon {
  /** The port of the local listener. */
  readonly port: number | undefined;
  readonly isConnected: boolean;
  readonly done: Promise<DaemonEnd>;
  /** Disconnects for good (deletes the session key here and revokes it at the server, 3 s at most) and ends. */
  stop(): Promise<void>;
}
