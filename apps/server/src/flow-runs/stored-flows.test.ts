import { emptyFlow } from '@croft/flow';
import { TEMPLATES } from '@croft/components';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlowComponents } from '../components/flow-components.ts';
import { acceptFlow } from '../flows/approve-flow.ts';
import { createFlow } from '../flows/create-flow.ts';
import { shareFlow } from '../flows/share-flow.ts';
import type { Db } from '../store/database.ts';
import { flow } from '../store/flow-schema.ts';
import { storedFlows } from './stored-flows.ts';

let db: Db;
useSharedDatabase((database) => void (db = database.db), ['sd-ann', 'sd-bob']);
beforeEach(async () => {
  for (const userId of ['sd-ann', 'sd-bob']) await db.delete(flow).where(eq(flow.userId, userId));
});

const components = createFlowComponents({ list: async () => ({ components: [], skipped: [] }) });
const flows = (userId = 'sd-ann') => storedFlows(async () => db, userId, components);
const make = async (name: string, userId = 'sd-ann') => (await createFlow(db, userId, emptyFlow(name))).flow.id;

it('finds an own flow by its id or its name', async () => {
  const id = await make('Shop');
  for (const wanted of [id, 'Shop']) expect(await flows().find(wanted)).toMatchObject({ id, flow: { name: 'Shop' } });
  expect(await flows('sd-bob').find(id)).toBeUndefined();
  expect(await flows('sd-bob').find('Shop')).toBeUndefined();
});

it('finds a template by its name, and an own flow of that name before it', async () => {
  const [template] = TEMPLATES;
  const name = template?.name ?? '';
  expect((await flows().find(name))?.flow.nodes.length).toBeGreaterThan(0);
  const id = await make(name);
  expect(await flows().find(name)).toMatchObject({ id });
  expect(await flows().find('no such flow')).toBeUndefined();
});

it('does not choose between flows of one name', async () => {
  await make('Twice');
  await make('Twice');
  await expect(flows().find('Twice')).rejects.toMatchObject({
    name: 'ComponentError',
    message: "Several of your flows are called 'Twice'.",
  });
});

it('runs a version of another user only after the user accepted it', async () => {
  const id = await make('Shared', 'sd-bob');
  await shareFlow(db, { userId: 'sd-bob', flowId: id, email: 'sd-ann@example.test', access: 'read' });
  await expect(flows().find(id)).rejects.toThrow('has version 1, which you have not accepted');
  expect(await flows().find('Shared')).toBeUndefined();
  await acceptFlow(db, 'sd-ann', id, 1);
  expect(await flows().find(id)).toMatchObject({ id });
});

it('finds no deleted flow, and says where one cannot be read', async () => {
  const id = await make('Gone');
  await db
    .update(flow)
    .set({ document: JSON.stringify({ ...emptyFlow(), version: 99 }) })
    .where(eq(flow.id, id));
  await expect(flows().find(id)).rejects.toThrow(`The flow '${id}' cannot be read`);
  await db.update(flow).set({ deletedAt: new Date() }).where(eq(flow.id, id));
  expect([await flows().find(id), await flows().find('Gone'), await flows().names()]).toEqual([
    undefined,
    undefined,
    [],
  ]);
});

it('names the flows of the user that changed last', async () => {
  for (let count = 0; count < 22; count++) {
    const id = await make(`n${count}`);
    await db
      .update(flow)
      .set({ updatedAt: new Date(count * 1_000) })
      .where(eq(flow.id, id));
  }
  await make('of Bob', 'sd-bob');
  const names = await flows().names();
  expect([names.length, names[0], names.at(-1)]).toEqual([20, 'n21', 'n2']);
});
