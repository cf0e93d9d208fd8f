import { z } from 'zod';

/** The state of a user's connected machine. Times are ISO 8601. */
export const gatewayStatus = z.strictObject({
  connected: z.boolean(),
  connectedAt: z.string().nullable(),
  directory: z.string().nullable(),
  hostIdentifier: z.string().nullable(),
  toolCategories: z.array(
    z.strictObject({ name: z.string(), enabled: z.boolean(), writeAccess: z.boolean().optional() }),
  ),
  /** Off means that agents get no tools of the machine, connected or not. */
  enabled: z.boolean(),
  /** Expiry of the unused pairing token, if there is one. */
  expiresAt: z.string().optional(),
});
