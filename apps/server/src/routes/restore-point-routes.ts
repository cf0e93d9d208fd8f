import { restorePointRoutes } from '../contract/restore-point-routes.ts';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { requireFlow } from '../flows/get-flow.ts';
import {
  createRestorePoint,
  deleteRestorePoint,
  getRestorePoint,
  listRestorePoints,
  restoreFlow,
  type RestorePoint,
} from '../flows/restore-points.ts';
import type { FlowRouteOptions } from './flow-routes.ts';
import { type Route, route } from './route.ts';
import { shownChange } from './shown-change.ts';

/** Kept documents of flows. */
export function makeRestorePointRoutes({ storage, events }: FlowRouteOptions): Route[] {
  return [
    route(restorePointRoutes.listRestorePoints, async ({ caller, params }) => {
      const db = await storage();
      const { id } = await requireFlow(db, caller.userId, params.id);
      return { restorePoints: (await listRestorePoints(db, id)).map(shownPoint) };
    }),
    route(restorePointRoutes.createRestorePoint, async ({ caller, params, body }) => {
      const db = await storage();
      const request = { userId: caller.userId, flowId: params.id, name: body.name };
      const { id, notice } = await createRestorePoint(db, request);
      sendFlowChange(events, notice);
      return { restorePoint: shownPoint(await getRestorePoint(db, params.id, id)) };
    }),
    route(restorePointRoutes.getRestorePoint, async ({ caller, params }) => {
      const db = await storage();
      const { id } = await requireFlow(db, caller.userId, params.id);
      const found = await getRestorePoint(db, id, params.point);
      const document: Readonly<Record<string, unknown>> = { ...found.document };
      return { restorePoint: { ...shownPoint(found), document } };
    }),
    route(restorePointRoutes.restoreFlow, async ({ caller, params, body }) => {
      const request = { userId: caller.userId, flowId: params.id, id: params.point, base: body.base };
      return shownChange(events, restoreFlow(await storage(), request));
    }),
    route(restorePointRoutes.deleteRestorePoint, async ({ caller, params }) => {
      const request = { userId: caller.userId, flowId: params.id, id: params.point };
      sendFlowChange(events, await deleteRestorePoint(await storage(), request));
      return { id: params.point };
    }),
  ];
}

function shownPoint({ id, name, version, author, bytes, createdAt }: RestorePoint) {
  return { id, name, version, author, bytes, createdAt: createdAt.toISOString() };
}
