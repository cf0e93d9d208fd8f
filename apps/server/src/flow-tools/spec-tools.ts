import {
  buildFromSpecInParts,
  contentOf,
  type FlowContent,
  type FlowNode,
  inTurns,
  parseSpec,
  SPEC_HELP,
  summariseFlow,
} from '@croft/flow';
import { orphansOf } from '@croft/assistant';
import { ADDS, REPLACES } from '@croft/tools';
import { z } from 'zod';
import { findingsOf } from '../flows/read-flow.ts';
import { createOnDesk, editOnDesk, type FlowDesk, type OpenFlow, openFlow } from './flow-desk.ts';
import { flowTool, refuse } from './flow-tool.ts';
import { flowHead, flowId, flowInfo, headOf, ifRevision, infoOf } from './shown.ts';

const MAX_SPEC = 500_000;
const MAX_SHOWN = 5;

const spec = z.string().min(1).max(MAX_SPEC).describe(SPEC_HELP);
const idMap = z.record(z.string(), z.string());

/** Tools that make flows of their text form. */
export const SPEC_TOOLS = [
  flowTool({
    name: 'create_flow_from_spec',
    title: 'Create flow from text',
    description:
      'Creates a flow from its text form. Find types with search_component_types and ports with describe_component_type first. Nothing is created if the text is wrong.',
    input: {
      spec,
      validate: z.boolean().default(true).describe('Creates nothing where the flow could not run.'),
    },
    output: { ...flowInfo, node_id_map: idMap, warnings: z.array(z.string()) },
    annotations: ADDS,
    async run({ spec: text, validate }, { desk }) {
      const { document, ids } = await build(desk, text);
      const warnings = validate ? await check(desk, document) : [];
      const flow = await createOnDesk(desk, document);
      return { ...infoOf(await openFlow(desk, flow.id)), node_id_map: ids, warnings };
    },
  }),
  flowTool({
    name: 'update_flow_from_spec',
    title: 'Update flow from text',
    description:
      'Replaces the components and connections of a flow by those of a text. A component with the same id and type stays, with the values that the text does not name; others are removed. A restore point is kept.',
    input: { flow_id: flowId, spec, if_revision: ifRevision },
    output: {
      ...flowHead,
      node_count: z.number(),
      edge_count: z.number(),
      node_id_map: idMap,
      spec_summary: z.string(),
    },
    annotations: REPLACES,
    async run({ flow_id, spec: text, if_revision }, { desk }) {
      const details = parseSpec(text);
      let ids: Readonly<Record<string, string>> = {};
      const edit = { revision: if_revision, point: 'update_flow_from_spec', isWhole: true };
      await editOnDesk(desk, flow_id, edit, async ({ document }) => {
        const types = new Map(document.nodes.map(({ id, type }) => [id, type]));
        const built = await build(desk, text, (type, id) => (types.get(id) === type ? id : undefined));
        ids = built.ids;
        return [{ kind: 'set_flow', flow: merged(document, built.document, details) }];
      });
      const { version, document } = await openFlow(desk, flow_id);
      return {
        ...headOf({ ...document, id: flow_id, version }),
        node_count: document.nodes.length,
        edge_count: document.edges.length,
        node_id_map: ids,
        spec_summary: summariseFlow(document),
      };
    },
  }),
];

/** @param keptId the id that a component of the text keeps; undefined for a new one */
async function build(
  { options, caller }: FlowDesk,
  text: string,
  keptId?: (type: string, specId: string) => string | undefined,
) {
  const { registry, findings } = await options.flowComponents.forText(caller.userId, text);
  if (findings.length > 0) throw refuse(findings.map(({ message, fix }) => `${message} ${fix}`).join(' '));
  const built = await inTurns(buildFromSpecInParts(text, registry, keptId));
  if ('error' in built) throw refuse(`${built.error}. ${built.details}`);
  const orphans = orphansOf(built.flow);
  if (orphans.length > 0)
    throw refuse(
      `Components without a connection: ${orphans.join(', ')}. Connect each of them or remove it from the text.`,
    );
  return { document: built.flow, ids: built.node_id_map };
}

/** Refuses a flow that cannot run. Values that a run or the user gives may be missing: these are warnings. */
async function check({ options, caller }: FlowDesk, document: OpenFlow['document']): Promise<string[]> {
  const findings = await findingsOf(options.flowComponents, caller.userId, document);
  const isOpen = ({ severity, code }: (typeof findings)[number]) => severity !== 'error' || code === 'missing_value';
  const wrong = findings.filter((finding) => !isOpen(finding));
  const text = ({ message, fix }: (typeof findings)[number]) => `${message} ${fix}`;
  if (wrong.length > 0) throw refuse(`The flow could not run: ${wrong.slice(0, MAX_SHOWN).map(text).join(' ')}`);
  return findings.slice(0, MAX_SHOWN).map(text);
}

/** The content of a text in place of a flow's: what stays keeps its place, name, code, and values that are not named. */
function merged(
  before: OpenFlow['document'],
  built: OpenFlow['document'],
  { name, description }: { readonly name?: string | undefined; readonly description?: string | undefined },
): FlowContent {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const nodes = built.nodes.map((node): FlowNode => {
    const kept = old.get(node.id);
    if (kept === undefined) return node;
    const { selectedOutput: _, toolMode: __, connectedFields: ___, ...rest } = kept;
    return { ...rest, ...node, position: kept.position, values: { ...kept.values, ...node.values } };
  });
  const ids = new Set(nodes.map(({ id }) => id));
  const groups = before.groups.map((group) => ({ ...group, nodes: group.nodes.filter((id) => ids.has(id)) }));
  return {
    ...contentOf(before),
    name: name || before.name,
    description: description ?? before.description,
    nodes,
    edges: built.edges,
    groups,
  };
}
