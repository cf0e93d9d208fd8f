import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { flow, user } from './schema.ts';

/** Millisecond precision, because a Date has no more. */
const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });

/** Messages to the assistant with its replies: the memory of conversations, and what pages show of them. */
export const assistantTurn = pgTable(
  'assistant_turn',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    flowId: text('flow_id')
      .notNull()
      .references(() => flow.id, { onDelete: 'cascade' }),
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
