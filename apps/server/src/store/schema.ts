import type { Metrics } from '@croft/flow';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

/** Millisecond precision, because a Date has no more. */
const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
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

/** Runs of flows. A row stays when its flow is deleted, until retention removes it. */
export const flowRun = pgTable(
  'flow_run',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    flowId: text('flow_id').notNull(),
    /** At the start of the run. */
    flowName: text('flow_name').notNull(),
    status: text('status').notNull(),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
    /** A run without an end after this time was interrupted. */
    endsBefore: time('ends_before').notNull(),
    metrics: jsonb('metrics').$type<Metrics>(),
    /** JSON: text, failure and timeline, bounded and redacted. */
    details: text('details'),
  },
  (table) => [
    index('flow_run_user_id_started_at_idx').on(table.userId, table.startedAt, table.id),
    index('flow_run_user_id_flow_id_started_at_idx').on(table.userId, table.flowId, table.startedAt, table.id),
    // For the retention. One on `startedAt` could attract the planner of the lists.
    index('flow_run_ends_before_idx').on(table.endsBefore),
  ],
);

/** Settings of the whole server from its pages. Each reader validates its own value. */
export const setting = pgTable('setting', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: updatedAt(),
});

/**
 * Flows. `document` is JSON as text, because `jsonb` reorders keys, rounds numbers and refuses NUL in strings. `name` and
 * `description` repeat those of the document, so that a list reads no documents.
 */
export const flow = pgTable(
  'flow',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    document: text('document').notNull(),
    /** 1 at creation. Each edit adds 1. */
    version: integer('version').notNull(),
    documentBytes: integer('document_bytes').notNull(),
    /** Size of the stored edits. */
    editBytes: bigint('edit_bytes', { mode: 'number' }).notNull().default(0),
    /** Size of the document, the edits and the restore points: what counts for the owner. */
    storedBytes: bigint('stored_bytes', { mode: 'number' }).notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('flow_user_id_updated_at_idx').on(table.userId, table.updatedAt, table.id)],
);

/** The flow of a row; deleting the flow deletes the row. */
const flowId = () =>
  text('flow_id')
    .notNull()
    .references(() => flow.id, { onDelete: 'cascade' });

/** Addresses at which other systems start runs of a flow. The secret is encrypted; see `webhooks.ts`. */
export const webhook = pgTable(
  'webhook',
  {
    /** The end of the address: 128 random bits. */
    id: text('id').primaryKey(),
    userId: ownerId(),
    flowId: flowId(),
    name: text('name').notNull(),
    isOn: boolean('is_on').notNull(),
    sealed: text('sealed').notNull(),
    /** Of the key that encrypted the secret. */
    keyId: text('key_id').notNull(),
    /** Of the last delivery: when it came, and the run that it started or why it started none. */
    lastAt: time('last_at'),
    lastRun: text('last_run'),
    failure: text('failure'),
    createdAt: createdAt(),
  },
  (table) => [index('webhook_user_id_idx').on(table.userId), index('webhook_flow_id_idx').on(table.flowId)],
);

/** Users who wait for the next request to a webhook, and that request. It is encrypted. */
export const webhookListener = pgTable('webhook_listener', {
  webhookId: text('webhook_id')
    .primaryKey()
    .references(() => webhook.id, { onDelete: 'cascade' }),
  expiresAt: time('expires_at').notNull(),
  captured: text('captured'),
});

/** The latest edits of each flow, in their order. */
export const flowEdit = pgTable(
  'flow_edit',
  {
    flowId: flowId(),
    /** The version of the flow after this entry. */
    version: integer('version').notNull(),
    /** Null after the author was removed. */
    userId: text('user_id').references(() => user.id, { onDelete: 'set null' }),
    kind: text('kind').notNull(),
    /** JSON: a list of edits, and for each edit the one that reverts it. */
    edits: text('edits').notNull(),
    inverses: text('inverses').notNull(),
    bytes: integer('bytes').notNull(),
    /** The version of the entry that this undo or redo reverts. */
    reverts: integer('reverts'),
    /** The version of the entry that reverts this one. */
    revertedBy: integer('reverted_by'),
    /** Chosen by the client, so that a repeated request is not applied twice. */
    requestKey: text('request_key'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.flowId, table.version] }),
    uniqueIndex('flow_edit_request_key_idx').on(table.flowId, table.userId, table.requestKey),
  ],
);

/** Documents that people kept to come back to. */
export const flowRestorePoint = pgTable(
  'flow_restore_point',
  {
    id: text('id').primaryKey(),
    flowId: flowId(),
    userId: text('user_id').references(() => user.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    /** The version of the flow that was kept. */
    version: integer('version').notNull(),
    document: text('document').notNull(),
    bytes: integer('bytes').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('flow_restore_point_flow_id_idx').on(table.flowId)],
);

/** Users who may read or edit a flow of another user. */
export const flowShare = pgTable(
  'flow_share',
  {
    flowId: flowId(),
    userId: ownerId(),
    access: text('access').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.flowId, table.userId] }), index('flow_share_user_id_idx').on(table.userId)],
);

/** Conversations of users with flows. The id comes from the client; the counts bound what a session keeps. */
export const chatSession = pgTable(
  'chat_session',
  {
    userId: ownerId(),
    flowId: flowId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    messages: integer('messages').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    /** Of the latest message. */
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.flowId, table.id] }),
    index('chat_session_user_id_flow_id_updated_at_idx').on(table.userId, table.flowId, table.updatedAt, table.id),
    // For deletions of flows.
    index('chat_session_flow_id_idx').on(table.flowId),
  ],
);

/** Messages of sessions, in the order of `position`. */
export const chatMessage = pgTable(
  'chat_message',
  {
    /** The same when an interrupted run stores the message again. */
    id: text('id').primaryKey(),
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    userId: text('user_id').notNull(),
    flowId: text('flow_id').notNull(),
    sessionId: text('session_id').notNull(),
    /** The run that stored it. Runs have a shorter life than messages. */
    runId: text('run_id').notNull(),
    /** Stored because the run had a session, and by no component. The run itself does not read it. */
    isOfRun: boolean('is_of_run').notNull(),
    sender: text('sender').notNull(),
    senderName: text('sender_name').notNull(),
    text: text('text').notNull(),
    isCut: boolean('is_cut').notNull(),
    bytes: integer('bytes').notNull(),
    /** Of the run, with its answer. */
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    createdAt: createdAt(),
  },
  (table) => [
    foreignKey({
      name: 'chat_message_session_fk',
      columns: [table.userId, table.flowId, table.sessionId],
      foreignColumns: [chatSession.userId, chatSession.flowId, chatSession.id],
    }).onDelete('cascade'),
    index('chat_message_session_idx').on(table.userId, table.flowId, table.sessionId, table.position),
  ],
);
