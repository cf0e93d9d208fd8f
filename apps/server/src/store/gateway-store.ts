import type { GatewayStore } from '@croft/gateway/hub';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { gatewayPairing, gatewaySession, gatewayToggle } from './schema.ts';

/**
 * The hub's memory in the database, so that a restart loses no session. One row a user in each table, so that replacing is
 * one statement and two at once cannot both stay. The user must exist; everything here goes with them.
 */
export function createGatewayStore(db: Db): GatewayStore {
  return {
    async savePairing({ tokenHash, userId, expiresAt }) {
      await db
        .insert(gatewayPairing)
        .values({ tokenHash, userId, expiresAt })
        .onConflictDoUpdate({ target: gatewayPairing.userId, set: { tokenHash, expiresAt } });
    },
    async hasPairing(tokenHash) {
      return (await db.$count(gatewayPairing, eq(gatewayPairing.tokenHash, tokenHash))) > 0;
    },
    async takePairing(tokenHash, now) {
      // A row can be deleted once: of two takers at the same moment the database lets one have it.
      const [row] = await db.delete(gatewayPairing).where(eq(gatewayPairing.tokenHash, tokenHash)).returning();
      return row && { userId: row.userId, expired: row.expiresAt <= now };
    },
    async removePairing(userId) {
      await db.delete(gatewayPairing).where(eq(gatewayPairing.userId, userId));
    },
    async saveSession(row) {
      await db.insert(gatewaySession).values(row).onConflictDoUpdate({ target: gatewaySession.userId, set: row });
    },
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
    async removeSessions(userId) {
      await db.delete(gatewaySession).where(eq(gatewaySession.userId, userId));
    },
    async setToggle(userId, enabled) {
      await db
        .insert(gatewayToggle)
        .values({ userId, enabled })
        .onConflictDoUpdate({ target: gatewayToggle.userId, set: { enabled } });
    },
    async getToggle(userId) {
      const [row] = await db.select().from(gatewayToggle).where(eq(gatewayToggle.userId, userId));
      return row?.enabled ?? true;
    },
  };
}
