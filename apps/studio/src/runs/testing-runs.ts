import type { RunSummary } from '../api/runs.ts';

/** A run that has ended, as lists have it. */
export const ENDED_RUN: RunSummary = {
  id: 'r1',
  flowId: 'f1',
  flowName: 'Daily',
  status: 'completed',
  source: 'direct',
  startedBy: 'canvas',
  startedAt: '2026-01-01T00:00:00Z',
  endedAt: '2026-01-01T00:00:02Z',
  metrics: null,
  input: 'Hello',
};
