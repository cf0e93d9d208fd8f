import { contentOf, emptyFlow, type FlowDocument, inTurns, parseFlowInParts } from '@croft/flow';
import { flowRoutes } from '../contract/flow-routes.ts';
import type { FlowComponents } from '../components/flow-components.ts';
import type { EventStreams } from '../events.ts';
import type { QueuedRuns } from '../flow-runs/queued-runs.ts';
import { type FlowNotice, sendFlowChange } from '../flows/announce-flow.ts';
import { type CreatedFlow, createFlow, duplicateFlow } from '../flows/create-flow.ts';
import { findOrigin } from '../flows/component-origin.ts';
import { deleteFlow, listDeletedFlows, restoreDeletedFlow } from '../flows/deleted-flows.ts';
import { editFlow, editsAfter } from '../flows/edit-flow.ts';
import { requireFlow, type StoredFlow } from '../flows/get-flow.ts';
import { isTriggered, readTriggers, scheduledFlows } from '../flows/flow-triggers.ts';
import { type FlowSummary, listFlows } from '../flows/list-flows.ts';
import { readImport } from '../flows/import-flow.ts';
import { revertOwnEdit } from '../flows/undo-edit.ts';
import type { Db } from '../store/database.ts';
import { Problem } from '../problem.ts';
import { type Route, route } from './route.ts';
import { shownChange } from './shown-change.ts';

export interface FlowRouteOptions {
  readonly flowComponents: FlowComponents;
  readonly storage: () => Promise<Db>;
  readonly events: Pick<EventStreams, 'send'>;
  readonly queuedRuns: Pick<QueuedRuns, 'reader' | 'removeSchedulesOf'>;
}

/** The caller's flows, and those that others share with the caller. */
export function makeFlowRoutes({ storage, events, flowComponents, queuedRuns }: FlowRouteOptions): Route[] {
  const send = (notice: FlowNotice) => sendFlowChange(events, notice);
  const created = async (creating: Promise<CreatedFlow>) => {
    const { flow, notice } = await creating;
    send(notice);
    return { flow: shownFlow(flow) };
  };
  return [
    route(flowRoutes.listFlows, async ({ caller, query }) => {
      const { userId } = caller;
      const db = await storage();
      const { triggered, ...options } = query;
      const schedules = await (await queuedRuns.reader()).schedules(userId);
      const where = triggered === 'true' ? isTriggered(userId, scheduledFlows(schedules)) : undefined;
      const { flows, nextCursor } = await listFlows(db, userId, { ...options, where });
      const ids = flows.map(({ id }) => id);
      const triggersOf = await readTriggers(db, userId, ids, schedules);
      return {
        flows: flows.map(({ ownerName, tags, ...flow }) => {
          const { nextAt, ...triggers } = triggersOf(flow.id);
          return {
            ...shownSummary(flow),
            ownerName,
            tags: [...tags],
            triggers: { ...triggers, nextAt: nextAt?.toISOString() ?? null },
          };
        }),
        nextCursor,
      };
    }),
    route(flowRoutes.createFlow, async ({ caller, body }) => {
      const document = await flowComponents.fillFlow(caller.userId, await newDocument(body));
      return created(createFlow(await storage(), caller.userId, document));
    }),
    route(flowRoutes.getFlow, async ({ caller, params }) => ({
      flow: shownFlow(await requireFlow(await storage(), caller.userId, params.id)),
    })),
    route(flowRoutes.getComponentOrigin, async ({ caller, params }) => {
      const db = await storage();
      const { id } = await requireFlow(db, caller.userId, params.id);
      const origin = await findOrigin(db, id, params.component);
      return { origin: origin === undefined ? null : { ...origin, addedAt: origin.addedAt.toISOString() } };
    }),
    route(flowRoutes.replaceFlow, async ({ caller, params, body }) => {
      const given = await inTurns(parseFlowInParts(body.document));
      const flow = contentOf(await flowComponents.fillFlow(caller.userId, given));
      const edits = [{ kind: 'set_flow' as const, flow }];
      const request = { userId: caller.userId, flowId: params.id, base: body.base, edits, isExact: true };
      return shownChange(events, editFlow(await storage(), request));
    }),
    route(flowRoutes.deleteFlow, async ({ caller, params }) => {
      const { notice, isKept } = await deleteFlow(await storage(), caller.userId, params.id);
      send(notice);
      await queuedRuns.removeSchedulesOf({ flowId: params.id });
      return { id: params.id, isRestorable: isKept };
    }),
    route(flowRoutes.listDeletedFlows, async ({ caller }) => {
      const flows = await listDeletedFlows(await storage(), caller.userId);
      return { flows: flows.map((each) => ({ ...each, deletedAt: each.deletedAt.toISOString() })) };
    }),
    route(flowRoutes.restoreDeletedFlow, async ({ caller, params }) => {
      send(await restoreDeletedFlow(await storage(), caller.userId, params.id));
      return { id: params.id };
    }),
    route(flowRoutes.editFlow, async ({ caller, params, body }) => {
      const { userId } = caller;
      const edits = await flowComponents.fillEdits(userId, body.edits);
      return shownChange(events, editFlow(await storage(), { userId, flowId: params.id, ...body, edits }));
    }),
    route(flowRoutes.listFlowEdits, async ({ caller, params, query }) => {
      const found = await requireFlow(await storage(), caller.userId, params.id);
      return { version: found.version, entries: await editsAfter(await storage(), found, query.after) };
    }),
    route(flowRoutes.undoFlowEdit, async ({ caller, params, body }) =>
      shownChange(
        events,
        revertOwnEdit(await storage(), { userId: caller.userId, flowId: params.id, base: body.base, kind: 'undo' }),
      ),
    ),
    route(flowRoutes.redoFlowEdit, async ({ caller, params, body }) =>
      shownChange(
        events,
        revertOwnEdit(await storage(), { userId: caller.userId, flowId: params.id, base: body.base, kind: 'redo' }),
      ),
    ),
    route(flowRoutes.duplicateFlow, async ({ caller, params }) =>
      created(duplicateFlow(await storage(), caller.userId, params.id)),
    ),
  ];
}

/** The components load with the first use, because a server may never need them. */
export const loadComponents = () => import('@croft/components');

interface NewFlow {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly document?: Readonly<Record<string, unknown>> | undefined;
  readonly template?: string | undefined;
}

/** The document of a new flow; a name and description replace those of the document. @throws FlowError, Problem `invalid` */
async function newDocument({ name, description, document, template }: NewFlow): Promise<FlowDocument> {
  if (template !== undefined && document !== undefined)
    throw new Problem(400, 'invalid', 'template: Send a document or the name of a template, not both.');
  const given =
    template !== undefined
      ? await documentOf(template)
      : document === undefined
        ? emptyFlow()
        : await inTurns(parseFlowInParts(document));
  return { ...given, name: name ?? given.name, description: description ?? given.description };
}

function shownSummary(flow: Omit<FlowSummary, 'ownerName' | 'tags'>) {
  const { id, name, description, version, access, createdAt, updatedAt } = flow;
  return {
    id,
    name,
    description,
    version,
    access,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** A flow as responses show it. */
export function shownFlow(flow: StoredFlow) {
  return { ...shownSummary(flow), document: { ...flow.document } as Readonly<Record<string, unknown>> };
}

async function documentOf(template: string): Promise<FlowDocument> {
  const { builtinRegistry, TEMPLATES } = await loadComponents();
  const found = TEMPLATES.find((each) => each.name === template);
  if (found === undefined)
    throw new Problem(400, 'invalid', 'template: There is no such template. GET /api/v1/flow-templates lists them.');
  return (await readImport(found.spec, builtinRegistry())).document;
}
