import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT_VERSION } from '@croft/flow';
import { eq } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTestDirectory, openTestDatabase } from '../../../../tests/store/test-database.ts';
import { acceptanceOf } from '../flows/approve-flow.ts';
import { listPublishedTools } from '../flows/published-tools.ts';
import { approvedFlowFrom } from '../flow-runs/start-stored-flow.ts';
import { createRunHistory } from '../flow-runs/run-history.ts';
import { openDatabase } from './database.ts';
import { flow, flowLink } from './flow-schema.ts';
import { migrate } from './migrate.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
/** The last one before flows of others ran only at accepted versions. */
const BEFORE = '0013_published_tools';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let database: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  opened = await openTestDatabase();
  await opened.database.pool.query('CREATE DATABASE older');
  const url = `postgresql://croft@localhost/older?host=${encodeURIComponent(String(opened.database.connection().host))}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await migrateTo(client, BEFORE);
  await client.query(ROWS);
  await client.end();
  database = openDatabase({ url });
  await database.ready;
});
afterAll(async () => {
  await database?.close();
  await opened?.close();
});

async function migrateTo(client: pg.Client, last: string): Promise<void> {
  const directory = makeTestDirectory();
  cpSync(MIGRATIONS, directory, { recursive: true });
  const file = join(directory, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { tag: string }[] };
  const end = journal.entries.findIndex(({ tag }) => tag === last);
  expect(end).toBeGreaterThan(0);
  journal.entries = journal.entries.slice(0, end + 1);
  writeFileSync(file, JSON.stringify(journal));
  await migrate(client, directory);
  rmSync(directory, { recursive: true });
}

const DOCUMENT = JSON.stringify({ version: DOCUMENT_VERSION, name: 'Flow', description: '', nodes: [], edges: [] });
const flowRow = (id: string, version: number) =>
  `INSERT INTO flow (id, user_id, name, description, document, version, document_bytes, stored_bytes)
   VALUES ('${id}', 'ada', '${id}', '', '${DOCUMENT}', ${version}, 100, 100);`;
const editRow = (id: string, version: number, by: string) =>
  `INSERT INTO flow_edit (flow_id, version, user_id, kind, edits, inverses, bytes)
   VALUES ('${id}', ${version}, ${by}, 'edit', '[]', '[]', 2);`;
const accept = (id: string, by: string, version: number) =>
  `INSERT INTO flow_approval VALUES ('${id}', '${by}', ${version});`;

/** As an earlier Croft stored them: a flow without an approval was never used by a schedule, webhook or link. */
const ROWS = `
  INSERT INTO "user" (id, name, email) VALUES ('ada', 'Ada', 'ada@example.test'), ('ben', 'Ben', 'ben@example.test');
  ${flowRow('own', 3)} ${editRow('own', 2, "'ada'")} ${editRow('own', 3, "'ada'")}
  ${flowRow('edited', 3)} ${editRow('edited', 2, "'ada'")} ${editRow('edited', 3, "'ben'")}
  ${flowRow('editor gone', 2)} ${editRow('editor gone', 2, 'NULL')}
  ${flowRow('accepted once', 4)} ${accept('accepted once', 'ada', 2)} ${editRow('accepted once', 4, "'ben'")}
  ${flowRow('linked', 2)} ${accept('linked', 'ada', 2)} ${editRow('linked', 2, "'ben'")}
  INSERT INTO flow_share (flow_id, user_id, access)
    SELECT id, 'ben', CASE id WHEN 'own' THEN 'read' ELSE 'edit' END FROM flow;
  INSERT INTO flow_link (id, flow_id) VALUES ('link', 'linked');
  INSERT INTO published_tool (flow_id, user_id, name, description)
    VALUES ('own', 'ada', 'flow_own', 'Own'), ('edited', 'ada', 'flow_edited', 'Edited');
  INSERT INTO flow_run (id, user_id, flow_id, flow_name, status, started_at, ends_before)
    VALUES ('run', 'ada', 'own', 'Own', 'completed', now(), now());
`;

const accepted = async (userId: string, flowId: string) => (await acceptanceOf(database.db, userId, flowId)).accepted;

test('an owner accepts only flows that no other user edited, and users of a shared flow accept nothing', async () => {
  expect(await accepted('ada', 'own')).toBe(3);
  expect(await accepted('ada', 'edited')).toBeNull();
  expect(await accepted('ada', 'editor gone')).toBeNull();
  for (const flow of ['own', 'edited', 'editor gone', 'accepted once', 'linked'])
    expect(await accepted('ben', flow), flow).toBeNull();
});

test('an approval from before stays at its version', async () => {
  expect(await accepted('ada', 'accepted once')).toBe(2);
  expect(await accepted('ada', 'linked')).toBe(2);
});

test('accepted flows run, and the refusal of others says where to accept them', async () => {
  const read = approvedFlowFrom(async () => database.db);
  expect(await read('ada', 'own')).toMatchObject({ version: 3 });
  expect(await read('ada', 'linked')).toMatchObject({ version: 2 });
  for (const flow of ['edited', 'editor gone', 'accepted once'])
    await expect(read('ada', flow), flow).rejects.toThrow('accept this version under Use it');
  expect(await database.db.select().from(flowLink).where(eq(flowLink.id, 'link'))).toMatchObject([
    { flowId: 'linked' },
  ]);
});

test('a flow that another user edited or may have edited is marked', async () => {
  const rows = await database.db.select({ id: flow.id }).from(flow).where(eq(flow.othersEdited, true));
  expect(rows.map(({ id }) => id).toSorted()).toEqual(['accepted once', 'edited', 'editor gone', 'linked']);
});

test('published tools stay, without a shape until it is computed', async () => {
  expect(await listPublishedTools(database.db, 'ada')).toMatchObject([
    { name: 'flow_edited', shape: undefined, isAccepted: false, version: 3 },
    { name: 'flow_own', shape: undefined, isAccepted: true, version: 3 },
  ]);
});

test('runs stay, and their start is not known', async () => {
  const history = createRunHistory(async () => database.db, 1e9);
  expect(await history.find('ada', 'run')).toMatchObject({ status: 'completed', startedBy: null });
});
