import type { Metrics } from '@croft/flow';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, ownerId, time, updatedAt, user } from './schema.ts';

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
    /** One of `STARTED_BY`. Null: the run is older than this column. */
    startedBy: text('started_by'),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
    /** A run without an end after this time was interrupted. */
    endsBefore: time('ends_before').notNull(),
    metrics: jsonb('metrics').$type<Metrics>(),
    /** One short line without secrets. Null: the run is older than this column. */
    input: text('input'),
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
    /** Whether a user other than the owner ever changed it: its history may then hold what the owner has not accepted. */
    othersEdited: boolean('others_edited').notNull().default(false),
    /** Words by which its users find it, in their order. */
    tags: text('tags').array().notNull().default(sql`'{}'::text[]`),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** A deleted flow is kept for a while, so that its owner can restore it. Only `deleted-flows.ts` reads it. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    index('flow_user_id_updated_at_idx').on(table.userId, table.updatedAt, table.id),
    index('flow_deleted_at_idx').on(table.deletedAt).where(sql`${table.deletedAt} IS NOT NULL`),
  ],
);

/** The flow of a row; deleting the flow deletes the row. */
export const flowId = () =>
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

/** The version of a flow that a user accepts for sub-flows, schedules, webhooks and public links; see `approve-flow.ts`. */
export const flowApproval = pgTable(
  'flow_approval',
  {
    flowId: flowId(),
    userId: ownerId(),
    version: integer('version').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.flowId, table.userId] }),
    index('flow_approval_user_id_idx').on(table.userId),
  ],
);

/** Addresses at which anyone may chat with a flow. */
export const flowLink = pgTable('flow_link', {
  /** The end of the address: 128 random bits. */
  id: text('id').primaryKey(),
  flowId: flowId().unique(),
  createdAt: createdAt(),
});

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
    index('flow_edit_user_id_idx').on(table.userId),
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
  (table) => [
    index('flow_restore_point_flow_id_idx').on(table.flowId),
    index('flow_restore_point_user_id_idx').on(table.userId),
  ],
);

/** Flows that their owners offer to agents as tools of their own. */
export const publishedTool = pgTable(
  'published_tool',
  {
    flowId: flowId().primaryKey(),
    userId: ownerId(),
    name: text('name').notNull(),
    /** As the owner wrote it: users who may edit the flow do not change it. */
    description: text('description').notNull(),
    /** JSON of title and arguments, so that a list reads no documents; null until it is computed. */
    shape: text('shape'),
    /** The version of the flow that `shape` is of. */
    shapeVersion: integer('shape_version'),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('published_tool_user_id_name_idx').on(table.userId, table.name)],
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

/** The last outputs of frozen components, encrypted; see `frozen-outputs.ts`. */
export const frozenOutput = pgTable(
  'frozen_output',
  {
    /** The user who ran the flow. */
    userId: ownerId(),
    flowId: flowId(),
    node: text('node').notNull(),
    /** Of the inputs, type and code of the component. */
    hash: text('hash').notNull(),
    sealed: text('sealed').notNull(),
    /** Before the encryption. */
    characters: integer('characters').notNull(),
    usedAt: time('used_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.flowId, table.node] }),
    index('frozen_output_flow_id_idx').on(table.flowId),
    index('frozen_output_used_at_idx').on(table.usedAt),
  ],
);

/** Commands that flows of administrators may start as MCP servers, beside those of `CROFT_FLOW_COMMANDS`. */
export const flowCommand = pgTable(
  'flow_command',
  {
    id: text('id').primaryKey(),
    line: text('line').notNull(),
    /** The real path of the program when an administrator confirmed it. */
    file: text('file').notNull(),
    args: text('args').array().notNull(),
    addedBy: text('added_by').references(() => user.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('flow_command_file_args_idx').on(table.file, table.args)],
);
