import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/** Millisecond precision, because a Date has no more. */
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
/** Columns that several tables have. */
export const createdAt = () => time('created_at').notNull().defaultNow();
export const updatedAt = () => time('updated_at').notNull().defaultNow();

/**
 * People. This table and the three after it belong to better-auth and its admin plugin, which write most of their rows:
 * the names of the properties are theirs. `role` is `admin` or `user`, and `banned` is what the pages call disabled.
 */
export const user = pgTable('user', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text('image'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  role: text('role').notNull().default('user'),
  banned: boolean('banned').notNull().default(false),
  banReason: text('ban_reason'),
  banExpires: time('ban_expires'),
});

/** The user of a row; deleting the user deletes the row. */
export const ownerId = () =>
  text('user_id')
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' });

/** Signed-in browsers. better-auth's. */
export const session = pgTable(
  'session',
  {
    id: text('id').primaryKey(),
    expiresAt: time('expires_at').notNull(),
    token: text('token').notNull().unique(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    userId: ownerId(),
    impersonatedBy: text('impersonated_by'),
  },
  (table) => [index('session_user_id_idx').on(table.userId)],
);

/** Ways to sign in; the password's hash is here. better-auth's. */
export const account = pgTable(
  'account',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: ownerId(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: time('access_token_expires_at'),
    refreshTokenExpiresAt: time('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('account_user_id_idx').on(table.userId)],
);

/** Proofs that wait to be used. better-auth's. */
export const verification = pgTable(
  'verification',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: time('expires_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('verification_identifier_idx').on(table.identifier)],
);

/** Keys for MCP and REST: the SHA-256 of the secret, never the secret. A revoked row remains, but the key does not work. */
export const apiKey = pgTable(
  'api_key',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    name: text('name').notNull(),
    /** The first characters of the secret, for people to tell their keys apart. */
    prefix: text('prefix').notNull(),
    keyHash: text('key_hash').notNull().unique(),
    createdAt: createdAt(),
    lastUsedAt: time('last_used_at'),
    revokedAt: time('revoked_at'),
  },
  (table) => [index('api_key_user_id_idx').on(table.userId)],
);

/** The token with which a daemon may pair: the newest of each user, until it is used. */
export const gatewayPairing = pgTable('gateway_pairing', {
  userId: ownerId().primaryKey(),
  tokenHash: text('token_hash').notNull().unique(),
  expiresAt: time('expires_at').notNull(),
});

/** The one machine of each user. A new pairing replaces the old one and invalidates its key. */
export const gatewaySession = pgTable('gateway_session', {
  userId: ownerId().primaryKey(),
  keyHash: text('key_hash').notNull().unique(),
  createdAt: time('created_at').notNull(),
  lastSeenAt: time('last_seen_at').notNull(),
  host: text('host'),
  directory: text('directory'),
});

/** Whether the user's agents may use the connected machine. No row: they may. */
export const gatewayToggle = pgTable('gateway_toggle', {
  userId: ownerId().primaryKey(),
  enabled: boolean('enabled').notNull(),
});

/**
 * Sign-in attempts, by a hash of the counted subject: an address, an account, both, or a browser. Stored in the database, so that
 * limits survive a restart and servers on one database count together.
 */
export const signInCount = pgTable('sign_in_count', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  /** Time of the next allowed attempt. */
  freeAt: time('free_at').notNull(),
  /** The row is ignored after this time. */
  expiresAt: time('expires_at').notNull(),
});

/** One row. Counts the changes that other processes must apply; see `changes.ts`. */
export const changeRevision = pgTable('change_revision', {
  id: integer('id').primaryKey(),
  value: bigint('value', { mode: 'number' }).notNull(),
});

/** Variables and provider keys of users. The value is encrypted for user, name and hosts; see `variables.ts`. */
export const variable = pgTable(
  'variable',
  {
    userId: ownerId(),
    name: text('name').notNull(),
    kind: text('kind').notNull(),
    hosts: jsonb('hosts').$type<string[]>().notNull(),
    sealed: text('sealed').notNull(),
    /** Of the key that encrypted the value. */
    keyId: text('key_id').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name] })],
);

/** When each user last sent a request; see `user-activity.ts`. */
export const userActivity = pgTable('user_activity', {
  userId: ownerId().primaryKey(),
  at: time('at').notNull(),
});

/** The latest events of the audit log; see `audit-log.ts`. Those of a removed user stay. */
export const auditEvent = pgTable(
  'audit_event',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: time('at').notNull(),
    action: text('action').notNull(),
    outcome: text('outcome').notNull(),
    /** Null: the caller was not signed in. */
    userId: text('user_id'),
    via: text('via'),
    address: text('address'),
    /** The first ids or paths. */
    targets: text('targets').array().notNull(),
    targetCount: integer('target_count').notNull(),
    changes: text('changes').array().notNull(),
  },
  (table) => [
    index('audit_event_at_idx').on(table.at),
    index('audit_event_user_id_idx').on(table.userId, table.id),
    index('audit_event_action_idx').on(table.action, table.id),
  ],
);

/** Settings of the whole server from its pages. Each reader validates its own value. */
export const setting = pgTable('setting', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: updatedAt(),
});
