import type { IncomingMessage } from 'node:http';
import type { Hub } from '@croft/gateway/hub';
import type { Accounts } from './accounts/accounts.ts';
import type { KnownBrowsers } from './accounts/known-browsers.ts';
import type { SignInLimits } from './accounts/sign-in-limits.ts';
import type { Settings } from './config/settings.ts';
import type { TrustedProxies } from './edge/addresses.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { EventStreams } from './events.ts';
import type { LocalAccess } from './files/local-access.ts';
import type { FilesOfCallers } from './files/caller-files.ts';
import type { CallerToolsets } from './files/caller-toolsets.ts';
import type { Namespaces } from './files/namespaces.ts';
import type { SharedMount } from './files/shared-mount.ts';
import type { GuardInside } from './guard-inside.ts';
import type { Identified } from './identify.ts';
import type { Caller } from './identity.ts';
import type { LocalSessions } from './local-session.ts';
import type { Log } from './log.ts';
import type { NotReady } from './ready-check.ts';
import type { KeyTouches } from './store/api-keys.ts';
import type { Db } from './store/database.ts';

/** What routes are made of: every part a request may need, handed over as one argument. */
export interface Parts {
  readonly settings: Settings;
  readonly version: string;
  readonly log: Log;
  /** `/` or `/croft/`. */
  readonly basePath: string;
  readonly cookie: { readonly name: string; readonly path: string; readonly secure: boolean };
  /** Where people reach this server, without a slash at the end. */
  readonly url: () => string;
  /** The bearer of this machine's own programs, under auto-login. */
  readonly machineToken: string | undefined;
  /** Whether the database is there as far as this process knows. */
  readonly isReady: () => boolean;
  /** Why the server cannot serve now; `undefined` when it can. */
  readonly findNotReady: () => Promise<NotReady | undefined>;
  /** Waits for the database a while. @throws Problem 503 with Retry-After */
  readonly storage: () => Promise<Db>;
  readonly identify: (request: IncomingMessage) => Promise<Identified | undefined>;
  /** Who an API key speaks for, where it comes in a header of its own. */
  readonly ownerOfKey: (secret: string) => Promise<Caller | undefined>;
  readonly keyTouches: () => KeyTouches;
  /** Refuses what a page of another site may have caused. @throws Problem `cross_site` */
  readonly requireOwnPage: (request: IncomingMessage) => void;
  readonly proxies: TrustedProxies;
  readonly localSessions: LocalSessions;
  readonly endedSessions: EndedSessions;
  readonly accounts: Accounts;
  readonly limits: SignInLimits;
  readonly knownBrowsers: KnownBrowsers;
  readonly namespaces: Namespaces;
  readonly sharedMount: SharedMount;
  readonly files: FilesOfCallers;
  readonly toolsets: CallerToolsets;
  readonly localAccess: LocalAccess;
  readonly hub: Hub;
  readonly events: EventStreams;
  /** The packed command line for other machines; absent where it was not found. */
  readonly packedCli: (() => Promise<Buffer>) | undefined;
  /** The guard's proxy, where it runs inside. */
  readonly guard: GuardInside | undefined;
}
