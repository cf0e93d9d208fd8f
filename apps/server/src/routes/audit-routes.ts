import { isAudited } from '../audit.ts';
import { auditRoutes } from '../contract/audit-routes.ts';
import type { RouteDefinition } from '../contract/define-route.ts';
import { MACHINE_ACTIONS } from '../make-hub.ts';
import type { AuditLog } from '../store/audit-log.ts';
import type { Db } from '../store/database.ts';
import { type Route, route } from './route.ts';

export interface AuditRouteOptions {
  readonly auditLog: Pick<AuditLog, 'list'>;
  readonly storage: () => Promise<Db>;
}

/**
 * The audit log, for admins.
 *
 * @param definitions gives the routes of the server
 */
export function makeAuditRoutes(
  { auditLog, storage }: AuditRouteOptions,
  definitions: () => readonly RouteDefinition[],
): Route[] {
  return [
    route(auditRoutes.listAuditEvents, async ({ query: { user, action, cursor, limit } }) => {
      await storage();
      const found = await auditLog.list({ userId: user, action, before: cursor, limit: limit + 1 });
      const shown = found.slice(0, limit);
      return {
        events: shown.map(({ at, ...event }) => ({ ...event, at: at.toISOString() })),
        nextCursor: found.length > limit ? String(shown.at(-1)?.id) : null,
      };
    }),
    route(auditRoutes.listAuditActions, () => {
      const ofRoutes = definitions().flatMap((each) => (isAudited(each) ? [each.operationId] : []));
      return { actions: [...new Set(['signIn', ...Object.values(MACHINE_ACTIONS), ...ofRoutes])].sort() };
    }),
  ];
}
