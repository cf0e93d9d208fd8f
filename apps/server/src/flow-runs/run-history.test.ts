import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../../../tests/store/test-database.ts';
import { user } from '../store/schema.ts';
import { createRunHistory, type RunHistory } from './run-history.ts';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let history: RunHistory;
beforeAll(async () => {
  opened = await openTestDatabase();
  history = createRunHistory(async () => opened.database.db, 1e9);
  for (const id of ['ada', 'ben', 'cleo'])
    await opened.database.db.insert(user).values({ id, name: id, email: `${id}@example.test` });
});
afterAll(() => opened?.close());

const METRICS = { duration_seconds: 1, input_tokens: 2, output_tokens: 3, total_tokens: 5 };
const at = (ms: number) => new Date(Date.now() + ms);
const newRun = (id: string, userId: string, startedAt = at(0)) => ({
  id,
  userId,
  flowId: `flow of ${userId}`,
  flowName: 'A flow',
  startedBy: 'key' as const,
  startedAt,
  input: 'hello',
  endsBefore: new Date(startedAt.getTime() + 60_000),
});

it('keeps the result and the timeline of a run, for its user only', async () => {
  await history.begin(newRun('one', 'ada'));
  expect(await history.find('ada', 'one')).toMatchObject({
    status: 'running',
    input: 'hello',
    text: null,
    endedAt: null,
  });
  const timeline = { entries: [{ node: 'A', path: '', status: 'finished' as const, outputs: 'a\0b' }], isCut: false };
  const failure = { node: 'A', message: 'failed', fix: 'repair it' };
  const ended = { status: 'failed' as const, endedAt: at(10), metrics: METRICS, text: 'a\0b', failure, timeline };
  await history.end('ben', 'one', ended);
  expect(await history.find('ada', 'one')).toMatchObject({ status: 'running' });
  await history.end('ada', 'one', ended);
  expect(await history.find('ada', 'one')).toMatchObject({
    status: 'failed',
    text: 'a\0b',
    failure,
    timeline,
    metrics: METRICS,
  });
  expect(await history.find('ben', 'one')).toBeUndefined();
  expect((await history.list('ben', { limit: 10 })).runs).toEqual([]);
  expect(await history.remove('ben', 'one')).toBe(false);
  expect(await history.remove('ada', 'one')).toBe(true);
});

it('deletes the oldest runs of a user whose runs take too many bytes, also while the user adds runs', async () => {
  const small = createRunHistory(async () => opened.database.db, 40_000);
  const text = () => Array.from({ length: 2_000 }, () => Math.random().toString(36).slice(2, 7)).join('');
  const add = async (id: string, userId: string, ms: number) => {
    await small.begin(newRun(id, userId, at(ms)));
    const timeline = { entries: [], isCut: false };
    const ended = { status: 'completed' as const, endedAt: at(ms), metrics: METRICS, failure: undefined, timeline };
    await small.end(userId, id, { ...ended, text: text() });
  };
  const ids = async (userId: string) => (await small.list(userId, { limit: 100 })).runs.map(({ id }) => id);
  await add('other', 'ben', -5_000);
  for (let run = 0; run < 12; run++) await add(`run ${run}`, 'ada', run - 1_000);
  const kept = await ids('ada');
  expect(kept[0]).toBe('run 11');
  expect(kept.length).toBeGreaterThan(1);
  expect(kept.length).toBeLessThan(8);
  await small.begin(newRun('under way', 'ada', at(-100_000)));
  const tiny = createRunHistory(async () => opened.database.db, 1);
  await tiny.removeLarge();
  expect([await ids('ada'), await ids('ben')]).toEqual([['run 11', 'under way'], ['other']]);
  for (const [userId, id] of [
    ['ada', 'run 11'],
    ['ada', 'under way'],
    ['ben', 'other'],
  ] as const)
    await small.remove(userId, id);
});

it('gives each run with its times, and pages of runs that began together', async () => {
  const startedAt = new Date('2026-05-01T00:00:00.123Z');
  for (const id of ['p1', 'p2', 'p3']) await history.begin(newRun(id, 'cleo', startedAt));
  const run = { ...newRun('p3', 'cleo', startedAt), endedAt: null, metrics: null, status: 'interrupted' };
  const { userId: _, endsBefore: __, ...summary } = run;
  const first = await history.list('cleo', { limit: 2 });
  expect([first.runs.map(({ id }) => id), first.nextCursor]).toEqual([['p3', 'p2'], `${startedAt.getTime()}000_p2`]);
  expect(first.runs[0]).toEqual(summary);
  expect(await history.find('cleo', 'p3')).toEqual({
    ...summary,
    text: null,
    failure: null,
    timeline: { entries: [], isCut: false },
  });
  const second = await history.list('cleo', { limit: 2, cursor: first.nextCursor ?? '' });
  expect([second.runs.map(({ id }) => id), second.nextCursor]).toEqual([['p1'], null]);
  expect((await history.list('cleo', { limit: 3 })).nextCursor).toBeNull();
  for (const cursor of ['', '1', '_x', `${'1'.repeat(19)}_x`, `1_${'x'.repeat(65)}`, '1_x y'])
    await expect(history.list('cleo', { limit: 2, cursor })).rejects.toMatchObject({
      status: 400,
      code: 'invalid',
      message: 'cursor: use `nextCursor` of the page before.',
    });
  expect((await history.kept('cleo', ['p1', 'p3', 'gone'])).sort()).toEqual(['p1', 'p3']);
  expect(await history.kept('ben', ['p1', 'p3'])).toEqual([]);
  for (const id of ['p1', 'p2', 'p3']) expect(await history.remove('cleo', id)).toBe(true);
});

it('looks at the sum of a user once an eighth of the limit was added', async () => {
  const looks: (string | undefined)[] = [];
  const limited = createRunHistory(async () => opened.database.db, 8 * 2_000);
  const { removeLarge } = limited;
  limited.removeLarge = (userId) => {
    looks.push(userId);
    return removeLarge.call(limited, userId);
  };
  const ended = {
    status: 'completed' as const,
    endedAt: at(0),
    metrics: METRICS,
    failure: undefined,
    timeline: { entries: [], isCut: false },
  };
  const empty = JSON.stringify({ text: '', failure: null, timeline: ended.timeline }).length + 500;
  const end = (userId: string, text = '') => limited.end(userId, 'none', { ...ended, text });
  await end('ada', 'x'.repeat(2_000 - empty));
  expect(looks).toEqual([]);
  await end('ben');
  expect(looks).toEqual([]);
  await end('ada');
  expect(looks).toEqual(['ada']);
  // Both begin at zero again.
  await end('ada', 'x'.repeat(2_000 - empty));
  expect(looks).toEqual(['ada']);
  await limited.removeLarge();
  await end('ada', 'x'.repeat(2_000 - empty));
  await end('ben', 'x'.repeat(2_000 - empty));
  expect(looks).toEqual(['ada', undefined]);
  await end('ben', 'x'.repeat(1));
  expect(looks).toEqual(['ada', undefined, 'ben']);
});

it('shows how a run was started, and null where that is missing or unknown', async () => {
  await history.begin(newRun('known', 'cleo', at(-1_000)));
  await history.begin(newRun('older', 'cleo'));
  await history.begin(newRun('newer server', 'cleo', at(1_000)));
  await opened.database.db.execute(sql`UPDATE flow_run SET started_by = NULL WHERE id = 'older'`);
  await opened.database.db.execute(sql`UPDATE flow_run SET started_by = 'fax' WHERE id = 'newer server'`);
  const { runs } = await history.list('cleo', { limit: 10 });
  expect(runs.map(({ startedBy }) => startedBy)).toEqual([null, null, 'key']);
  for (const id of ['known', 'older', 'newer server']) await history.remove('cleo', id);
});

it('shows a run whose server ended as interrupted', async () => {
  await history.begin(newRun('lost', 'ada', at(-120_000)));
  expect((await history.list('ada', { limit: 10 })).runs).toMatchObject([{ id: 'lost', status: 'interrupted' }]);
  await history.begin(newRun('under way', 'ada'));
  const ids = async (status: 'running' | 'interrupted' | 'failed') =>
    (await history.list('ada', { limit: 10, status })).runs.map(({ id }) => id);
  expect([await ids('running'), await ids('interrupted'), await ids('failed')]).toEqual([['under way'], ['lost'], []]);
  // A server without others that starts ends the runs of the process before it.
  await history.endLost(at(-1_000));
  expect(await ids('running')).toEqual(['under way']);
  await history.endLost(at(1_000));
  expect(await ids('running')).toEqual([]);
  expect(await ids('interrupted')).toContain('under way');
  await history.remove('ada', 'under way');
  await history.remove('ada', 'lost');
});

it('pages 100,000 runs through an index, also of one flow, and deletes old ones', async () => {
  const { db } = opened.database;
  // Two of three runs are Ben's; every 100 of them have the same start.
  await db.execute(sql`
    INSERT INTO flow_run (id, user_id, flow_id, flow_name, status, started_at, ends_before)
    SELECT 'r' || n, CASE WHEN n % 3 = 0 THEN 'cleo' ELSE 'ben' END, 'f' || n % 7, 'Flow', 'completed',
      timestamptz '2026-01-01' + (n / 100) * interval '1 s',
      timestamptz '2026-01-01' + (n / 100) * interval '1 s' FROM generate_series(1, 100000) n`);
  await db.execute(sql`ANALYZE flow_run`);
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < 3; page++) {
    const found = await history.list('ben', { limit: 200, cursor });
    for (const { id } of found.runs) seen.add(id);
    cursor = found.nextCursor ?? undefined;
  }
  const newest = await db.execute<{ id: string }>(
    sql`SELECT id FROM flow_run WHERE user_id = 'ben' ORDER BY started_at DESC, id DESC LIMIT 600`,
  );
  expect([...seen]).toEqual(newest.rows.map(({ id }) => id));
  const ofFlow = await history.list('ben', { limit: 50, flowId: 'f3' });
  expect(new Set(ofFlow.runs.map(({ flowId }) => flowId))).toEqual(new Set(['f3']));
  await expect(history.list('ben', { limit: 5, cursor: "x' OR 1" })).rejects.toMatchObject({ code: 'invalid' });

  for (const only of [sql``, sql`AND flow_id = 'f3'`]) {
    const plan = await db.execute(sql`EXPLAIN SELECT id FROM flow_run WHERE user_id = 'ben' ${only}
      AND (started_at, id) < (timestamptz '2026-01-01 00:05:00', 'r1') ORDER BY started_at DESC, id DESC LIMIT 51`);
    const text = JSON.stringify(plan.rows);
    expect(text).toContain('flow_run_user_id');
    expect(text).not.toMatch(/Seq Scan|Sort/);
  }
  expect(await history.removeBefore(new Date('2026-01-01T00:10:00Z'))).toBeGreaterThan(50_000);
  expect(await history.removeBefore(new Date('2026-01-01T00:10:00Z'))).toBe(0);
  expect((await history.list('ben', { limit: 1 })).runs).toHaveLength(1);
});
