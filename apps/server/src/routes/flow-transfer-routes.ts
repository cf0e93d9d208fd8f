import { drawFlow, printSpec, redactFlow, specOf, validateFlow } from '@croft/flow';
import { flowTransferRoutes } from '../contract/flow-transfer-routes.ts';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { createFlow } from '../flows/create-flow.ts';
import { FLOW_LIMITS } from '../flows/flow-limits.ts';
import { requireFlow } from '../flows/get-flow.ts';
import { readImport } from '../flows/import-flow.ts';
import type { Variables } from '../variables/variables.ts';
import { type FlowRouteOptions, loadComponents, shownFlow } from './flow-routes.ts';
import { type Route, route } from './route.ts';

export interface FlowTransferOptions extends FlowRouteOptions {
  readonly variables: Pick<Variables, 'list'>;
}

/** Flows as files, templates, and the findings of a check. */
export function makeFlowTransferRoutes({ storage, events, variables }: FlowTransferOptions): Route[] {
  return [
    route(flowTransferRoutes.importFlow, async ({ caller, body }) => {
      const { builtinRegistry } = await loadComponents();
      const { document, findings } = readImport(body.source, builtinRegistry());
      const named = body.name === undefined ? document : { ...document, name: body.name };
      const { flow, notice } = await createFlow(await storage(), caller.userId, named);
      sendFlowChange(events, notice);
      return { flow: shownFlow(flow), findings };
    }),
    route(flowTransferRoutes.exportFlow, async ({ caller, params }) => {
      const { document } = await requireFlow(await storage(), caller.userId, params.id);
      const names = new Set((await variables.list(caller.userId)).map(({ name }) => name));
      const { builtinRegistry } = await loadComponents();
      const { flow, removed } = redactFlow(document, { registry: builtinRegistry(), variables: names });
      return { document: { ...flow } as Readonly<Record<string, unknown>>, removed };
    }),
    route(flowTransferRoutes.checkFlow, async ({ caller, params }) => {
      const { document, version } = await requireFlow(await storage(), caller.userId, params.id);
      const { builtinRegistry } = await loadComponents();
      return { version, findings: validateFlow(document, builtinRegistry()) };
    }),
    route(flowTransferRoutes.getFlowText, async ({ caller, params }) => {
      const { document, version } = await requireFlow(await storage(), caller.userId, params.id);
      const drawing = document.nodes.length > FLOW_LIMITS.drawnNodes ? null : drawFlow(document);
      return { version, spec: printSpec(specOf(document)), drawing };
    }),
    route(flowTransferRoutes.listFlowTemplates, async () => {
      const { TEMPLATES } = await loadComponents();
      const templates = TEMPLATES.map(({ name, description, spec, input, files, needsNetwork }) => ({
        name,
        description,
        spec,
        input: input ?? null,
        files: files ?? {},
        needsNetwork: needsNetwork ?? false,
      }));
      return { templates };
    }),
    route(flowTransferRoutes.listFlowComponents, async () => {
      const { builtinRegistry } = await loadComponents();
      return { components: builtinRegistry().entries.map(({ descriptor }) => ({ ...descriptor })) };
    }),
  ];
}
