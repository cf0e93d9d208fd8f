import { emptyFlow } from '@croft/flow';
import { beforeEach, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { acceptanceOf, acceptFlow, approveSeen, isApproved } from './approve-flow.ts';
import { createFlow } from './create-flow.ts';
import { editFlow } from './edit-flow.ts';
import { shareFlow } from './share-flow.ts';

let db: Db;
let flowId: string;
useSharedDatabase((database) => void (db = database.db), ['af-ann', 'af-bob', 'af-cid']);
beforeEach(async () => {
  flowId = (await createFlow(db, 'af-ann', emptyFlow('Shop'))).flow.id;
  await shareFlow(db, { userId: 'af-ann', flowId, email: 'af-bob@example.test', access: 'edit' });
});

const edit = async (userId: string, base: number) =>
  (await editFlow(db, { userId, flowId, base, edits: [{ kind: 'set_details', name: `v${base + 1}` }] })).version;
const acceptance = (userId = 'af-ann') => acceptanceOf(db, userId, flowId);
const seen = (version: number | undefined, via: 'session' | 'key' = 'session') =>
  approveSeen(db, { userId: 'af-ann', via }, flowId, version);
const isAnnsOwn = (version: number) => isApproved(db, 'af-ann', { id: flowId, version });

it('keeps the approval of a user through their own edits, and not through those of others', async () => {
  expect(await acceptance()).toEqual({ version: 1, accepted: 1, changedBy: null });
  await edit('af-ann', 1);
  expect([await acceptance(), await isAnnsOwn(2)]).toEqual([{ version: 2, accepted: 2, changedBy: null }, true]);
  await edit('af-bob', 2);
  expect([await acceptance(), await isAnnsOwn(3)]).toEqual([{ version: 3, accepted: 2, changedBy: 'af-bob' }, false]);
  await edit('af-ann', 3);
  expect([await acceptance(), await isAnnsOwn(4)]).toEqual([{ version: 4, accepted: 2, changedBy: 'af-bob' }, false]);
});

it('accepts nothing for a user who has only been given the flow', async () => {
  expect(await acceptance('af-bob')).toEqual({ version: 1, accepted: null, changedBy: null });
  expect(await isApproved(db, 'af-bob', { id: flowId, version: 1 })).toBe(false);
  await expect(acceptance('af-cid')).rejects.toMatchObject({ code: 'not_found' });
  await expect(acceptFlow(db, 'af-cid', flowId, 1)).rejects.toMatchObject({ code: 'not_found' });
});

it('accepts only the version that the user has seen', async () => {
  await edit('af-bob', 1);
  await expect(acceptFlow(db, 'af-ann', flowId, 1)).rejects.toMatchObject({ status: 409, code: 'changed' });
  expect(await acceptFlow(db, 'af-ann', flowId, 2)).toEqual({ version: 2, accepted: 2, changedBy: 'af-bob' });
  expect([await isAnnsOwn(2), await isAnnsOwn(1)]).toEqual([true, false]);
  expect(await acceptFlow(db, 'af-bob', flowId, 2)).toMatchObject({ accepted: 2, changedBy: null });
});

it('accepts nothing for an API key, or without a version', async () => {
  await edit('af-bob', 1);
  await seen(2, 'key');
  await seen(undefined);
  expect(await isAnnsOwn(2)).toBe(false);
  await expect(seen(1)).rejects.toMatchObject({ code: 'changed' });
  await seen(2);
  expect(await isAnnsOwn(2)).toBe(true);
  await seen(1);
});
