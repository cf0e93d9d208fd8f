import type { GatewayStore } from '@croft/gateway/hub';
import { and, eq, lt, sql } from 'drizzle-orm';
import { announceChange } from './changes.ts';
import type { Db } from './database.ts';
import { gatewayPairing, gatewaySession, gatewayToggle } from './schema.ts';

/**
 * The hub's memory in the database, so that a restart loses no session. One row a user in each table, so that replacing is
 * one statement and two at once cannot both stay. The user must exist; everything here goes with them.
 */
export function createGatewayStore(db: Db): GatewayStore {
  return {
    savePairing: ({ tokenHash, userId, expiresAt }) =>
      db.transaction(async (tx) => {
        await tx
          .insert(gatewayPairing)
          .values({ tokenHash, userId, expiresAt })
          .onConflictDoUpdate({ target: gatewayPairing.userId, set: { tokenHash, expiresAt } });
        await announceChange(tx, { kind: 'pairing', userId });
      }),
    async findPairing(tokenHash) {
      const [row] = await db
        .select({ userId: gatewayPairing.userId, expiresAt: gatewayPairing.expiresAt })
        .from(gatewayPairing)
        .where(eq(gatewayPairing.tokenHash, tokenHash));
      return row;
    },
    takePairing: (tokenHash, now) =>
      db.transaction(async (tx) => {
        // A row can be deleted once: of two takers at the same moment the database lets one have it.
        const [row] = await tx.delete(gatewayPairing).where(eq(gatewayPairing.tokenHash, tokenHash)).returning();
        if (row) await announceChange(tx, { kind: 'pairing', userId: row.userId });
        return row && { userId: row.userId, expired: row.expiresAt <= now };
      }),
    removePairing: (userId) =>
      db.transaction(async (tx) => {
        await tx.delete(gatewayPairing).where(eq(gatewayPairing.userId, userId));
        await announceChange(tx, { kind: 'pairing', userId });
      }),
    saveSession: (row) =>
      db.transaction(async (tx) => {
        await tx.insert(gatewaySession).values(row).onConflictDoUpdate({ target: gatewaySession.userId, set: row });
        await announceChange(tx, { kind: 'machine', userId: row.userId });
      }),
    async findSession(keyHash) {
      const [row] = await db
        .select({ userId: gatewaySession.userId, lastSeenAt: gatewaySession.lastSeenAt })
        .from(gatewaySession)
        .where(eq(gatewaySession.keyHash, keyHash));
      return row;
    },
    async touchSessions(keyHashes, at) {
      if (keyHashes.length === 0) return;
      await db
        .update(gatewaySession)
        .set({ lastSeenAt: at })
        // One parameter for thousands of keys.
        .where(
          and(sql`${gatewaySession.keyHash} = any(${sql.param(keyHashes)}::text[])`, lt(gatewaySession.lastSeenAt, at)),
        );
    },
    removeSessions: (userId) =>
      db.transaction(async (tx) => {
        await tx.delete(gatewaySession).where(eq(gatewaySession.userId, userId));
        await announceChange(tx, { kind: 'machine', userId });
      }),
    setToggle: (userId, enabled) =>
      db.transaction(async (tx) => {
        await tx
          .insert(gatewayToggle)
          .values({ userId, enabled })
          .onConflictDoUpdate({ target: gatewayToggle.userId, set: { enabled } });
        await announceChange(tx, { kind: 'switch', userId });
      }),
    async getToggle(userId) {
      const [row] = await db.select().from(gatewayToggle).where(eq(gatewayToggle.userId, userId));
      return row?.enabled ?? true;
    },
  };
}
