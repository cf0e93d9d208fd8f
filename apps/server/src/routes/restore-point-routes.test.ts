import { emptyFlow } from '@croft/flow';
import { beforeEach, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { routeCaller } from '../../../../tests/support/route-caller.ts';
import { createFlow } from '../flows/create-flow.ts';
import { editFlow } from '../flows/edit-flow.ts';
import type { Db } from '../store/database.ts';
import { makeRestorePointRoutes } from './restore-point-routes.ts';

let db: Db;
let sent: string[];
let flow: string;
const userId = 'rr-ann';
useSharedDatabase((database) => void (db = database.db), [userId, 'rr-bob']);
const call = (target: string, json?: object, by = userId) =>
  routeCaller(
    makeRestorePointRoutes({
      storage: async () => db,
      events: { send: (of: string, { event }: { event: string }) => void sent.push(`${of} ${event}`) },
    } as never),
  )(target.replace('FLOW', `/api/v1/flows/${flow}/restore-points`), {
    ...(json && { json }),
    caller: { userId: by, role: 'user', via: 'session' },
  });
const rename = (name: string, base: number) =>
  editFlow(db, { userId, flowId: flow, base, edits: [{ kind: 'set_details', name }] });
const create = async (name = 'Before') => (await call('POST FLOW', { name })).body.restorePoint;

beforeEach(async () => {
  sent = [];
  flow = (await createFlow(db, userId, emptyFlow('First'))).flow.id;
});

describe('the restore points of a flow', () => {
  it('keep its document, and open pages hear of a new one', async () => {
    const point = await create();
    expect(point).toEqual({
      id: point.id,
      name: 'Before',
      version: 1,
      author: userId,
      bytes: expect.any(Number) as number,
      createdAt: new Date(point.createdAt).toISOString(),
    });
    expect(sent).toEqual([`${userId} flows`]);
    await rename('Second', 1);
    const later = await create('Later');
    expect((await call('GET FLOW')).body.restorePoints).toEqual([later, point]);
    const { restorePoint } = (await call(`GET FLOW/${point.id}`)).body;
    expect(restorePoint).toMatchObject({ ...point, document: { name: 'First' } });
  });

  it('give the flow its document back as an edit', async () => {
    const { id } = await create();
    await rename('Second', 1);
    sent = [];
    const { status, body } = await call(`POST FLOW/${id}/restore`, { base: 2 });
    expect([status, body.version, sent]).toEqual([200, 3, [`${userId} flows`]]);
    expect(new Date(body.updatedAt).toISOString()).toBe(body.updatedAt);
    expect(body.edits).toHaveLength(1);
  });

  it('are deleted', async () => {
    const { id } = await create();
    sent = [];
    expect((await call(`DELETE FLOW/${id}`)).body).toEqual({ id });
    expect(sent).toEqual([`${userId} flows`]);
    expect((await call('GET FLOW')).body).toEqual({ restorePoints: [] });
    expect((await call(`GET FLOW/${id}`)).status).toBe(404);
  });

  it('are not for other users', async () => {
    const { id } = await create();
    for (const [target, json] of [
      ['GET FLOW', undefined],
      [`GET FLOW/${id}`, undefined],
      ['POST FLOW', { name: 'x' }],
      [`POST FLOW/${id}/restore`, { base: 1 }],
      [`DELETE FLOW/${id}`, undefined],
    ] as const)
      expect((await call(target, json, 'rr-bob')).status).toBe(404);
  });
});
