/**
 * Persistent data of a hub. A server implements it over its database; `memoryGatewayStore()` in
 * `@croft/gateway/hub/testing` is for tests. Keys and tokens arrive as hashes; the plain ones are never stored.
 */
export interface GatewayStore {
  /** Stores a pairing token and removes the user's other unused ones. */
  savePairing(row: PairingRow): Promise<void>;
  /** A token that is still unused, also an expired one. */
  findPairing(tokenHash: string): Promise<{ userId: string; expiresAt: Date } | undefined>;
  /**
   * Removes and returns a token atomically, so that only one of two concurrent callers gets it. `undefined` for an
   * unknown one.
   */
  takePairing(tokenHash: string, now: Date): Promise<{ userId: string; expired: boolean } | undefined>;
  /** Removes the user's unused token. */
  removePairing(userId: string): Promise<void>;
  /** Stores a session and removes the user's other ones in the same transaction. */
  saveSession(row: SessionRow): Promise<void>;
  findSession(keyHash: string): Promise<{ userId: string; lastSeenAt: Date } | undefined>;
  /** Marks sessions as used; ignores unknown ones. */
  touchSessions(keyHashes: string[], at: Date): Promise<void>;
  removeSessions(userId: string): Promise<void>;
  setToggle(userId: string, enabled: boolean): Promise<void>;
  /** True for a user who never turned it off. */
  getToggle(userId: string): Promise<boolean>;
}

/** A pairing token that was issued. */
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
  /** The name the machine gives itself, for the page that lists connected machines. */
  readonly host: string | null;
  readonly directory: string | null;
}
