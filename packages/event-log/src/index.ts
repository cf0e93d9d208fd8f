// The public surface, listed by hand: an export added here becomes API.
export { createDurableLog, readDurableLog } from './durable.ts';
export type {
  DurableLog,
  DurableLogOptions,
  EventStore,
  LogEntry,
  ReadLogOptions,
  StoredEvents,
} from './durable.ts';
export { createEventLog } from './event-log.ts';
export type { EndReason, EventLog, EventLogOptions, Follower, LoggedEvent } from './event-log.ts';
export { encodeFrame, parseLastEventId } from './sse.ts';
export type { SseFrame } from './sse.ts';
