import { z } from 'zod';

export const role = z.enum(['admin', 'user']);
export const displayName = z.string().trim().min(1, 'give a name').max(100, 'at most 100 characters');
/** A password to sign in with; a new one has to be longer. */
export const anyPassword = z.string().min(1, 'give the password').max(1_000);
/** The length is the only rule: composition rules make passwords weaker (NIST SP 800-63B). */
export const newPassword = z.string().min(8, 'at least 8 characters').max(128, 'at most 128 characters');

/** Users as they see themselves. */
export const user = z.strictObject({ id: z.string(), name: z.string(), email: z.string(), role });
