import type { GatewayStore, PairingRow, SessionRow } from './store.ts';

/** A test's store, with its contents readable. */
export interface MemoryGatewayStore extends GatewayStore {
  readonly pairings: ReadonlyMap<string, PairingRow>;
  readonly sessions: ReadonlyMap<string, SessionRow>;
}

/** A store in memory. Pass the same one to a second hub to simulate a restart; nothing outlives the process. */
export function memoryGatewayStore(): MemoryGatewayStore {
  const pairings = new Map<string, PairingRow>();
  const sessions = new Map<string, SessionRow>();
  const switches = new Map<string, boolean>();
  const removeOf = (rows: Map<string, { userId: string }>, userId: string): void => {
    for (const [hash, row] of rows) if (row.userId === userId) rows.delete(hash);
  };
  return {
    pairings,
    sessions,
    async savePairing(row) {
      removeOf(pairings, row.userId);
      pairings.set(row.tokenHash, row);
    },
    async findPairing(tokenHash) {
      return pairings.get(tokenHash);
    },
    async takePairing(tokenHash, now) {
      const row = pairings.get(tokenHash);
      pairings.delete(tokenHash);
      return row && { userId: row.userId, expired: row.expiresAt <= now };
    },
    async removePairing(userId) {
      removeOf(pairings, userId);
    },
    async saveSession(row) {
      removeOf(sessions, row.userId);
      sessions.set(row.keyHash, row);
    },
    async findSession(keyHash) {
      const row = sessions.get(keyHash);
      return row && { userId: row.userId, lastSeenAt: row.lastSeenAt };
    },
    async touchSessions(keyHashes, at) {
      for (const keyHash of keyHashes) {
        const row = sessions.get(keyHash);
        if (row) sessions.set(keyHash, { ...row, lastSeenAt: at });
      }
    },
    async removeSessions(userId) {
      removeOf(sessions, userId);
    },
    async setToggle(userId, enabled) {
      switches.set(userId, enabled);
    },
    async getToggle(userId) {
      return switches.get(userId) ?? true;
    },
  };
}
