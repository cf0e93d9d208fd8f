import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { flowId } from './flow-schema.ts';
import { ownerId, time } from './schema.ts';

/** Messages to the assistant with its replies: the memory of conversations, and what pages show of them. */
export const assistantTurn = pgTable(
  'assistant_turn',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    flowId: flowId(),
    sessionId: text('session_id').notNull(),
    /** `running`, and then the name of its last event. */
    status: text('status').notNull(),
    message: text('message').notNull(),
    reply: text('reply').notNull(),
    /** JSON: the events without tokens, bounded and redacted. */
    events: text('events').notNull(),
    /** The restore point from before its first change. */
    restorePointId: text('restore_point_id'),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
  },
  (table) => [
    index('assistant_turn_session_idx').on(table.userId, table.flowId, table.sessionId, table.startedAt),
    index('assistant_turn_flow_id_idx').on(table.flowId),
  ],
);
