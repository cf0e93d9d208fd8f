/** Why a connection is over for good. */
export type EndReason =
  /** The person, or a page, asked this daemon to disconnect. */
  | 'left'
  /** The server ended it: somebody pressed Disconnect there. */
  | 'disconnected'
  /** Another daemon of the same user took its place. */
  | 'superseded'
  /** The server does not take the token or key, now or any longer. */
  | 'unpaired'
  /** The server answers, and will not have this: not a gateway, switched off, body too large. */
  | 'refused'
  /** It could not be reached, and was to be tried once only. */
  | 'unreachable';

/**
 * What happens in a daemon, for whoever shows it. Names, messages and paths are as they came from servers and files:
 * a terminal must not get them unescaped. Keys and tokens are in none of them.
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

/** Is told what happens; must not throw. */
export type Tell = (event: DaemonEvent) => void;
