import { TEMPLATES } from '@croft/components';
import { buildFromSpec, type FlowDocument, parseSpec, type Registry } from '@croft/flow';
import { ADDS, READS } from '@croft/tools';
import { z } from 'zod';
import { flowName } from '../contract/flow-fields.ts';
import { drawingOf } from '../flows/read-flow.ts';
import { createOnDesk, type FlowDesk, openFlow } from './flow-desk.ts';
import { flowTool, refuse } from './flow-tool.ts';
import { anyObject, flowInfo, infoOf } from './shown.ts';

const FIELDS = ['id', 'name', 'description', 'tags', 'endpoint_name', 'icon'];
const fields = z.array(z.string().max(50)).max(20).default(FIELDS).describe('Fields of each result.');
const templateId = z.string().min(1).max(100).describe('The id of a template, as search_templates gives it.');

/** Tools over flows to begin from. */
export const STARTER_TOOLS = [
  flowTool({
    name: 'list_starter_projects',
    title: 'List starter projects',
    description: 'Lists flows to begin from, with a drawing of each.',
    input: {},
    output: { result: z.array(z.object({ name: z.string(), description: z.string(), graph: z.string() })) },
    annotations: READS,
    run: (_, { desk }) => ({
      result: TEMPLATES.map(({ name, description }) => ({
        name,
        description,
        graph: drawingOf(documentOf(desk, name)) ?? '',
      })),
    }),
  }),
  flowTool({
    name: 'use_starter_project',
    title: 'Use starter project',
    description: 'Creates a flow from a starter project.',
    input: { starter_name: z.string().min(1).max(100), new_name: flowName.optional() },
    output: flowInfo,
    annotations: ADDS,
    run: async ({ starter_name, new_name }, { desk }) => create(desk, starter_name, new_name),
  }),
];

/** The same as older clients call it. */
export const TEMPLATE_TOOLS = [
  flowTool({
    name: 'search_templates',
    title: 'Search templates',
    description: 'Searches flows to begin from by words of their names and descriptions.',
    input: { query: z.string().max(500).optional(), fields },
    output: { result: z.array(anyObject), count: z.number() },
    annotations: READS,
    run({ query = '', fields: wanted }, { desk }) {
      const words = query.toLowerCase();
      const result = TEMPLATES.filter(({ name, description }) =>
        `${name} ${description}`.toLowerCase().includes(words),
      ).map(({ name }) => shownTemplate(desk, name, wanted));
      return { result, count: result.length };
    },
  }),
  flowTool({
    name: 'get_template',
    title: 'Get template',
    description: 'Reads a template, with the flow as text.',
    input: { template_id: templateId, fields: z.array(z.string().max(50)).max(20).optional() },
    output: { id: z.string() },
    annotations: READS,
    run: ({ template_id, fields: wanted }, { desk }) => ({
      ...shownTemplate(desk, template_id, wanted ?? [...FIELDS, 'spec', 'input']),
      id: template_id,
    }),
  }),
  flowTool({
    name: 'list_all_tags',
    title: 'List tags',
    description: 'Lists the tags of templates: the categories of their components.',
    input: {},
    output: { result: z.array(z.string()) },
    annotations: READS,
    run: (_, { desk }) => ({ result: [...new Set(TEMPLATES.flatMap(({ name }) => tagsOf(desk, name)))].sort() }),
  }),
  flowTool({
    name: 'count_templates',
    title: 'Count templates',
    description: 'Counts the templates.',
    input: {},
    output: { result: z.number() },
    annotations: READS,
    run: () => ({ result: TEMPLATES.length }),
  }),
  flowTool({
    name: 'create_flow_from_template',
    title: 'Create flow from template',
    description: 'Creates a flow from a template.',
    input: {
      template_id: templateId,
      folder_id: z.string().max(100).optional().describe('Not used: flows have no folders.'),
    },
    output: { id: z.string(), link: z.string() },
    annotations: ADDS,
    async run({ template_id }, { desk }) {
      const { id } = await create(desk, template_id);
      return { id, link: linkTo(desk, id) };
    },
  }),
];

/** The page of a flow. */
export const linkTo = ({ options }: Pick<FlowDesk, 'options'>, id: string): string => `${options.url()}/flows/${id}`;

async function create(desk: FlowDesk, template: string, name?: string) {
  const document = documentOf(desk, template);
  const { id } = await createOnDesk(desk, { ...document, name: name ?? document.name });
  return infoOf(await openFlow(desk, id));
}

function requireTemplate(name: string) {
  const found = TEMPLATES.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = TEMPLATES.map((each) => each.name).join(', ');
  throw refuse(`Unknown template '${name}'. Available templates: ${names}`);
}

function documentOf({ options }: FlowDesk, template: string): FlowDocument {
  const built = buildFromSpec(requireTemplate(template).spec, options.flowComponents.builtins);
  if ('error' in built) throw new Error(`template ${template}: ${built.error}`);
  return built.flow;
}

function tagsOf({ options }: FlowDesk, template: string): string[] {
  const { nodes } = parseSpec(requireTemplate(template).spec);
  const registry: Registry = options.flowComponents.builtins;
  return [...new Set(nodes.flatMap(({ type }) => registry.get(type)?.descriptor.category ?? []))].sort();
}

function shownTemplate(desk: FlowDesk, id: string, wanted: readonly string[]): Record<string, unknown> {
  const { name, description, spec, input } = requireTemplate(id);
  const known: Record<string, unknown> = {
    id: name,
    name,
    description,
    tags: tagsOf(desk, id),
    endpoint_name: name,
    icon: null,
    spec,
    input: input ?? null,
  };
  return Object.fromEntries(wanted.filter((key) => Object.hasOwn(known, key)).map((key) => [key, known[key]]));
}
