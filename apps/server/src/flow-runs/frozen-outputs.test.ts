import { emptyFlow, type FlowDocument } from '@croft/flow';
import { createSealer } from '@croft/runs/sealer';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../../../tests/store/test-database.ts';
import { deleteFlow } from '../flows/deleted-flows.ts';
import { flow as flowTable, frozenOutput } from '../store/flow-schema.ts';
import { user } from '../store/schema.ts';
import { createFrozenOutputs, dropUnusedOutputs, textOf } from './frozen-outputs.ts';

const FLOWS = ['1', '2', '3', 'f', 'g'];
let opened: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  opened = await openTestDatabase();
  const { db } = opened.database;
  await db.insert(user).values(['ada', 'bo'].map((id) => ({ id, name: id, email: `${id}@example.test` })));
  const rest = { name: 'Flow', description: '', document: '{}', version: 1, documentBytes: 2, storedBytes: 2 };
  await db.insert(flowTable).values(FLOWS.map((id) => ({ ...rest, id, userId: 'ada' })));
});
afterAll(() => opened.close());
beforeEach(async () => void (await opened.database.db.delete(frozenOutput)));

const warnings: unknown[] = [];
const log = { warn: (...line: unknown[]) => void warnings.push(line.at(-1)) };
const sealerOf = (id: string) => createSealer([{ id, key: Buffer.alloc(32, id) }]);
/** A new object each time, as after a restart. */
const open = (limits = {}, sealer = sealerOf('k1')) =>
  createFrozenOutputs({
    storage: async () => opened.database.db,
    sealer,
    limits: { count: 100, characters: 1_000, ...limits },
    log,
  });
const node = (id: string, frozen: boolean) => ({
  id,
  type: 'TextInput',
  position: { x: 0, y: 0 },
  values: {},
  ...(frozen && { run: { frozen } }),
});
const flowWith = (...nodes: readonly ReturnType<typeof node>[]): FlowDocument => ({ ...emptyFlow(), nodes });
const of = (ids: Partial<{ userId: string; flowId: string }> = {}, flow = flowWith(node('a', true))) => ({
  userId: 'ada',
  flowId: 'f',
  flow,
  ...ids,
});
async function keep(run: ReturnType<typeof of>, hash: string, outputs: object, frozen = open()): Promise<void> {
  const own = frozen.of(run);
  void own?.keep('a', hash, outputs as Record<string, unknown>);
  await own?.stored();
}
const find = async (run: ReturnType<typeof of>, hash: string, frozen = open()) => frozen.of(run)?.find('a', hash);

it('stores outputs of frozen components only, for one user, flow and set of inputs', async () => {
  expect(open().of(of({}, flowWith(node('a', false))))).toBeUndefined();
  const own = open().of(of({}, flowWith(node('a', true), node('b', false))));
  expect([own?.keeps?.('a'), own?.keeps?.('b')]).toEqual([true, false]);
  void own?.keep('a', 'hash', { out: { text: 'kept' } });
  expect(await own?.find('a', 'hash')).toEqual({ out: { text: 'kept' } });
  await own?.stored();
  expect(await find(of(), 'hash')).toEqual({ out: { text: 'kept' } });
  expect(await find(of(), 'other')).toBeUndefined();
  expect(await find(of({ userId: 'bo' }), 'hash')).toBeUndefined();
  expect(await find(of({ flowId: 'g' }), 'hash')).toBeUndefined();
});

it('stores the last outputs where a loop keeps many', async () => {
  const own = open().of(of());
  for (let row = 0; row < 500; row++) void own?.keep('a', `h${row}`, { out: row });
  await own?.stored();
  expect(await find(of(), 'h499')).toEqual({ out: 499 });
  expect(await find(of(), 'h498')).toBeUndefined();
});

it('stores no plain text, and gives nothing for a row that was moved or whose key is lost', async () => {
  await keep(of(), 'hash', { out: 'canary' });
  const { db } = opened.database;
  expect(JSON.stringify(await db.select().from(frozenOutput))).not.toContain('canary');
  expect(await find(of(), 'hash', open({}, sealerOf('k2')))).toBeUndefined();
  expect(warnings).toHaveLength(1);
  await db.update(frozenOutput).set({ flowId: 'g' });
  expect(await find(of({ flowId: 'g' }), 'hash')).toBeUndefined();
  await db.update(frozenOutput).set({ flowId: 'f', hash: 'other' });
  expect(await find(of(), 'other')).toBeUndefined();
});

it('does not keep what JSON cannot hold or what is too large, and forgets what was kept before', async () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const outputs of [{ tools: [() => 1] }, circle, { out: 'x'.repeat(1_000) }]) {
    await keep(of(), 'hash', { out: 1 });
    await keep(of(), 'hash', outputs);
    expect(await find(of(), 'hash')).toBeUndefined();
  }
});

it('makes room by what the same user used least recently', async () => {
  const keepIn = async (userId: string, flowId: string, limits: object) => {
    await keep(of({ userId, flowId }), 'h', { out: '0123456' }, open(limits));
    await opened.database.db.execute(sql`UPDATE frozen_output SET used_at = used_at - interval '1 hour'`);
  };
  const has = async (userId: string, flowId: string) => (await find(of({ userId, flowId }), 'h')) !== undefined;
  for (const limits of [{ characters: 40 }, { count: 2 }]) {
    await opened.database.db.delete(frozenOutput);
    await keepIn('bo', 'f', limits);
    await keepIn('ada', '1', limits);
    await keepIn('ada', '2', limits);
    expect(await has('ada', '1')).toBe(true);
    await keepIn('ada', '3', limits);
    expect([await has('ada', '1'), await has('ada', '2'), await has('ada', '3')]).toEqual([true, false, true]);
    expect(await has('bo', 'f')).toBe(true);
  }
});

it('goes with its flow, also while that could be restored, and after the retention', async () => {
  const { db } = opened.database;
  for (const flowId of ['1', '2', '3']) await keep(of({ flowId }), 'h', { out: 1 });
  await deleteFlow(db, 'ada', '1');
  await keep(of({ flowId: '1' }), 'h', { out: 1 });
  await keep(of({ flowId: 'not stored' }), 'h', { out: 1 });
  const flows = async () => (await db.select().from(frozenOutput)).map(({ flowId }) => flowId).sort();
  expect(await flows()).toEqual(['2', '3']);
  await db.delete(flowTable).where(eq(flowTable.id, '2'));
  expect(await flows()).toEqual(['3']);
  await dropUnusedOutputs(db, new Date(Date.now() - 60_000));
  expect(await flows()).toEqual(['3']);
  await dropUnusedOutputs(db, new Date(Date.now() + 60_000));
  expect(await flows()).toEqual([]);
});

it('gives the text of what JSON keeps, and of nothing else', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  expect([textOf({ a: [1, null] }), textOf({ a: () => 1 }), textOf(circle)]).toEqual([
    '{"a":[1,null]}',
    undefined,
    undefined,
  ]);
});

it('keeps outputs that have exactly as many characters as a user may have', async () => {
  // `{"out":1}` has nine characters.
  await keep(of(), 'h', { out: 1 }, open({ characters: 9 }));
  expect(await find(of(), 'h')).toEqual({ out: 1 });
  const [row] = await opened.database.db.select().from(frozenOutput);
  expect(row).toMatchObject({ userId: 'ada', flowId: 'f', node: 'a', hash: 'h', characters: 9 });
  await keep(of(), 'h', { out: 10 }, open({ characters: 9 }));
  expect(await opened.database.db.select().from(frozenOutput)).toEqual([]);
});

it('keeps the newer outputs with their hash, and asks the database once in a run', async () => {
  await keep(of(), 'h1', { out: 1 });
  await keep(of(), 'h2', { out: 22 });
  const rows = await opened.database.db.select().from(frozenOutput);
  expect(rows.map(({ hash, characters }) => [hash, characters])).toEqual([['h2', 10]]);
  let asked = 0;
  const counting = createFrozenOutputs({
    storage: async () => (asked++, opened.database.db),
    sealer: sealerOf('k1'),
    limits: { count: 1, characters: 100 },
    log,
  }).of(of());
  expect([await counting?.find('a', 'h1'), await counting?.find('a', 'h2'), asked]).toEqual([
    undefined,
    { out: 22 },
    1,
  ]);
  const none = createFrozenOutputs({
    storage: async () => (asked++, opened.database.db),
    sealer: sealerOf('k1'),
    limits: { count: 1, characters: 100 },
    log,
  }).of(of({ flowId: 'g' }));
  expect([await none?.find('a', 'h'), await none?.find('a', 'h'), asked]).toEqual([undefined, undefined, 2]);
});

it('runs on where the database fails, and says so without outputs', async () => {
  const lines: unknown[] = [];
  const own = createFrozenOutputs({
    storage: () => Promise.reject(Object.assign(new Error('canary'), { code: 'ECONNREFUSED' })),
    sealer: sealerOf('k1'),
    limits: { count: 1, characters: 100 },
    log: { warn: (...line: unknown[]) => void lines.push(line) },
  }).of(of());
  expect(await own?.find('a', 'h')).toBeUndefined();
  void own?.keep('a', 'h', { out: 'canary' });
  await own?.stored();
  const line = [{ code: 'ECONNREFUSED' }, 'an output of a frozen component was not stored or read'];
  expect(lines).toEqual([line, line]);
  expect(await own?.find('a', 'h')).toEqual({ out: 'canary' });
});
