import type { RunStatus, RunSummary } from '../api/runs.ts';
import type { BadgeTone } from '../ui/badge.tsx';

/** How pages name the states of runs, in the order of a filter. */
export const STATUS_WORDS: Readonly<Record<RunStatus, { readonly word: string; readonly tone: BadgeTone }>> = {
  waiting: { word: 'Waits for you', tone: 'warn' },
  needs_attention: { word: 'Needs attention', tone: 'warn' },
  queued: { word: 'Queued', tone: 'neutral' },
  running: { word: 'Running', tone: 'good' },
  completed: { word: 'Done', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  timed_out: { word: 'Timed out', tone: 'bad' },
  cancelled: { word: 'Stopped', tone: 'neutral' },
  interrupted: { word: 'Interrupted', tone: 'warn' },
};

/** How pages name the origins of runs. */
export const SOURCE_WORDS: Readonly<Record<RunSummary['source'], string>> = {
  direct: 'Run at once',
  api: 'Queued',
  webhook: 'By a webhook',
  schedule: 'By a schedule',
};

/** A state from an address; undefined for other texts. */
export const readStatus = (text: string | null): RunStatus | undefined =>
  text !== null && Object.hasOwn(STATUS_WORDS, text) ? (text as RunStatus) : undefined;
