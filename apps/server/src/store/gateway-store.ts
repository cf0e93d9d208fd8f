import { and, eq, inArray, lt } from 'drizzle-orm';
import type { Db } from './database.ts';
import { gatewayPairing, gatewaySession, gatewayToggle } from './schema.ts';

type PairingRow = typeof gatewayPairing.$inferSelect;
type SessionRow = typeof gatewaySession.$inferSelect;

/**
 * The hub's memory (`GatewayStore` of `@croft/gateway/hub`) in the database, so that a restart loses no session. One row a
 * user in each table, so that replacing is one statement and two at once cannot both stay. The user must exist; everything
 * here goes with them.
 */
export function createGatewayStore(db: Db) {
  return {
    async savePairing({ tokenHash, userId, expiresAt }: PairingRow): Promise<void> {
      await db
        .insert(gatewayPairing)
        .values({ tokenHash, userId, expiresAt })
        .onConflictDoUpdate({ target: gatewayPairing.userId, set: { tokenHash, expiresAt } });
    },
    async takePairing(tokenHash: string, now: Date): Promise<{ userId: string; expired: boolean } | undefined> {
      // A row can be deleted once: of two takers at the same moment the database lets one have it.
      const [row] = await db.delete(gatewayPairing).where(eq(gatewayPairing.tokenHash, tokenHash)).returning();
      return row && { userId: row.userId, expired: row.expiresAt <= now };
    },
    async saveSession(row: SessionRow): Promise<void> {
      await db.insert(gatewaySession).values(row).onConflictDoUpdate({ target: gatewaySession.userId, set: row });
    },
    async findSession(keyHash: string): Promise<{ userId: string; lastSeenAt: Date } | undefined> {
      const [row] = await db
        .select({ userId: gatewaySession.userId, lastSeenAt: gatewaySession.lastSeenAt })
        .from(gatewaySession)
        .where(eq(gatewaySession.keyHash, keyHash));
      return row;
    },
    async touchSessions(keyHashes: string[], at: Date): Promise<void> {
      if (keyHashes.length === 0) return;
      await db
        .update(gatewaySession)
        .set({ lastSeenAt: at })
        .where(and(inArray(gatewaySession.keyHash, keyHashes), lt(gatewaySession.lastSeenAt, at)));
    },
    async removeSessions(userId: string): Promise<void> {
      await db.delete(gatewaySession).where(eq(gatewaySession.userId, userId));
    },
    async setToggle(userId: string, enabled: boolean): Promise<void> {
      await db
        .insert(gatewayToggle)
        .values({ userId, enabled })
        .onConflictDoUpdate({ target: gatewayToggle.userId, set: { enabled } });
    },
    async getToggle(userId: string): Promise<boolean> {
      const [row] = await db.select().from(gatewayToggle).where(eq(gatewayToggle.userId, userId));
      return row?.enabled ?? true;
    },
  };
}
