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

const START_WORDS: Readonly<Record<NonNullable<RunSummary['startedBy']>, string>> = {
  canvas: 'On the canvas',
  playground: 'In the Playground',
  page: 'In the browser',
  assistant: 'By the assistant',
  key: 'With an API key',
  link: 'By a visitor of the public link',
  webhook: 'By a webhook',
  schedule: 'By a schedule',
  mcp: 'By an MCP client',
  openai: 'By an OpenAI client',
};

/** How pages name the start of a run. Of older runs only the way that they ran is known. */
export function startWords({ source, startedBy }: Pick<RunSummary, 'source' | 'startedBy'>): string {
  if (startedBy === null) return source === 'direct' ? 'Run at once' : 'Queued';
  return source === 'api' ? `${START_WORDS[startedBy]}, queued` : START_WORDS[startedBy];
}

/** A state from an address; undefined for other texts. */
export const readStatus = (text: string | null): RunStatus | undefined =>
  text !== null && Object.hasOwn(STATUS_WORDS, text) ? (text as RunStatus) : undefined;
