import { type Edit, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { openTestDesk } from '../../../../tests/store/open-test-desk.ts';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { editFlow } from '../flows/edit-flow.ts';
import { listRestorePoints } from '../flows/restore-points.ts';
import type { Db } from '../store/database.ts';
import { createOnDesk, editOnDesk, openFlow } from './flow-desk.ts';

let db: Db;
const userId = 'fd-ann';
useSharedDatabase((database) => void (db = database.db), [userId, 'fd-bob']);

const rename = (name: string): Edit[] => [{ kind: 'set_details', name }];
const other = (flowId: string, base: number) =>
  editFlow(db, { userId, flowId, base, edits: [{ kind: 'set_details', description: `v${base}` }] });

it('stores a flow of the caller, notes it, and tells open pages', async () => {
  const { desk, sent } = openTestDesk(db, userId);
  const { id } = await createOnDesk(desk, emptyFlow('Shop'));
  expect([[...desk.made], sent]).toEqual([[id], [`${userId} flows`]]);
  expect(await openFlow(desk, id)).toMatchObject({ id, version: 1, access: 'owner', document: { name: 'Shop' } });
  await expect(openFlow(openTestDesk(db, 'fd-bob').desk, id)).rejects.toMatchObject({ code: 'not_found' });
});

it('changes a flow, and keeps one restore point a call', async () => {
  const { desk } = openTestDesk(db, userId);
  const { id } = await createOnDesk(desk, emptyFlow());
  expect(await editOnDesk(desk, id, { point: 'first' }, () => rename('One'))).toBe(2);
  expect(await editOnDesk(desk, id, { point: 'second' }, () => rename('Two'))).toBe(3);
  expect([...desk.edited]).toEqual([id]);
  expect((await listRestorePoints(db, id)).map(({ name, version }) => [name, version])).toEqual([
    ['Before an MCP client: first', 1],
  ]);
});

it('changes nothing where there is nothing to change', async () => {
  const { desk } = openTestDesk(db, userId);
  const { id } = await createOnDesk(desk, emptyFlow());
  expect(await editOnDesk(desk, id, { point: 'x' }, () => [])).toBe(1);
  expect([await listRestorePoints(db, id), desk.edited.size]).toEqual([[], 0]);
});

it('refuses a change of another revision than the one that the client read', async () => {
  const { desk } = openTestDesk(db, userId);
  const { id } = await createOnDesk(desk, emptyFlow());
  await expect(editOnDesk(desk, id, { revision: 2 }, () => rename('x'))).rejects.toThrow(
    'The flow has revision 1 now, and not 2.',
  );
  const meanwhile = editOnDesk(desk, id, { revision: 1, isWhole: true }, async () => {
    await other(id, 1);
    return rename('x');
  });
  await expect(meanwhile).rejects.toMatchObject({ code: 'changed' });
  expect((await openFlow(desk, id)).document.name).toBe('Untitled flow');
});

it('applies a change on top of what another client changed meanwhile', async () => {
  const { desk } = openTestDesk(db, userId);
  const { id } = await createOnDesk(desk, emptyFlow());
  const version = await editOnDesk(desk, id, {}, async () => {
    await other(id, 1);
    return rename('Mine');
  });
  expect([version, (await openFlow(desk, id)).document]).toMatchObject([3, { name: 'Mine', description: 'v1' }]);
});

it('plans a change again that replaces what it does not name, a bounded number of times', async () => {
  const { desk } = openTestDesk(db, userId);
  const { id } = await createOnDesk(desk, emptyFlow());
  let plans = 0;
  const replace = (changes: number) =>
    editOnDesk(desk, id, { isWhole: true, point: 'all' }, async ({ version }) => {
      if (++plans <= changes) await other(id, version);
      return rename('Whole');
    });
  plans = 0;
  await replace(2);
  expect([plans, (await listRestorePoints(db, id)).length]).toEqual([3, 3]);
  plans = 0;
  await expect(replace(100)).rejects.toMatchObject({ code: 'changed' });
  expect(plans).toBe(10);
});
