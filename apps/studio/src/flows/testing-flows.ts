import type { FlowSummary } from '../api/flows.ts';

/** A flow of the user without triggers, as lists have it. */
export const flowOf = (id: string, name: string): FlowSummary => ({
  id,
  name,
  description: '',
  access: 'owner',
  ownerName: 'Ada',
  tags: [],
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  triggers: { nextAt: null, schedules: 0, webhooks: 0, hasLink: false, failure: null },
  version: 1,
});
