/** Why a connection has ended for good. */
export type EndReason =
  /** The person, or a page, asked this daemon to disconnect. */
  | 'left'
  /** The server ended it: its user chose Disconnect there. */
  | 'disconnected'
  /** Another daemon of the same user replaced it. */
  | 'superseded'
  /** The server does not accept, or no longer accepts, the token or key. */
  | 'unpaired'
  /** The server responds but refuses: not a gateway, switched off, body too large. */
  | 'refused'
  /** The server could not be reached, and only one attempt was allowed. */
  | 'unreachable';

/**
 * An event of a daemon, for display. Names, messages and paths are unescaped text from servers and files: escape them
 * before showing them in a terminal. They never contain keys or tokens.
 */
export type DaemonEvent =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'waiting' }
  | { readonly type: 'scanned'; readonly entries: number; readonly truncated: boolean; readonly tookMs: number }
  | { readonly type: 'connecting'; readonly server: string }
  | { readonly type: 'connected'; readonly server: string; readonly again: boolean }
  | { readonly type: 'retrying'; readonly server: string; readonly inMs: number; readonly why: string }
  | { readonly type: 'called'; readonly requestId: string; readonly tool: string; readonly about: string }
  | {
      readonly type: 'answered';
      readonly requestId: string;
      readonly tool: string;
      readonly about: string;
      readonly ok: boolean;
      readonly tookMs: number;
    }
  | {
      readonly type: 'unanswered';
      readonly requestId: string;
      readonly tool: string;
      readonly about: string;
      readonly why: string;
    }
  | { readonly type: 'tree_sent'; readonly entries: number }
  | { readonly type: 'asked'; readonly origin: string }
  | { readonly type: 'decided'; readonly origin: string; readonly allowed: boolean; readonly remembered: boolean }
  | { readonly type: 'turned_away'; readonly origin: string; readonly why: string }
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'ended'; readonly server: string; readonly reason: EndReason; readonly message: string };

/** Receives events. Must not throw. */
export type Tell = (event: DaemonEvent) => void;
