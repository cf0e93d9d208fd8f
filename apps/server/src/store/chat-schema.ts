import { bigint, boolean, foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { flowId } from './flow-schema.ts';
import { createdAt, ownerId, updatedAt } from './schema.ts';

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
