/**
 * What a hub keeps between restarts. A server implements it over its database; `memoryGatewayStore()` in
 * `@croft/gateway/hub/testing` is for tests. Keys and tokens come as hashes; the plain ones are never stored.
 */
export interface GatewayStore {
  /** Remembers a pairing token and forgets the user's other unused ones. */
  savePairing(row: PairingRow): Promise<void>;
  /** Whether the token is still unused. */
  hasPairing(tokenHash: string): Promise<boolean>;
  /** Takes a token out, in one step, so that of two who try at once only one gets it. `undefined` for an unknown one. */
  takePairing(tokenHash: string, now: Date): Promise<{ userId: string; expired: boolean } | undefined>;
  /** Forgets the user's unused token. */
  removePairing(userId: string): Promise<void>;
  /** Remembers a session and removes the user's other ones in the same transaction. */
  saveSession(row: SessionRow): Promise<void>;
  findSession(keyHash: string): Promise<{ userId: string; lastSeenAt: Date } | undefined>;
  /** Marks sessions as used; unknown ones are left out. */
  touchSessions(keyHashes: string[], at: Date): Promise<void>;
  removeSessions(userId: string): Promise<void>;
  setToggle(userId: string, enabled: boolean): Promise<void>;
  /** True for a user who never turned it off. */
  getToggle(userId: string): Promise<boolean>;
}

/** A pairing token that was given out. */
export interface PairingRow {
  readonly tokenHash: string;
  readonly userId: string;
  readonly expiresAt: Date;
}

/** A session of a user's machine. */
export interface SessionRow {
  readonly keyHash: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** What the machine calls itself, for the page that lists who is connected. */
  readonly host: string | null;
  readonly directory: string | null;
}
