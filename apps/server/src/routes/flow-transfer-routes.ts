import { type Descriptor, printSpec, specOf } from '@croft/flow';
import { flowTransferRoutes } from '../contract/flow-transfer-routes.ts';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { createFlow } from '../flows/create-flow.ts';
import { requireFlow } from '../flows/get-flow.ts';
import { importFlow } from '../flows/import-flow.ts';
import { drawingOf, exportedFlow, findingsOf } from '../flows/read-flow.ts';
import { templatePicture } from '../flows/template-picture.ts';
import type { Variables } from '../variables/variables.ts';
import { type FlowRouteOptions, loadComponents, shownFlow } from './flow-routes.ts';
import { type Route, route } from './route.ts';

export interface FlowTransferOptions extends FlowRouteOptions {
  readonly variables: Pick<Variables, 'list'>;
}

/** Flows as files, templates, and the findings of a check. */
export function makeFlowTransferRoutes({ storage, events, flowComponents, variables }: FlowTransferOptions): Route[] {
  return [
    route(flowTransferRoutes.importFlow, async ({ caller, body }) => {
      const { document, findings } = await importFlow(flowComponents, caller.userId, body.source);
      const named = body.name === undefined ? document : { ...document, name: body.name };
      const { flow, notice } = await createFlow(await storage(), caller.userId, named);
      sendFlowChange(events, notice);
      return { flow: shownFlow(flow), findings };
    }),
    route(flowTransferRoutes.exportFlow, async ({ caller, params }) => {
      const { document } = await requireFlow(await storage(), caller.userId, params.id);
      const { flow, removed } = await exportedFlow({ flowComponents, variables }, caller.userId, document);
      return { document: { ...flow } as Readonly<Record<string, unknown>>, removed };
    }),
    route(flowTransferRoutes.checkFlow, async ({ caller, params }) => {
      const { document, version } = await requireFlow(await storage(), caller.userId, params.id);
      return { version, findings: [...(await findingsOf(flowComponents, caller.userId, document))] };
    }),
    route(flowTransferRoutes.getFlowText, async ({ caller, params }) => {
      const { document, version } = await requireFlow(await storage(), caller.userId, params.id);
      const { flow } = await exportedFlow({ flowComponents, variables }, caller.userId, document);
      return { version, spec: printSpec(specOf(flow)), drawing: drawingOf(flow) };
    }),
    route(flowTransferRoutes.listFlowTemplates, async () => {
      const { TEMPLATES, usesModel } = await loadComponents();
      const templates = TEMPLATES.map(({ name, description, spec, input, files, needsNetwork }) => ({
        name,
        description,
        spec,
        input: input ?? null,
        files: files ?? {},
        needsNetwork: needsNetwork ?? false,
        usesModel: usesModel({ spec }, flowComponents.builtins),
        picture: templatePicture(spec, flowComponents.builtins),
      }));
      return { templates };
    }),
    route(flowTransferRoutes.getComponentSource, async ({ params, problem }) => {
      const { builtinSource, whyNotEditable } = await loadComponents();
      const descriptor = flowComponents.builtins.get(params.type)?.descriptor;
      if (descriptor === undefined) throw problem('not_found', 'There is no such built-in component.');
      const source = builtinSource(descriptor.type) ?? null;
      return { type: descriptor.type, source, reason: source === null ? whyNotEditable(descriptor) : null };
    }),
    route(flowTransferRoutes.listFlowComponents, async ({ caller }) => {
      const { builtinSource } = await loadComponents();
      const isEditable = ({ type, category }: Descriptor) => category === 'custom' || builtinSource(type) !== undefined;
      const { registry, leftOut, skipped } = await flowComponents.ofUser(caller.userId);
      return {
        components: registry.entries.map(({ descriptor }) => ({ ...descriptor, editable: isEditable(descriptor) })),
        leftOut: [
          ...leftOut.map(({ className, reason, problem }) => ({
            file: `${className}.ts`,
            reason,
            line: problem?.line ?? 0,
          })),
          ...skipped.map(({ file, reason }) => ({ file, reason, line: 0 })),
        ],
      };
    }),
  ];
}
