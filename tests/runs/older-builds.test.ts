import type { LoggedEvent } from '@croft/event-log';
import type { DurableRunEvent, Runs } from '@croft/runs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../store/test-database.ts';
import { effectsFile, openTestRuns } from './open-test-runs.ts';

const DUMP = readFileSync(join(import.meta.dirname, 'older/paused-run.sql'), 'utf8');
const [, id = ''] = /INSERT INTO croft_runs\.run VALUES \('([^']+)'/.exec(DUMP) ?? [];
const userId = 'ada';
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let effects: ReturnType<typeof effectsFile>;
let runs: Runs;

beforeAll(async () => {
  database = await openTestDatabase();
  effects = effectsFile();
  await database.database.pool.query(DUMP);
  runs = await openTestRuns(database.database.connection(), effects.path);
});

afterAll(async () => {
  await runs?.close();
  effects.remove();
  await database.close();
});

it('shows and continues a run that an older build paused for approval, and repeats no completed effect', async () => {
  const waiting = await runs.get(id, userId);
  expect(waiting).toMatchObject({ status: 'waiting', attempt: 1, failure: null, metrics: null });
  expect(waiting.questions).toMatchObject([{ node: 'q', text: 'Send it?', options: ['approve', 'reject'] }]);
  const before = (await runs.timeline(id, userId)).entries.map(({ node, status }) => `${node} ${status}`);
  expect(before).toEqual(['a finished', 'b finished', 'q running']);

  await runs.answer(id, userId, `${id}/q/`, { choice: 'approve', comment: '', by: 'bob' });

  const run = await runs.wait(id, userId);
  expect(run).toMatchObject({ status: 'completed', attempt: 2, result: { text: 'a>b>approve by bob>z' } });
  // The older build ran the paid node b.
  expect(effects.lines()).toEqual([`z ${id}/z/`]);
  const events: LoggedEvent[] = [];
  for await (const list of runs.events(id, userId)) events.push(...list);
  expect(events.map((event) => event.id)).toEqual(events.map((_, index) => `${id}.${index + 1}`));
  const kinds = events.map(({ data }) => (JSON.parse(data) as DurableRunEvent).kind);
  expect(kinds.slice(7)).toEqual([
    'run_resumed',
    'node_started',
    'node_finished',
    'node_started',
    'node_finished',
    'run_finished',
  ]);
});
